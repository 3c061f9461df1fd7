"""A Dask cluster for a server that outlives it: connected to again when it was lost."""

from __future__ import annotations

import threading
from concurrent.futures import Executor, Future
from contextlib import ExitStack
from typing import Any, Final

from thousand_referee.cluster.executor import DaskExecutor, cluster
from thousand_referee.errors import ClusterLost, ConfigError

SETTING: Final = "dask"
"""Where a server's settings name the scheduler."""

MATCHES_PER_WORKER: Final = 2
"""While one plays the next is there already."""


class LastingCluster(Executor):
    """Plays matches of several threads on a cluster's workers: see `DaskExecutor`.

    While the scheduler is gone, matches end with `ClusterLost`; one that is submitted when
    it is there again is played.

    Attributes:
        at_once: how many matches are handed out at a time.
    """

    def __init__(self, scheduler: str, jobs: int | None, *, needs_docker: bool) -> None:
        """Connect; ConfigError if no scheduler answers, or it has no worker that fits.

        `jobs` matches are handed out at a time, by default two for each worker there is.
        """
        self._scheduler = scheduler
        self._needs_docker = needs_docker
        self._lock = threading.Lock()
        self._connection = ExitStack()
        self._players: DaskExecutor | None = self._connect()
        self.at_once: Final = jobs or MATCHES_PER_WORKER * self._players.slots

    def end(self) -> None:
        """Nothing is to be done: matches that were handed out are finished."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Play a match."""
        with self._lock:
            try:
                if self._players is None:
                    self._connection.close()
                    self._players = self._connect()
                players = self._players
            except ConfigError as error:
                lost: Future[Any] = Future()
                lost.set_exception(ClusterLost(str(error)))
                return lost
        future = players.submit(fn, *args, **kwargs)
        future.add_done_callback(lambda done: self._look_at(done, players))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let go of the cluster."""
        with self._lock:
            self._connection.close()

    def _connect(self) -> DaskExecutor:
        connected = cluster(self._scheduler, needs_docker=self._needs_docker, setting=SETTING)
        return self._connection.enter_context(connected)

    def _look_at(self, done: Future[Any], players: DaskExecutor) -> None:
        """Connect anew next time, if the cluster was lost."""
        if isinstance(done.exception(), ClusterLost):
            # Not closed here: this is one of its own threads.
            with self._lock:
                if self._players is players:
                    self._players = None
