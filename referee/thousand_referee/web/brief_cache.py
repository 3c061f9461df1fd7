"""Values that many ask for at once, and that may be a moment old."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Final, Generic, TypeVar

V = TypeVar("V")

MOST_KEPT: Final = 256


class BriefCache(Generic[V]):
    """Keeps values for `seconds`. Threads may share it.

    Of several threads that want a value that is too old, one makes it anew, and the others
    get the old one meanwhile. Where there is none they wait.
    """

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._clock = clock
        self._kept: OrderedDict[Hashable, tuple[float, V]] = OrderedDict()
        self._locks: dict[Hashable, threading.Lock] = {}
        self._lock = threading.Lock()

    def get(self, key: Hashable, make: Callable[[], V]) -> V:
        """Give the value of a key, made anew if it is too old; what `make` raises is raised."""
        with self._lock:
            known = self._kept.get(key)
            if known is not None and self._is_fresh(known):
                return known[1]
            making = self._locks.setdefault(key, threading.Lock())
        is_ours = making.acquire(blocking=known is None)
        if not is_ours:
            assert known is not None
            return known[1]
        try:
            with self._lock:
                known = self._kept.get(key)
            return (
                known[1] if known is not None and self._is_fresh(known) else self._make(key, make)
            )
        finally:
            making.release()

    def _is_fresh(self, known: tuple[float, V]) -> bool:
        return self._clock() - known[0] < self._seconds

    def _make(self, key: Hashable, make: Callable[[], V]) -> V:
        try:
            value = make()
        except BaseException:
            with self._lock:
                self._locks.pop(key, None)
            raise
        with self._lock:
            self._kept[key] = (self._clock(), value)
            self._kept.move_to_end(key)
            while len(self._kept) > MOST_KEPT:
                oldest, _ = self._kept.popitem(last=False)
                self._locks.pop(oldest, None)
        return value
