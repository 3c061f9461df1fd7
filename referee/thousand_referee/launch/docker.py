"""Bots in Docker containers: locked in, measured out, and nothing left afterwards.

A container has no network, and of the machine it sees one socket, its seat's. All it
can write to is a small ``/tmp`` in its memory. Every container has a user id of its
own, so that what the kernel limits for each user (pipes, watches, signals) can't be
used up by one bot for the others.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import docker
from docker.types import LogConfig, Mount, Ulimit

from thousand_referee.errors import ContainerRefused, MatchVoid
from thousand_referee.launch.engine import (
    OWNER_LABEL,
    PATIENCE_SECONDS,
    EngineLost,
    inspect_state,
    is_alive,
    open_engine,
    owner,
    read_use,
    remove_container,
    sweep,
    translated,
)
from thousand_referee.launch.keeper import Output
from thousand_referee.launch.process import OUTPUT_LIMIT, bot_environment
from thousand_referee.launch.seccomp import seccomp_profile
from thousand_referee.spec import BotVersion, MatchSpec, Sandbox

SOCKET: Final = "/run/thousand.sock"
"""Where a bot finds its seat's socket."""

FIRST_USER: Final = 20_000
USERS: Final = 40_000
"""User ids of bots: from `FIRST_USER` on so many, which also a rootless engine has."""

FLOOD_BYTES: Final = 4 * OUTPUT_LIMIT
FLOOD_RATE: Final = 4_000_000
"""A bot's output beyond `FLOOD_BYTES` is taken at this rate (bytes a second), no faster.

So who floods waits for itself, and costs the referee and the engine little.
"""

_POLL_SECONDS: Final = (0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5)
_TMP_FILES: Final = 4_096


@contextmanager
def docker_launcher(spec: MatchSpec) -> Iterator[DockerLauncher]:
    """Give a launcher for a match; first remove what dead matches left.

    `MatchVoid` if no engine answers within `PATIENCE_SECONDS`.
    """
    with open_engine(PATIENCE_SECONDS) as api:
        sweep(api)
        yield DockerLauncher(api, spec.sandbox, spec.match)


class DockerLauncher:
    """Starts bots as containers of their images."""

    def __init__(self, api: docker.APIClient, sandbox: Sandbox, match: str) -> None:
        self._api = api
        self._sandbox = sandbox
        self._match = match
        self._starts = 0

    async def start(
        self, bot: BotVersion, *, address: str, token: str, output: Path
    ) -> RunningContainer:
        """Start a bot; see `launcher.Launcher`."""
        self._starts += 1
        user = FIRST_USER + (16 * os.getpid() + self._starts) % USERS
        host_socket = Path(address.removeprefix("unix:"))
        options = container_options(self._sandbox, user, host_socket)
        labels = {
            OWNER_LABEL: owner(),
            "thousand-arena.match": self._match,
            "thousand-arena.seat": host_socket.stem,
            "thousand-arena.bot": bot.name,
        }
        running = RunningContainer(self._api, _make_ready(host_socket, output), self._sandbox)
        launch = asyncio.ensure_future(
            asyncio.to_thread(running.launch, bot, token, user, options, labels)
        )
        try:
            await asyncio.shield(launch)
        except BaseException:
            giving_up = asyncio.ensure_future(_give_up(launch, running))
            while not giving_up.done():  # however often this is cancelled
                with suppress(asyncio.CancelledError):
                    await asyncio.wait((giving_up,))
            giving_up.result()
            raise
        running.follow()
        return running


async def _give_up(launch: asyncio.Future[None], running: RunningContainer) -> None:
    """Wait for the thread that launches: then the container is known, and removed."""
    await asyncio.wait((launch,))
    launch.exception()  # who launched knows it, or doesn't care any more
    await running.end()


class RunningContainer:
    """A bot's container.

    `cpu_ms` and `memory_kb` are what `measure` found: processor time of all its processes
    until then, and the most memory they held together when it was called.
    """

    def __init__(self, api: docker.APIClient, output: Output, sandbox: Sandbox) -> None:
        self._api = api
        self._output: Output | None = output
        self._sandbox = sandbox
        self._container: str | None = None
        self._socket: socket.socket | None = None
        self._events: asyncio.Task[None] | None = None
        self.exited: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.cpu_ms: int | None = None
        self.memory_kb: int | None = None

    def launch(
        self,
        bot: BotVersion,
        token: str,
        user: int,
        options: Mapping[str, Any],
        labels: Mapping[str, str],
    ) -> None:
        """Create the container, take hold of its output, and start it; blocks.

        `ContainerRefused` if the engine won't, `EngineLost` if there is none.
        """
        environment = {**bot_environment(f"unix:{SOCKET}", token), "USER": "bot"}
        del environment["PATH"]  # the image has its own
        with _as_refused(), translated(f"can't start {bot.name}"):
            created = self._api.create_container(
                bot.image,
                entrypoint=list(bot.command),
                user=f"{user}:{user}",
                hostname="bot",
                environment=environment,
                labels=dict(labels),
                healthcheck={"test": ["NONE"]},
                host_config=self._api.create_host_config(**options),
            )
            self._container = created["Id"]
            stream = self._api.attach_socket(
                self._container, {"stdout": 1, "stderr": 1, "stream": 1}
            )
            self._socket = socket.socket(fileno=os.dup(stream.fileno()))
            stream._response.close()  # noqa: SLF001 - nothing else lets go of the connection
            self._api.start(self._container)

    def measure(self) -> None:
        """Note what the bot uses while it runs; blocks. Afterwards nobody knows any more."""
        if self._container is None or self.exited.done():
            return
        with suppress(MatchVoid):
            found = read_use(self._api, self._container)
            if found is not None:
                self.cpu_ms, memory_kb = found
                self.memory_kb = max(memory_kb, self.memory_kb or 0)

    def follow(self) -> None:
        """Begin to drain the container's output, and to watch for its end."""
        self._events = asyncio.create_task(self._follow())

    async def end(self) -> None:
        """Kill and remove the container; see `launcher.RunningBot`.

        `EngineLost` if that can't be had now; it is then done before the next match.
        """
        try:
            if self._container is not None:
                await asyncio.to_thread(remove_container, self._api, self._container)
                self._container = None
        finally:
            if self._events is not None:
                self._events.cancel()
                await asyncio.wait((self._events,))
            if self._socket is not None:
                self._socket.close()
            if self._output is not None:
                self._output.close()
                self._output = None

    async def _follow(self) -> None:
        """Tell how the bot ended: its own doing, or that of the engine."""
        try:
            await self._drain()
            how = await self._wait()
        except MatchVoid as error:
            if not self.exited.done():
                self.exited.set_exception(error)
                self.exited.exception()  # nobody need ask for it
        else:
            if not self.exited.done():
                self.exited.set_result(how)

    async def _drain(self) -> None:
        """Take the bot's output until it closes it: frames of eight bytes and a text."""
        output = self._output
        assert output is not None
        reader, writer = await asyncio.open_unix_connection(sock=self._socket)
        try:
            while True:
                header = await reader.readexactly(8)
                left = int.from_bytes(header[4:])
                while left:
                    data = await reader.read(left)
                    if not data:
                        return
                    left -= len(data)
                    output.add(data)
                    if output.size > FLOOD_BYTES:
                        await asyncio.sleep(len(data) / FLOOD_RATE)
        except (asyncio.IncompleteReadError, OSError):
            return
        finally:
            writer.close()

    async def _wait(self) -> str:
        """Wait until the container has ended; say how. `EngineLost` if the engine has."""
        assert self._container is not None
        polls = iter(_POLL_SECONDS)
        while True:
            state = await asyncio.to_thread(inspect_state, self._api, self._container)
            if not state["Running"]:
                break
            await asyncio.sleep(next(polls, _POLL_SECONDS[-1]))
        if not await asyncio.to_thread(is_alive, self._api):
            raise EngineLost("Docker: the engine stopped in mid-match; start it again")
        return describe_exit(state, self._sandbox.memory_mb)


@contextmanager
def _as_refused() -> Iterator[None]:
    try:
        yield
    except EngineLost:
        raise
    except MatchVoid as error:
        raise ContainerRefused(str(error)) from error


def _make_ready(host_socket: Path, output: Path) -> Output:
    """Let the bot's user connect to the socket, and open the file for what it prints."""
    try:
        # Connecting needs the right to write; the socket's folder stays the referee's.
        host_socket.chmod(0o666)
        output.parent.mkdir(parents=True, exist_ok=True)
        return Output(str(output), OUTPUT_LIMIT)
    except OSError as error:
        raise MatchVoid(f"can't start a container: {error}") from error


def container_options(sandbox: Sandbox, user: int, host_socket: Path) -> dict[str, Any]:
    """Give what locks a bot in, in the words of docker-py's `create_host_config`."""
    memory = f"{sandbox.memory_mb}m"
    tmp = f"size={sandbox.tmp_mb}m,nr_inodes={_TMP_FILES},uid={user},gid={user}"
    return {
        "network_mode": "none",
        "ipc_mode": "none",
        "read_only": True,
        "tmpfs": {"/tmp": f"{tmp},mode=0700,noexec,nosuid,nodev"},
        "mounts": [Mount(SOCKET, str(host_socket), type="bind", read_only=True)],
        "cap_drop": ["ALL"],
        "security_opt": ["no-new-privileges", f"seccomp={seccomp_profile()}"],
        "mem_limit": memory,
        "memswap_limit": memory,
        "pids_limit": sandbox.pids,
        "nano_cpus": round(sandbox.cpus * 1e9),
        "cpuset_cpus": sandbox.cpuset or None,
        "ulimits": [
            Ulimit(name="nofile", soft=sandbox.open_files, hard=sandbox.open_files),
            Ulimit(name="core", soft=0, hard=0),
            Ulimit(name="msgqueue", soft=0, hard=0),
            Ulimit(name="memlock", soft=0, hard=0),
        ],
        "log_config": LogConfig(type=LogConfig.types.NONE),
        "init": True,
        "runtime": sandbox.runtime or None,
        "auto_remove": False,
    }


def describe_exit(state: Mapping[str, Any], memory_mb: int) -> str:
    """Say for people how a container ended: by itself, a signal, or want of memory."""
    status = int(state["ExitCode"])
    if state["OOMKilled"] and status:
        return f"it ran out of memory ({memory_mb} MB)"
    if status > 128:
        try:
            return f"it was killed by {signal.Signals(status - 128).name}"
        except ValueError:
            pass
    return f"it exited with status {status}"
