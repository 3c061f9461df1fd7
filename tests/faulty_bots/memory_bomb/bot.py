"""Takes memory without end."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from faulty import raw


def bomb(*_: object) -> None:
    blocks = []
    while True:
        blocks.append(bytearray(b"x" * 1_000_000))


raw(bomb)
