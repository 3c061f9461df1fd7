"""Keeps all processors busy all the time, and is honest otherwise."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import os

from faulty import HonestBot

from thousand import run

for _ in range(2 * (os.cpu_count() or 1)):
    if os.fork() == 0:
        while True:
            pass
run(HonestBot)
