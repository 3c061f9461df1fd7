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
    """Keeps values for `seconds`; several threads that want one wait for it to be made once."""

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
            if known is not None and self._clock() - known[0] < self._seconds:
                return known[1]
            making = self._locks.setdefault(key, threading.Lock())
        try:
            with making:
                with self._lock:
                    known = self._kept.get(key)
                    if known is not None and self._clock() - known[0] < self._seconds:
                        return known[1]
                value = make()
                with self._lock:
                    self._kept[key] = (self._clock(), value)
                    self._kept.move_to_end(key)
                    while len(self._kept) > MOST_KEPT:
                        self._kept.popitem(last=False)
                return value
        finally:
            with self._lock:
                self._locks.pop(key, None)
