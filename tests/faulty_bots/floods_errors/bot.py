"""Writes 100 MB to standard error, and is honest otherwise."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import threading

from faulty import HonestBot

from thousand import run


def write() -> None:
    for _ in range(1000):
        sys.stderr.write(("x" * 99 + "\n") * 1000)


threading.Thread(target=write).start()
run(HonestBot)
