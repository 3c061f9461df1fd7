"""Fair time: a clock that stands still while the referee is late.

A referee on a busy machine reads an answer later than it came. It must not charge the
bot for that. So it sets itself small appointments; by how much it misses one, it was
late, and that much is taken out of the time that bots are charged by.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

BEAT_SECONDS: Final = 0.005
TOLERANCE_SECONDS: Final = 0.005
"""Timers of any system are a little late; so much of it is no lag, but the clock's grain."""


class FairTime:
    """The referee's monotonic clock less its own lag, in seconds.

    `worst_lag` is the longest the referee was late at once, in seconds; 0 if it never
    was late by more than the tolerance.
    """

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._lag = 0.0
        self._due = monotonic() + BEAT_SECONDS
        self.worst_lag = 0.0

    def now(self) -> float:
        """Give the fair time. A missed appointment is noticed here, before anyone is charged."""
        now = self._monotonic()
        late = now - self._due
        if late > TOLERANCE_SECONDS:
            self._lag += late
            self.worst_lag = max(self.worst_lag, late)
            self._due = now + BEAT_SECONDS
        return now - self._lag

    async def beat(self, each: Callable[[float], None]) -> None:
        """Keep the appointments, for ever; call `each` with the fair time at every one."""
        while True:
            self._due = self._monotonic() + BEAT_SECONDS
            await asyncio.sleep(BEAT_SECONDS)
            each(self.now())
