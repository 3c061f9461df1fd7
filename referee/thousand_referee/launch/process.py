"""Bots as plain processes of this machine, each with a keeper that cleans up after it."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from thousand.client import ADDRESS_VARIABLE, TOKEN_VARIABLE
from thousand_referee.bots import INTERPRETER_NAMES
from thousand_referee.errors import MatchVoid
from thousand_referee.spec import BotVersion

OUTPUT_LIMIT: Final = 256 * 1024
"""Bytes kept of the beginning, and again of the end, of a bot's output."""

KEEPER_SECONDS: Final = 15.0
"""A keeper that has not ended so long after it should is killed: more than it needs itself."""

_KEEPER: Final = Path(__file__).with_name("keeper.py")


class ProcessLauncher:
    """Starts bots as processes with a clean environment. They are not locked in."""

    async def start(
        self, bot: BotVersion, *, address: str, token: str, output: Path
    ) -> RunningProcess:
        """Start a bot; see `launcher.Launcher`."""
        order = {
            "command": command_line(bot.command, Path(bot.folder)),
            "folder": bot.folder,
            "environment": bot_environment(address, token),
            "output": str(output),
            "output_limit": OUTPUT_LIMIT,
        }
        try:
            output.parent.mkdir(parents=True, exist_ok=True)
            keeper = subprocess.Popen(  # noqa: ASYNC220 - takes about a millisecond
                [sys.executable, "-I", "-S", str(_KEEPER)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                # The bot can read its keeper's environment, the referee's may have secrets.
                env={},
                start_new_session=True,
            )
            assert keeper.stdin is not None
            keeper.stdin.write(json.dumps(order).encode() + b"\n")
            keeper.stdin.flush()
        except OSError as error:
            raise MatchVoid(f"can't start a process for {bot.name}: {error}") from error
        return RunningProcess(keeper, token)


class RunningProcess:
    """A bot's process, seen through its keeper.

    The keeper leaves nothing of the bot behind. It can't help being killed or stopped
    by the bot, though, which has the same rights; then what shows the bot's token in
    its environment is searched for from here.

    `cpu_ms` and `memory_kb` are known once `end` has returned: processor time of all
    its processes, and the most memory one of them held. So is `left`, the number of
    processes that were still there when the bot's own had exited.
    """

    def __init__(self, keeper: subprocess.Popen[bytes], token: str) -> None:
        self._keeper = keeper
        self._token = token
        self._pid: int | None = None
        self._is_clean = False
        self.exited: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.cpu_ms = 0
        self.memory_kb = 0
        self.left = 0
        self._events = asyncio.create_task(self._follow())

    async def end(self) -> None:
        """Kill the bot and all it has started; see `launcher.RunningBot`."""
        assert self._keeper.stdin is not None
        self._keeper.stdin.close()
        self._keeper.send_signal(signal.SIGCONT)
        done, _ = await asyncio.wait((self._events,), timeout=KEEPER_SECONDS)
        if not done:
            self._keeper.kill()
            await asyncio.wait((self._events,))
        await asyncio.to_thread(self._keeper.wait)
        if not self._is_clean:
            await asyncio.to_thread(kill_leftovers, self._pid, self._token)

    async def _follow(self) -> None:
        """Read the keeper's events until it ends."""
        reader = asyncio.StreamReader()
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), self._keeper.stdout
        )
        try:
            while line := await reader.readline():
                self._note(json.loads(line))
        except (ValueError, TypeError, KeyError):
            # Somebody else wrote there: the bot, through /proc.
            self._keeper.kill()
        finally:
            transport.close()
            self._tell("its keeper was killed")

    def _note(self, event: dict[str, Any]) -> None:
        match event["event"]:
            case "started":
                self._pid = event["pid"]
            case "failed":
                if not self.exited.done():
                    self.exited.set_exception(MatchVoid(f"can't start a bot: {event['reason']}"))
            case "exited":
                self._tell(_describe_exit(event["status"]))
            case "gone":
                self._is_clean = event["clean"]
                self.cpu_ms, self.memory_kb = event["cpu_ms"], event["memory_kb"]
                self.left = event["left"]

    def _tell(self, how: str) -> None:
        if not self.exited.done():
            self.exited.set_result(how)


def kill_leftovers(group: int | None, token: str) -> None:
    """Kill a process group, and every process that was started with this token.

    For when the keeper could not do its work; gives up after `KEEPER_SECONDS`.
    """
    if group is not None:
        with suppress(OSError):
            os.killpg(group, signal.SIGKILL)
    marker = f"{TOKEN_VARIABLE}={token}".encode()
    end = time.monotonic() + KEEPER_SECONDS
    while (found := _started_with(marker)) and time.monotonic() < end:
        for pid in found:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.002)


def _started_with(marker: bytes) -> list[int]:
    """Find the living processes that have this in their environment."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with suppress(OSError):
                if marker in (folder / "environ").read_bytes().split(b"\0"):
                    found.append(int(folder.name))
    return found


def command_line(command: tuple[str, ...], folder: Path) -> list[str]:
    """Give the command line to run: ``python`` is the interpreter that runs this.

    A program named by a path is looked for in the bot's folder, any other on PATH.
    """
    program = command[0]
    if program in INTERPRETER_NAMES:
        program = sys.executable
    elif "/" in program:
        program = str(folder / program)
    return [program, *command[1:]]


def bot_environment(address: str, token: str) -> dict[str, str]:
    """Give the environment of a bot: nothing of the referee's own but the search path.

    Python bots hash alike in every process, so that sets repeat their order.
    """
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "LANG": "C.UTF-8",
        "HOME": "/tmp",
        "PYTHONHASHSEED": "0",
        "PYTHONUNBUFFERED": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "GRPC_ENABLE_FORK_SUPPORT": "0",
        ADDRESS_VARIABLE: address,
        TOKEN_VARIABLE: token,
    }


def _describe_exit(status: int) -> str:
    if status >= 0:
        return f"it exited with status {status}"
    try:
        return f"it was killed by {signal.Signals(-status).name}"
    except ValueError:
        return f"it was killed by signal {-status}"
