"""The arena server: one process with the API, the pages, the queue and the tournaments."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import socket
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from thousand_referee.service.methods import METHODS, SERVICE  # before grpc: it prepares that

# isort: split

import grpc
import grpc.aio
import uvicorn
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from thousand_referee.errors import ConfigError, DataError, RefereeError
from thousand_referee.fits import LEAST_SECONDS, Fitted, fit_snapshot
from thousand_referee.service.access import Gate
from thousand_referee.service.accounts import Accounts
from thousand_referee.service.api import ArenaApi
from thousand_referee.service.config import ServerConfig, split_address
from thousand_referee.service.examiner import Examiner
from thousand_referee.service.keepsakes import Keepsakes
from thousand_referee.service.metrics import Metrics
from thousand_referee.service.run import ArenaWatcher
from thousand_referee.service.shared_executor import SharedExecutor
from thousand_referee.service.submission_store import SubmissionStore
from thousand_referee.service.tournaments import Tournaments
from thousand_referee.store.engine import location_of
from thousand_referee.submitted import Submission, SubmittedVersion
from thousand_referee.tournament import Arena, open_arena
from thousand_referee.tournament_file import TournamentFile
from thousand_referee.web.app import make_app

if TYPE_CHECKING:  # Dask need not be there
    from thousand_referee.cluster.lasting import LastingCluster

_log: Final = logging.getLogger(__name__)

GRACE_SECONDS: Final = 2
"""Calls and requests under way may take so long when the server stops."""

_OPTIONS: Final = (
    ("grpc.so_reuseport", 0),
    ("grpc.max_receive_message_length", 1 << 20),
    ("grpc.max_metadata_size", 16 * 1024),
    ("grpc.max_concurrent_streams", 200),
)

Ready = Callable[[str, str], None]


def serve(config: ServerConfig, ready: Ready) -> None:
    """Run a server until a signal stops it; ConfigError or DataError if it can't start.

    `ready` is called with the addresses of the API and of the pages when both answer.
    The first SIGTERM or SIGINT lets the matches under way finish, a second one doesn't.
    """
    files = config.read_tournaments()
    with (
        open_arena(Path(config.data), config.store or None, create=True) as arena,
        arena.data.lock_server(),
        _players(config, files) as players,
    ):
        for folder in (arena.data.incoming, arena.data.bots):
            folder.mkdir(exist_ok=True)
        tournaments = partial(Tournaments, arena, files, players)
        asyncio.run(_Server(config, arena, tournaments).run(ready))


class _Server:
    """All parts of a server, and the order in which they start and stop."""

    def __init__(
        self,
        config: ServerConfig,
        arena: Arena,
        tournaments: Callable[[ArenaWatcher], Tournaments],
    ) -> None:
        self._config = config
        self._arena = arena
        self._submissions = SubmissionStore(arena.store)
        self._metrics = Metrics(self._submissions)
        self._tournaments = tournaments(self._metrics)
        self._fitter = SharedExecutor(1, ahead=0)
        self._standings = Fitted(
            self._fitter,
            location_of(arena.store.engine),
            fit_snapshot,
            LEAST_SECONDS,
            told=self._metrics.standings_fitted,
        )
        self._keepsakes = Keepsakes(arena)
        if not Accounts(arena.store).users():
            _log.warning(
                "no users in %s: thousand user add NAME --config FILE, with this server's "
                "settings, adds one",
                arena.data.path,
            )
        self._stopping = asyncio.Event()

    async def run(self, ready: Ready) -> None:
        """Start, serve until it is to stop, and stop."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._on_signal)
        examiner = Examiner(self._arena.data, self._submissions, self._config, self._accepted)
        self._keepsakes.start()
        try:
            await asyncio.to_thread(examiner.tidy)
            await asyncio.to_thread(self._check_sandbox)
            await asyncio.to_thread(self._tournaments.prepare)
            await asyncio.to_thread(self._enter_again)
            examining = asyncio.create_task(examiner.run())
            async with self._pages() as http, self._api(examiner, http) as listen:
                # No match is begun before it is sure that the ports can be had.
                self._tournaments.start()
                ready(listen, self._config.address.rstrip("/") or http)
                await self._stopping.wait()
                _log.info("stopping: finishing the matches under way")
                self._tournaments.drain()
            examining.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await examining
            await asyncio.to_thread(self._tournaments.join)
        finally:
            self._tournaments.drain()
            await asyncio.to_thread(self._fitter.shutdown, True, cancel_futures=True)
            await asyncio.to_thread(self._keepsakes.end)
        _log.info("stopped")

    def _check_sandbox(self) -> None:
        """Refuse (ConfigError) to start where no submission could be checked."""
        if self._config.sandbox.kind == "docker":
            from thousand_referee.launch.images import runtime_image

            runtime_image(self._config.sandbox, self._arena.data.builds, _log.info)

    def _on_signal(self) -> None:
        if self._stopping.is_set():
            _log.warning("stopped at once; matches under way will be played again")
            os._exit(130)
        self._stopping.set()

    def _enter_again(self) -> None:
        """Enter what was accepted by a server that didn't live to enter it."""
        for submission in self._submissions.not_entered():
            self._enter(submission, submission.number)

    def _accepted(self, submission: Submission, version: SubmittedVersion) -> None:
        """Enter a bot where its author wanted it to be, now that it is ready."""
        self._enter(submission, version.number)

    def _enter(self, submission: Submission, number: int | None) -> None:
        if submission.tournament is None or number is None:
            return
        try:
            self._tournaments.enter(submission.tournament, submission.bot, number)
        except DataError as error:
            _log.error("%s is entered at the next start: %s", submission.id, error)
        except RefereeError as error:
            self._submissions.note(submission.id, f"ready, but not entered: {error}")

    @asynccontextmanager
    async def _api(self, examiner: Examiner, http: str) -> AsyncIterator[str]:
        """Serve the API, which tells people of pages at `http`; give its address."""
        server = grpc.aio.server(options=_OPTIONS, interceptors=[Gate(self._submissions)])
        api = ArenaApi(
            self._arena,
            self._submissions,
            self._tournaments,
            examiner,
            self._standings,
            self._config.limits,
            self._config.address or http,
        )
        handlers = {name: method.handler(getattr(api, name)) for name, method in METHODS.items()}
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, handlers),))
        state = health.aio.HealthServicer()
        health_pb2_grpc.add_HealthServicer_to_server(state, server)
        await state.set(SERVICE, health_pb2.HealthCheckResponse.SERVING)
        names = (SERVICE, health.SERVICE_NAME, reflection.SERVICE_NAME)
        reflection.enable_server_reflection(names, server)
        host, _ = split_address(self._config.listen) or ("", 0)
        try:
            if self._config.tls is None:
                port = server.add_insecure_port(self._config.listen)
            else:
                port = server.add_secure_port(self._config.listen, _credentials(self._config))
            await server.start()
        except RuntimeError as error:
            raise ConfigError(
                f"listen: can't use {self._config.listen} ({error}); choose another port"
            ) from None
        try:
            yield f"{host}:{port}"
        finally:
            await state.enter_graceful_shutdown()
            await server.stop(GRACE_SECONDS)

    @asynccontextmanager
    async def _pages(self) -> AsyncIterator[str]:
        """Serve the pages; give their URL."""
        host, port = split_address(self._config.http) or ("", 0)
        tls: dict[str, Any] = {}
        if self._config.tls is not None:
            tls = {
                "ssl_certfile": self._config.tls.certificate,
                "ssl_keyfile": self._config.tls.key,
            }
        server = _Uvicorn(
            uvicorn.Config(
                make_app(
                    self._arena,
                    self._submissions,
                    metrics=self._metrics.app,
                    executor=self._fitter,
                    snapshots=self._standings,
                ),
                host=host,
                port=port,
                log_config=None,
                timeout_graceful_shutdown=GRACE_SECONDS,
                server_header=False,
                **tls,
            )
        )
        bound = _bind(self._config.http, host, port)
        serving = asyncio.create_task(server.serve(sockets=[bound]))
        try:
            port = bound.getsockname()[1]
            while not server.started:
                if serving.done():
                    raise ConfigError(f"http: can't serve {self._config.http}; the log says why")
                await asyncio.sleep(0.02)
            yield f"{'https' if tls else 'http'}://{host}:{port}"
        finally:
            server.should_exit = True
            with contextlib.suppress(SystemExit):
                await serving


@contextmanager
def _players(
    config: ServerConfig, files: Iterable[TournamentFile]
) -> Iterator[SharedExecutor | LastingCluster]:
    """Give what plays the matches; ConfigError if that is a cluster that isn't there."""
    players: SharedExecutor | LastingCluster
    if config.dask:
        try:
            from thousand_referee.cluster.lasting import LastingCluster
        except ImportError:
            raise ConfigError("dask: Dask is missing; install thousand-arena[dask]") from None
        needs_docker = any(file.sandbox.kind == "docker" for file in files)
        players = LastingCluster(config.dask, config.jobs, needs_docker=needs_docker)
    else:
        players = SharedExecutor(config.jobs or max(1, (os.cpu_count() or 1) // 2))
    try:
        yield players
    finally:
        players.shutdown()


def _bind(address: str, host: str, port: int) -> socket.socket:
    """Bind the pages' port, since uvicorn would end the process if it can't."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise ConfigError(
            f"http: can't use {address} ({error.strerror}); choose another port"
        ) from None


class _Uvicorn(uvicorn.Server):
    """A web server that leaves signals to the server around it."""

    @contextlib.contextmanager
    def capture_signals(self) -> Any:
        """Capture none."""
        yield


def _credentials(config: ServerConfig) -> grpc.ServerCredentials:
    assert config.tls is not None
    key = Path(config.tls.key).read_bytes()
    certificate = Path(config.tls.certificate).read_bytes()
    return grpc.ssl_server_credentials([(key, certificate)])
