"""Writes one line that never ends, and is honest otherwise."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import threading

from faulty import HonestBot

from thousand import run


def write() -> None:
    while True:
        sys.stdout.write("x" * 1000)


threading.Thread(target=write, daemon=True).start()
run(HonestBot)
