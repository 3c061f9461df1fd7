"""How much of something one user may do at the same time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from thousand_referee.errors import TooMuch
from thousand_referee.submitted import User


class AtOnce:
    """Counts what each user has under way; to be used in one thread."""

    def __init__(self, most: int, what: str) -> None:
        """Allow `most` for each user; `what` is said of them when they are too many."""
        self._most = most
        self._what = what
        self._counts = Counter[str]()

    @contextmanager
    def one_more(self, user: User) -> Iterator[None]:
        """Count one for the length of a block; TooMuch if the user has so many already."""
        if self._counts[user.name] >= self._most:
            raise TooMuch(f"{self._most} of your {self._what} already; wait for one to end")
        self._counts[user.name] += 1
        try:
            yield
        finally:
            self._counts[user.name] -= 1
