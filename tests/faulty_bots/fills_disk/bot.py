"""Writes to its disk until it is full, and dies of that."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from faulty import raw


def fill(*_: object) -> None:
    with open("/tmp/big", "wb") as file:
        while True:
            file.write(bytes(1_000_000))


raw(fill)
