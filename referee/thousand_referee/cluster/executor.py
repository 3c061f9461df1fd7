"""The workers of a Dask cluster, behind the standard `concurrent.futures.Executor`.

Each bot's files go to the scheduler once, as the input of a task that gives them back; so
workers get them from each other, and when those that had them are lost, once more from the
scheduler. A lost worker's matches are given to others by Dask, and after a few losses by
the coordinator. What a task that nobody waits for any more still does is lost: `cancel`
doesn't stop it, but its log stays where it is.
"""

from __future__ import annotations

import os
import socket
import threading
import time
import warnings
from collections.abc import Iterator
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

from distributed import Client, KilledWorker
from distributed.client import ClosedClientError
from distributed.comm.core import CommClosedError

from thousand_referee.bots import read_bot
from thousand_referee.cluster.bundle import pack
from thousand_referee.cluster.worker import Played, play_here, program_version
from thousand_referee.errors import (
    BotChanged,
    ClusterLost,
    ConfigError,
    DataError,
    MatchVoid,
    RefereeError,
)
from thousand_referee.match import play_match
from thousand_referee.matchlog.reader import read_log
from thousand_referee.matchlog.summary import MatchSummary, summarize
from thousand_referee.matchlog.writer import FINISHED_SUFFIX
from thousand_referee.spec import BotVersion, MatchSpec

DOCKER: Final = "docker"
"""The resource that workers with a Docker engine offer: one for each match at a time."""

CONNECT_SECONDS: Final = 20
NO_WORKER_SECONDS: Final = 300
"""So long may there be no worker that fits; Dask itself would wait for ever."""

_LOOK_SECONDS: Final = 2.0
_GONE: Final = (ClosedClientError, CommClosedError)
_LOST: Final = (
    "the Dask scheduler is gone, or let go of the matches; start it and its workers, then run "
    "again to resume"
)


class DaskExecutor(Executor):
    """Plays matches, and nothing else, on a cluster's workers.

    What comes back is what `play_match` gives and raises here: the log is in the spec's
    folder before the future is done. `RefereeError` when the scheduler is gone, or there
    was no worker that fits for a while.
    """

    def __init__(
        self,
        client: Client,
        *,
        needs_docker: bool = False,
        home: str = "",
        patience_seconds: float = NO_WORKER_SECONDS,
    ) -> None:
        """Use a client; `home` is where workers unpack bots, else in Dask's own folders.

        A match with bots in containers goes to workers that offer `DOCKER`; with
        `needs_docker` no others count as there.
        """
        self._client = client
        self._needs_docker = needs_docker
        self._home = home
        self._patience_seconds = patience_seconds
        self._executors = {
            locked: client.get_executor(  # type: ignore[no-untyped-call]
                pure=False, retries=0, **({"resources": {DOCKER: 1}} if locked else {})
            )
            for locked in (False, True)
        }
        self._bundles: dict[str, tuple[str, Any]] = {}
        self._sending = threading.Lock()
        # Logs are written here, and not by the thread that talks to the scheduler.
        self._receiver = ThreadPoolExecutor(1, "receiver")
        self._waiting: dict[Future[MatchSummary], Future[Played]] = {}
        self._is_lost = False
        self._ended = threading.Event()
        self._watch = threading.Thread(target=self._watch_workers, daemon=True)
        self._watch.start()

    @property
    def slots(self) -> int:
        """How many matches the workers that fit can play at the same time, now."""
        return sum(
            min(worker["nthreads"], int(worker["resources"].get(DOCKER, 0)))
            if self._needs_docker
            else int(worker["nthreads"])
            for worker in self._client.scheduler_info(n_workers=-1)["workers"].values()
        )

    @property
    def is_lost(self) -> bool:
        """Whether the scheduler is gone for good, or has forgotten what it was given."""
        return self._is_lost or self._client.status not in ("running", "connecting")

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Play a match: `fn` is `play_match`, and its argument a spec.

        `ClusterLost` if the scheduler is known to be gone.
        """
        (spec,) = args
        if fn is not play_match or kwargs or not isinstance(spec, MatchSpec):
            raise TypeError("this executor plays matches only")
        outer: Future[MatchSummary] = Future()
        outer.set_running_or_notify_cancel()
        try:
            digests, bundles = zip(*map(self._bundle_of, spec.bots), strict=True)
            inner = self._executors[spec.sandbox.kind == "docker"].submit(
                play_here, spec, digests, program_version(), self._home, *bundles
            )
        except BotChanged as error:
            outer.set_exception(error)
            return outer
        except _GONE:
            self._is_lost = True
            raise ClusterLost(_LOST) from None
        self._waiting[outer] = inner
        inner.add_done_callback(
            lambda done: self._receiver.submit(self._receive, done, spec, outer)
        )
        return outer

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let go of the cluster; matches under way are not waited for."""
        self._ended.set()
        if not wait or cancel_futures:
            for executor in self._executors.values():
                with suppress(*_GONE):
                    executor.shutdown(wait=False)
        self._receiver.shutdown(wait=wait)
        if wait:
            self._watch.join()

    def _bundle_of(self, bot: BotVersion) -> tuple[str, Any]:
        """Give a bot's digest, and its files on the cluster, where the first match brings them.

        `BotChanged` if its files aren't those of its version any more.
        """
        with self._sending:
            if bot.version not in self._bundles:
                try:
                    bundle = pack(Path(bot.folder))
                    digest = read_bot(Path(bot.folder), in_container=True).digest
                except ConfigError as error:
                    raise BotChanged(bot.name, bot.folder, bot.version, str(error)) from None
                if not digest.startswith(bot.version):
                    raise BotChanged(bot.name, bot.folder, bot.version, digest[:16])
                with warnings.catch_warnings():
                    warnings.filterwarnings("ignore", message="Sending large graph")
                    sent = self._client.submit(bytes, bundle, key=f"thousand-bot-{digest}")
                self._bundles[bot.version] = digest, sent
            return self._bundles[bot.version]

    def _receive(self, done: Future[Played], spec: MatchSpec, outer: Future[MatchSummary]) -> None:
        """Write what came back, and settle the future that the coordinator has."""
        if outer not in self._waiting:  # given up by the watch, and perhaps played again
            return
        try:
            summary = _enter(spec, _outcome(done))
        except BaseException as error:  # noqa: BLE001 - whatever it is, the coordinator hears it
            self._is_lost = self._is_lost or isinstance(error, ClusterLost)
            self._settle(outer, partial(outer.set_exception, error))
        else:
            self._settle(outer, partial(outer.set_result, summary))

    def _settle(self, outer: Future[MatchSummary], how: Any) -> None:
        if self._waiting.pop(outer, None) is not None:
            how()

    def _watch_workers(self) -> None:
        """Give up what is waited for when there is nobody to do it."""
        seen = time.monotonic()
        while not self._ended.wait(min(_LOOK_SECONDS, self._patience_seconds)):
            try:
                has_workers = self.slots > 0
            except Exception:  # noqa: BLE001 - the scheduler is gone or doesn't answer
                has_workers = False
            now = time.monotonic()
            if has_workers or not self._waiting:
                seen = now
            elif now - seen >= self._patience_seconds:
                error = RefereeError(
                    f"no worker {_named(self._needs_docker)}for {self._patience_seconds:.0f} s; "
                    "start some, then run again to resume"
                )
                for outer, inner in tuple(self._waiting.items()):
                    self._settle(outer, partial(outer.set_exception, error))
                    inner.cancel()


def _named(needs_docker: bool) -> str:
    return f"that offers {DOCKER!r} as a resource " if needs_docker else ""


@contextmanager
def cluster(
    scheduler: str,
    *,
    needs_docker: bool = False,
    wait_seconds: float = CONNECT_SECONDS,
    setting: str = "--scheduler",
) -> Iterator[DaskExecutor]:
    """Give an executor on the cluster of a scheduler, ``tcp://HOST:PORT``.

    ConfigError if none answers there, or if it has no worker that fits for `wait_seconds`;
    `setting` is what people correct then.
    """
    import logging

    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        _knock(scheduler)
        client = Client(  # type: ignore[no-untyped-call]
            scheduler, timeout=CONNECT_SECONDS, set_as_default=False
        )
    except (OSError, ValueError, TypeError, RuntimeError) as error:
        raise ConfigError(
            f"{setting}: no Dask scheduler answers at {scheduler!r} ({error}); start one, or "
            "correct the address: tcp://HOST:PORT"
        ) from None
    try:
        executor = DaskExecutor(client, needs_docker=needs_docker)
        try:
            end = time.monotonic() + wait_seconds
            while not executor.slots and time.monotonic() < end:
                time.sleep(0.1)
            if not executor.slots:
                raise ConfigError(
                    f"{setting}: the cluster at {scheduler} has no worker "
                    f"{_named(needs_docker)}yet; start one: dask worker {scheduler} --nthreads 1"
                    + (f" --resources {DOCKER}=1" if needs_docker else "")
                )
            yield executor
        finally:
            executor.shutdown(cancel_futures=True)
    finally:
        client.close()  # type: ignore[no-untyped-call]


def _knock(scheduler: str) -> None:
    """Raise OSError or ValueError if nobody listens there, which Dask tries for long."""
    kind, _, rest = scheduler.rpartition("://")
    host, _, port = rest.rpartition(":")
    if kind not in ("", "tcp", "tls") or not host or not port.isdecimal():
        raise ValueError("no such address")
    socket.create_connection((host.strip("[]"), int(port)), CONNECT_SECONDS).close()


def _outcome(done: Future[Played]) -> Played:
    """Give a task's result; what its machine did wrong makes the match void."""
    try:
        return done.result()
    except (MatchVoid, BotChanged):
        raise
    except CancelledError:
        raise ClusterLost(_LOST) from None
    except KilledWorker as error:
        raise MatchVoid(f"its workers were lost ({error.allowed_failures + 1} times)") from None
    except Exception as error:  # noqa: BLE001 - a worker without the package, say
        text = " ".join(f"{type(error).__name__}: {error}".split())
        raise MatchVoid(f"a worker failed: {text[:500]}") from None


def _enter(spec: MatchSpec, played: Played) -> MatchSummary:
    """Write a match's log, whole or not at all, and its bots' output; give what it says."""
    logs, output = Path(spec.log_dir), Path(spec.output_dir) / spec.match
    final = logs / (spec.match + FINISHED_SUFFIX)
    fresh = logs / f".{spec.match}.gz"  # not a name that looks like a log's
    try:
        for name, content in played.outputs:
            output.mkdir(parents=True, exist_ok=True)
            (output / Path(name).name).write_bytes(content)
        logs.mkdir(parents=True, exist_ok=True)
        with fresh.open("wb") as file:
            file.write(played.log)
            file.flush()
            os.fsync(file.fileno())
        try:
            summary = summarize(line for _, line in read_log(fresh))
        except (DataError, ValueError) as error:
            fresh.unlink()
            raise MatchVoid(f"its log arrived damaged: {error}") from None
        named = tuple((bot.name, bot.version) for bot in summary.bots)
        if (summary.match, named) != (spec.match, tuple((b.name, b.version) for b in spec.bots)):
            fresh.unlink()
            raise MatchVoid("the log of another match came back")
        fresh.replace(final)
        _sync_folder(logs)
    except OSError as error:
        raise DataError(
            f"can't write the match log {final}: {error.strerror or error}; free some space "
            "there, or choose a data folder that can be written"
        ) from error
    return summary


def _sync_folder(folder: Path) -> None:
    """Make a renaming in this folder outlast a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
