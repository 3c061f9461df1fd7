"""Match processes on this machine, behind the standard `concurrent.futures.Executor`."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from pathlib import Path
from typing import Final, ParamSpec, TypeVar

from thousand_referee.play_slots import close_slots, make_slots, use_slots
from thousand_referee.sockets import socket_folder
from thousand_referee.told_to_end import note_and_survive

P = ParamSpec("P")
T = TypeVar("T")


class LocalExecutor(Executor):
    """Runs calls in spawned processes that are used again: `jobs` matches play at a time.

    There is one process more, so that the next match's bots are started meanwhile: see
    `play_slots`. Every process is a pool of its own: when one is killed, only its call fails, with
    `BrokenProcessPool`, and the next call there gets a new process. Processes end with
    the one that made them, however that ends.
    """

    def __init__(self, jobs: int, *, ahead: int = 1, niceness: int = 0) -> None:
        """Get ready to play `jobs` matches, with so many more that wait for their turn.

        `niceness` is how far the processes, and theirs, stand back behind this one.
        """
        self._folders = ExitStack()
        folder = self._folders.enter_context(socket_folder())
        self._slots = make_slots(folder, jobs)
        self.at_once: Final = jobs + ahead
        self._lanes = [_Lane(self._slots, niceness) for _ in range(self.at_once)]

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Run the call in the process that has the least to do."""
        lane = min(self._lanes, key=lambda lane: lane.waiting)
        return lane.submit(fn, *args, **kwargs)

    def begin_no_more(self) -> None:
        """Let matches that wait for their turn end with `NotBegun`."""
        close_slots(self._slots)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let the processes end when their calls are done."""
        for lane in self._lanes:
            lane.pool.shutdown(wait=wait, cancel_futures=cancel_futures)
        if wait:
            self._folders.close()


class _Lane:
    """One process, and how many calls wait for it or are run by it."""

    def __init__(self, slots: list[Path], niceness: int) -> None:
        self._slots = slots
        self._niceness = niceness
        self.pool = _pool_of_one(slots, niceness)
        self.waiting = 0
        self._lock = threading.Lock()

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        try:
            future = self.pool.submit(fn, *args, **kwargs)
        except BrokenProcessPool:
            self.pool.shutdown(wait=False)
            self.pool = _pool_of_one(self._slots, self._niceness)
            future = self.pool.submit(fn, *args, **kwargs)
        self._count(1)
        future.add_done_callback(lambda _: self._count(-1))
        return future

    def _count(self, change: int) -> None:
        # The pool's own thread counts down.
        with self._lock:
            self.waiting += change


def _pool_of_one(slots: list[Path], niceness: int) -> ProcessPoolExecutor:
    # Forking after gRPC was used crashes or hangs: only spawn will do.
    return ProcessPoolExecutor(
        1,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_begin_worker,
        initargs=(slots, niceness),
    )


def _begin_worker(slots: list[Path], niceness: int) -> None:
    """Leave it to the coordinator what to do about signals, and die when it dies."""
    note_and_survive()
    os.nice(niceness)
    use_slots(slots)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
