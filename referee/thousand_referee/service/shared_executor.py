"""Processes that several threads of a server use."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import ParamSpec, TypeVar

from thousand_referee.executor import LocalExecutor

P = ParamSpec("P")
T = TypeVar("T")


class SharedExecutor(LocalExecutor):
    """A `LocalExecutor` whose calls may come from any thread."""

    def __init__(self, jobs: int) -> None:
        super().__init__(jobs)
        self._lock = threading.Lock()

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Run the call in the process that has the least to do."""
        with self._lock:
            return super().submit(fn, *args, **kwargs)
