"""Bots as plain processes of this machine, each with a keeper that cleans up after it."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

from thousand.client import ADDRESS_VARIABLE, TOKEN_VARIABLE
from thousand_referee.bots import INTERPRETER_NAMES
from thousand_referee.errors import MatchVoid
from thousand_referee.spec import BotVersion

OUTPUT_LIMIT: Final = 256 * 1024
"""Bytes kept of the beginning, and again of the end, of a bot's output."""

_KEEPER: Final = Path(__file__).with_name("keeper.py")


class ProcessLauncher:
    """Starts bots as processes with a clean environment. They are not locked in."""

    async def start(
        self, bot: BotVersion, *, address: str, token: str, output: Path
    ) -> RunningProcess:
        """Start a bot; see `launcher.Launcher`."""
        try:
            output.parent.mkdir(parents=True, exist_ok=True)
            keeper = subprocess.Popen(  # noqa: ASYNC220 - takes about a millisecond
                [sys.executable, "-I", "-S", str(_KEEPER)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            raise MatchVoid(f"can't start a process for {bot.name}: {error}") from error
        order = {
            "command": command_line(bot.command, Path(bot.folder)),
            "folder": bot.folder,
            "environment": bot_environment(address, token),
            "output": str(output),
            "output_limit": OUTPUT_LIMIT,
        }
        assert keeper.stdin is not None
        keeper.stdin.write(json.dumps(order).encode() + b"\n")
        keeper.stdin.flush()
        return RunningProcess(keeper)


class RunningProcess:
    """A bot's process, seen through its keeper.

    `cpu_ms` and `memory_kb` are known once `end` has returned: processor time of all
    its processes, and the most memory one of them held.
    """

    def __init__(self, keeper: subprocess.Popen[bytes]) -> None:
        self._keeper = keeper
        self._pid: int | None = None
        self.exited: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.cpu_ms = 0
        self.memory_kb = 0
        self._events = asyncio.create_task(self._follow())

    async def end(self) -> None:
        """Kill the bot and all it has started; see `launcher.RunningBot`."""
        assert self._keeper.stdin is not None
        self._keeper.stdin.close()
        await self._events
        await asyncio.to_thread(self._keeper.wait)

    async def _follow(self) -> None:
        """Read the keeper's events until it ends."""
        reader = asyncio.StreamReader()
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), self._keeper.stdout
        )
        gone = False
        while line := await reader.readline():
            event: dict[str, Any] = json.loads(line)
            if event["event"] == "started":
                self._pid = event["pid"]
            elif event["event"] == "exited":
                self._tell(_describe_exit(event["status"]))
            else:
                gone = True
                self.cpu_ms, self.memory_kb = event.get("cpu_ms", 0), event.get("memory_kb", 0)
        transport.close()
        if not gone:
            self._kill_group()
        self._tell("it was killed")

    def _kill_group(self) -> None:
        """The keeper itself was killed: do what can still be done."""
        if self._pid is not None:
            try:
                os.killpg(self._pid, signal.SIGKILL)
            except ProcessLookupError:
                return

    def _tell(self, how: str) -> None:
        if not self.exited.done():
            self.exited.set_result(how)


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
