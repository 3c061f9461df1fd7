"""How many matches play at a time, while more get ready or are ending.

Starting three bots takes about as long as a few games. So one match more than may play
has its bots started, and waits: each match that plays holds a slot, from its first
prompt to its last answer. A slot is a file with a lock on it, so that however a process
ends, the operating system frees its slot.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
from pathlib import Path
from typing import Final

from thousand_referee.errors import NotBegun

POLL_SECONDS: Final = 0.01

_CLOSED: Final = "closed"

_slots: list[Path] = []
"""The slots of this process; none if it may play at once, as on a machine of its own."""


def make_slots(folder: Path, count: int) -> list[Path]:
    """Make files for so many slots."""
    slots = [folder / f"slot-{number}" for number in range(count)]
    for slot in slots:
        slot.touch()
    return slots


def use_slots(slots: list[Path]) -> None:
    """Let every match of this process wait for one of these."""
    _slots[:] = slots


def close_slots(slots: list[Path]) -> None:
    """Let no match begin any more; those that play go on."""
    (slots[0].parent / _CLOSED).touch()


class Slot:
    """The right to play, of one match."""

    def __init__(self) -> None:
        self._lock: int | None = None

    async def take(self) -> None:
        """Wait for the right; `NotBegun` once no match is to begin."""
        while _slots and self._lock is None:
            if (_slots[0].parent / _CLOSED).exists():
                raise NotBegun("the run is ending")
            for slot in _slots:
                if self._lock_file(slot):
                    return
            await asyncio.sleep(POLL_SECONDS)

    def free(self) -> None:
        """Let somebody else play; nothing happens if that was done before."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _lock_file(self, slot: Path) -> bool:
        lock = os.open(slot, os.O_RDWR)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            return False
        self._lock = lock
        return True
