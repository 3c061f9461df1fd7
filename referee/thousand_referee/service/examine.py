"""Unpacks, builds and checks one submission: a process of its own, which can be killed.

It reads a `Task`, a JSON object on a line, from standard input, and ends when that is
closed: so it never outlives the server. It writes an `Event` on each line of standard
output, the last of them with a result.

    python -m thousand_referee.service.examine
"""

from __future__ import annotations

import os
import resource
import shutil
import sys
import threading
from pathlib import Path
from typing import IO, Any, Final

import msgspec

from thousand_referee.bots import BotFolder, read_bot
from thousand_referee.check.checker import check_bot
from thousand_referee.check.report import report_json
from thousand_referee.errors import BuildFailed, ConfigError, RefereeError, Unacceptable
from thousand_referee.service.config import Limits
from thousand_referee.service.unpacking import unpack
from thousand_referee.spec import Sandbox
from thousand_referee.submitted import State

_FILE_BYTES: Final = 2 << 30
"""No file this process writes may be larger."""


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be done; paths are absolute. `folder` is made anew.

    `known` are the versions of the bot that passed their check: they needn't again.
    """

    bot: str
    known: tuple[str, ...]
    archive: str
    folder: str
    builds: str
    limits: Limits
    sandbox: Sandbox


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """What came of it. `reason` is empty if the bot is ready; `report` may be there or not."""

    reason: str
    report: dict[str, Any] | None = None
    digest: str = ""
    command: tuple[str, ...] = ()
    description: str = ""


class Event(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something happened: a state was reached, something was said, or it is over.

    `trouble` is ours, not the bot's: the submission is to be examined again later.
    """

    state: State | None = None
    said: str = ""
    result: Result | None = None
    trouble: str = ""


def main() -> None:
    """Do the task that standard input tells."""
    # Whatever prints meanwhile goes to the server's log, not between the events.
    events = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    resource.setrlimit(resource.RLIMIT_FSIZE, (_FILE_BYTES, _FILE_BYTES))
    os.umask(0o022)
    task = msgspec.json.decode(sys.stdin.buffer.readline(), type=Task)
    threading.Thread(target=_end_with_server, daemon=True).start()
    examination = _Examination(task, events)
    try:
        examination.tell(Event(result=examination.run()))
    except (RefereeError, OSError) as error:
        examination.tell(Event(trouble=examination.without_places(str(error))))


class _Examination:
    """One task, and where its events go."""

    def __init__(self, task: Task, events: IO[bytes]) -> None:
        self._task = task
        self._events = events
        self._folder = Path(task.folder)
        self._copy = self._folder.with_name("checked")
        self._locked = task.sandbox.kind == "docker"

    def run(self) -> Result:
        """Do it; RefereeError or OSError for trouble that is ours."""
        self.tell(Event(state=State.BUILDING, said="unpacking"))
        for folder in (self._folder, self._copy):
            shutil.rmtree(folder, ignore_errors=True)
        try:
            count = unpack(Path(self._task.archive), self._folder, self._task.limits)
            self._say(f"{count} files")
            bot = read_bot(self._folder, in_container=self._locked)
        except Unacceptable as error:
            return Result(reason=f"the archive was refused: {error}")
        except ConfigError as error:
            return Result(reason=self.without_places(str(error)))
        if bot.version in self._task.known:
            self._say(f"version {bot.version} passed its check before")
            return _result(bot)
        if self._locked:
            problem = self._build(bot)
            if problem:
                return Result(reason=self.without_places(problem))
        return self._check(bot)

    def _check(self, bot: BotFolder) -> Result:
        """Check a copy, so that what the bot writes is no part of what is kept."""
        self.tell(Event(state=State.CHECKING))
        shutil.copytree(self._folder, self._copy)
        report = check_bot(self._copy, seed="check", sandbox=self._task.sandbox, say=self._say)
        problem = "" if report.problem is None else report.problem.cause
        if report.problem is not None and report.sitting is None:
            problem += f": {report.problem.detail}"
        told = {**report_json(report), "folder": self._task.bot, "name": self._task.bot}
        text = self.without_places(msgspec.json.encode(told).decode())
        return _result(bot, self.without_places(problem), msgspec.json.decode(text))

    def _build(self, bot: BotFolder) -> str:
        """Build the bot's image; give what is wrong with it. RefereeError for all else."""
        from thousand_referee.launch.images import build_images

        try:
            build_images([bot], self._task.sandbox, Path(self._task.builds), self._say)
        except BuildFailed as error:
            return str(error)
        return ""

    def without_places(self, text: str) -> str:
        """Take the server's folders out of a text."""
        for folder in (self._task.folder, str(self._copy)):
            text = text.replace(f"{folder}/", "").replace(folder, self._task.bot)
        return text.replace(f"{self._task.builds}/", "")

    def _say(self, text: str) -> None:
        self.tell(Event(said=self.without_places(text)))

    def tell(self, event: Event) -> None:
        """Write an event."""
        try:
            self._events.write(msgspec.json.encode(event) + b"\n")
            self._events.flush()
        except BrokenPipeError:  # the server has ended
            os._exit(1)


def _result(bot: BotFolder, reason: str = "", report: dict[str, Any] | None = None) -> Result:
    return Result(
        reason=reason,
        report=report,
        digest=bot.digest,
        command=bot.command,
        description=bot.description,
    )


def _end_with_server() -> None:
    """End when the server does: its end of the pipe is closed then, however it ends."""
    while os.read(sys.stdin.fileno(), 1024):  # not by `sys.stdin`, whose lock it would hold
        pass
    os._exit(1)


if __name__ == "__main__":
    main()
