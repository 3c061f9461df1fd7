"""How many matches are played at a time, shared fairly by the tournaments of an arena."""

from __future__ import annotations

import threading
import time
from collections import Counter
from typing import Final

_WANTED_SECONDS: Final = 2.0
"""A tournament that was refused a slot so recently is taken to want one still."""


class Slots:
    """Gives slots for matches to tournaments, each from a thread of its own.

    A free slot goes to a tournament that has no more of them than any other that wants
    one. So they take turns, and one alone has all.
    """

    def __init__(self, total: int) -> None:
        self.total = total
        self._lock = threading.Lock()
        self._taken: Counter[str] = Counter()
        self._wanted: dict[str, float] = {}

    def take(self, tournament: str) -> bool:
        """Take a slot if there is one for this tournament now."""
        now = time.monotonic()
        with self._lock:
            rivals = [
                self._taken[name]
                for name, since in self._wanted.items()
                if name != tournament and now - since < _WANTED_SECONDS
            ]
            mine = self._taken[tournament]
            if self._taken.total() >= self.total or any(theirs < mine for theirs in rivals):
                self._wanted[tournament] = now
                return False
            self._wanted.pop(tournament, None)
            self._taken[tournament] += 1
            return True

    def give_back(self, tournament: str, *, all_of_them: bool = False) -> None:
        """Give a slot back, or all that the tournament has."""
        with self._lock:
            if all_of_them:
                self._taken[tournament] = 0
                self._wanted.pop(tournament, None)
            elif self._taken[tournament]:
                self._taken[tournament] -= 1
