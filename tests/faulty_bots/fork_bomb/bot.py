"""Forks without end."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import contextlib
import os

from faulty import raw


def bomb(*_: object) -> None:
    while True:
        with contextlib.suppress(OSError):
            os.fork()


raw(bomb)
