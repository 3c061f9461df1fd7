"""Leaves a process that forks and ends, again and again."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import os

from faulty import HonestBot

from thousand import run

if os.fork() == 0:
    while True:
        if os.fork():
            os._exit(0)
run(HonestBot)
