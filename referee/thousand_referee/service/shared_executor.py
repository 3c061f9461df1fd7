"""Processes that several threads of a server use."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Final, ParamSpec, TypeVar

from thousand_referee.executor import LocalExecutor

NICENESS: Final = 5
"""People who wait for the server come before matches and fits."""

P = ParamSpec("P")
T = TypeVar("T")


class SharedExecutor(LocalExecutor):
    """A `LocalExecutor` whose calls may come from any thread.

    One user's trouble is not another's: matches that wait for their turn get it, until
    all of it is to `end`.
    """

    def __init__(self, jobs: int, *, ahead: int = 1) -> None:
        super().__init__(jobs, ahead=ahead, niceness=NICENESS)
        self._lock = threading.Lock()
        self._is_ending = False

    def end(self) -> None:
        """Let matches that wait for their turn not begin any more, whoever asks for that."""
        self._is_ending = True

    def begin_no_more(self) -> None:
        """Do so, if all is to end."""
        if self._is_ending:
            super().begin_no_more()

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Run the call in the process that has the least to do."""
        with self._lock:
            return super().submit(fn, *args, **kwargs)
