"""A Dask cluster for a server that outlives it: connected to again when it was lost."""

from __future__ import annotations

import threading
import time
from concurrent.futures import Executor, Future
from contextlib import ExitStack
from typing import Any, Final

from thousand_referee.cluster.executor import CONNECT_SECONDS, DaskExecutor, cluster
from thousand_referee.errors import ClusterLost, ConfigError

SETTING: Final = "dask"
"""Where a server's settings name the scheduler."""

MATCHES_PER_WORKER: Final = 2
"""While one plays the next is there already."""

AGAIN_SECONDS: Final = 10.0
"""After a failure nobody waits for the cluster again so soon; they are told at once."""

_WORKER_SECONDS: Final = 2.0


class LastingCluster(Executor):
    """Plays matches of several threads on a cluster's workers: see `DaskExecutor`.

    While the scheduler is gone, matches end with `ClusterLost`, and so does `submit`; one
    that is submitted when it is there again is played.

    Attributes:
        at_once: how many matches are handed out at a time.
    """

    def __init__(self, scheduler: str, jobs: int | None, *, needs_docker: bool) -> None:
        """Connect; ConfigError if no scheduler answers, or it has no worker that fits.

        `jobs` matches are handed out at a time, by default two for each worker there is.
        With `needs_docker` only workers with Docker count.
        """
        self._scheduler = scheduler
        self._needs_docker = needs_docker
        # Held while connecting. The cluster's own threads never want it.
        self._connecting = threading.Lock()
        self._connection = ExitStack()
        self._players = self._connect(CONNECT_SECONDS)
        self._failure = ""
        self._failed = float("-inf")
        self.at_once: Final = jobs or MATCHES_PER_WORKER * self._players.slots

    def end(self) -> None:
        """Nothing is to be done: matches that were handed out are finished."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Play a match; `ClusterLost` if that can't be now."""
        return self._connected().submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let go of the cluster."""
        with self._connecting:
            self._connection.close()

    def _connected(self) -> DaskExecutor:
        """Give what plays matches, connected anew if it was lost."""
        with self._connecting:
            if self._players.is_lost:
                if time.monotonic() - self._failed < AGAIN_SECONDS:
                    raise ClusterLost(self._failure)
                self._connection.close()
                try:
                    self._players = self._connect(_WORKER_SECONDS)
                except ConfigError as error:
                    self._failure, self._failed = str(error), time.monotonic()
                    raise ClusterLost(self._failure) from None
            return self._players

    def _connect(self, wait_seconds: float) -> DaskExecutor:
        connected = cluster(
            self._scheduler,
            needs_docker=self._needs_docker,
            wait_seconds=wait_seconds,
            setting=SETTING,
        )
        return self._connection.enter_context(connected)
