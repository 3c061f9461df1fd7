"""Leaves grandchildren in sessions of their own, which hold its pipes."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import os

from faulty import HonestBot, sleep_forever

from thousand import run

for _ in range(3):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            sleep_forever()
        os._exit(0)
run(HonestBot)
