"""How often an author may do what costs others something."""

from __future__ import annotations

import time
from collections import defaultdict, deque
from collections.abc import Callable
from typing import Final

from thousand_referee.errors import TooMuch
from thousand_referee.submitted import User

_HOUR: Final = 3_600.0


class HourlyLimit:
    """Lets each author do something `most` times in an hour; organisers are free.

    It forgets everything when the server stops. Use it in one thread.
    """

    def __init__(self, most: int, what: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._what = what
        self._clock = clock
        self._times = defaultdict[str, deque[float]](deque)

    def use(self, user: User) -> None:
        """Count one more; TooMuch if the user must wait."""
        if user.is_organiser:
            return
        now, times = self._clock(), self._times[user.name]
        while times and times[0] <= now - _HOUR:
            times.popleft()
        if len(times) >= self._most:
            minutes = -(-(times[0] + _HOUR - now) // 60)
            raise TooMuch(
                f"you {self._what} {len(times)} times in the last hour; wait {minutes:.0f} minutes"
            )
        times.append(now)
