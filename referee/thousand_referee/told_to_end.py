"""Whether this process was lately told to end: a match process notes that, and plays on.

A service manager tells every process of a service at once, bots among them, and those
end. That is not their doing.
"""

from __future__ import annotations

import asyncio
import signal
import time
from types import FrameType
from typing import Final

from thousand_referee.errors import MatchVoid

MEMORY_SECONDS: Final = 10.0
"""A bot that ends so long after the signal may have ended because of it."""

RACE_SECONDS: Final = 0.05
"""Who is told at the same time may hear it so much later."""

_SURE_RACE_SECONDS: Final = 0.5
"""The same for a bot of which it is known that such a signal killed it."""

_NUMBERS: Final = (signal.SIGINT, signal.SIGTERM)
_heard: Final[list[float]] = []


def note_and_survive() -> None:
    """From now on note the signals that tell a process to end, and don't; main thread only."""
    for number in _NUMBERS:
        signal.signal(number, _note)


async def blame_nobody_told_to_end(how: str) -> None:
    """`MatchVoid` if a bot may have ended, as `how` says, since all the arena was told to."""
    is_sure = any(number.name in how for number in _NUMBERS)
    if not _was_told():
        await asyncio.sleep(_SURE_RACE_SECONDS if is_sure else RACE_SECONDS)
    if _was_told():
        raise MatchVoid(f"all of the arena was told to end, and so were bots ({how})")


def _was_told() -> bool:
    """Whether this process heard such a signal lately."""
    return bool(_heard) and time.monotonic() - _heard[-1] < MEMORY_SECONDS


def _note(_number: int, _frame: FrameType | None) -> None:
    _heard[:] = [time.monotonic()]
