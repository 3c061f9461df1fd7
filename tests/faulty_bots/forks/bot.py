"""Starts a few hundred processes that each start more when one is killed."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import os

from faulty import HonestBot, sleep_forever

from thousand import run

for _ in range(15):
    if os.fork() == 0:
        for _ in range(15):
            if os.fork() == 0:
                sleep_forever()
        sleep_forever()
run(HonestBot)
