"""Match processes on this machine, behind the standard `concurrent.futures.Executor`."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import ParamSpec, TypeVar

from thousand_referee.told_to_end import note_and_survive

P = ParamSpec("P")
T = TypeVar("T")


class LocalExecutor(Executor):
    """Runs up to `jobs` calls at once, each in a spawned process that is used again.

    Every process is a pool of its own: when one is killed, only its call fails, with
    `BrokenProcessPool`, and the next call there gets a new process. Processes end with
    the one that made them, however that ends.
    """

    def __init__(self, jobs: int) -> None:
        self._lanes = [_Lane() for _ in range(jobs)]

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Run the call in the process that has the least to do."""
        lane = min(self._lanes, key=lambda lane: lane.waiting)
        return lane.submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let the processes end when their calls are done."""
        for lane in self._lanes:
            lane.pool.shutdown(wait=wait, cancel_futures=cancel_futures)


class _Lane:
    """One process, and how many calls wait for it or are run by it."""

    def __init__(self) -> None:
        self.pool = _pool_of_one()
        self.waiting = 0
        self._lock = threading.Lock()

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        try:
            future = self.pool.submit(fn, *args, **kwargs)
        except BrokenProcessPool:
            self.pool.shutdown(wait=False)
            self.pool = _pool_of_one()
            future = self.pool.submit(fn, *args, **kwargs)
        self._count(1)
        future.add_done_callback(lambda _: self._count(-1))
        return future

    def _count(self, change: int) -> None:
        # The pool's own thread counts down.
        with self._lock:
            self.waiting += change


def _pool_of_one() -> ProcessPoolExecutor:
    # Forking after gRPC was used crashes or hangs: only spawn will do.
    return ProcessPoolExecutor(
        1, mp_context=multiprocessing.get_context("spawn"), initializer=_begin_worker
    )


def _begin_worker() -> None:
    """Leave it to the coordinator what to do about signals, and die when it dies."""
    note_and_survive()
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
