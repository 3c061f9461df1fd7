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
from typing import Any, Final

import msgspec

from thousand_referee.bots import BotFolder, read_bot
from thousand_referee.check.checker import check_bot
from thousand_referee.check.report import report_json
from thousand_referee.errors import ConfigError, RefereeError, Unacceptable
from thousand_referee.service.config import Limits
from thousand_referee.service.unpacking import unpack
from thousand_referee.service.values import State
from thousand_referee.spec import Sandbox

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
    resource.setrlimit(resource.RLIMIT_FSIZE, (_FILE_BYTES, _FILE_BYTES))
    os.umask(0o022)
    task = msgspec.json.decode(sys.stdin.buffer.readline(), type=Task)
    threading.Thread(target=_end_with_server, daemon=True).start()
    try:
        _tell(Event(result=_examine(task)))
    except (RefereeError, OSError) as error:
        _tell(Event(trouble=str(error)))


def _examine(task: Task) -> Result:
    folder = Path(task.folder)
    _tell(Event(state=State.BUILDING, said="unpacking"))
    shutil.rmtree(folder, ignore_errors=True)
    try:
        count = unpack(Path(task.archive), folder, task.limits)
        _tell(Event(said=f"{count} files"))
        bot = read_bot(folder, in_container=task.sandbox.kind == "docker")
    except Unacceptable as error:
        return Result(reason=f"the archive was refused: {error}")
    except ConfigError as error:
        return Result(reason=_without(task, str(error)))
    if bot.version in task.known:
        _tell(Event(said=f"version {bot.version} passed its check before"))
        return _result(bot)
    if task.sandbox.kind == "docker":
        problem = _build(task, bot)
        if problem:
            return Result(reason=_without(task, problem))
    _tell(Event(state=State.CHECKING))
    report = check_bot(folder, seed="check", sandbox=task.sandbox, say=_say)
    told = {**report_json(report), "folder": task.bot, "name": task.bot}
    problem = "" if report.problem is None else report.problem.cause
    if read_bot(folder, in_container=True).digest != bot.digest:
        problem = "its files changed while it was checked; a bot must not write into its folder"
    told = msgspec.json.decode(_without(task, msgspec.json.encode(told).decode()))
    return _result(bot, _without(task, problem), told)


def _result(bot: BotFolder, reason: str = "", report: dict[str, Any] | None = None) -> Result:
    return Result(
        reason=reason,
        report=report,
        digest=bot.digest,
        command=bot.command,
        description=bot.description,
    )


def _build(task: Task, bot: BotFolder) -> str:
    """Build the bot's image; give what is wrong with it. RefereeError if the engine is."""
    from thousand_referee.launch.engine import check_engine, open_engine
    from thousand_referee.launch.images import build_images

    with open_engine() as api:
        check_engine(api, task.sandbox)
    try:
        build_images([bot], task.sandbox, Path(task.builds), _say)
    except ConfigError as error:
        return str(error)
    return ""


def _without(task: Task, text: str) -> str:
    """Take the server's folders out of a text."""
    text = text.replace(f"{task.folder}/", "").replace(task.folder, task.bot)
    return text.replace(f"{task.builds}/", "")


def _say(text: str) -> None:
    _tell(Event(said=text))


def _tell(event: Event) -> None:
    try:
        sys.stdout.buffer.write(msgspec.json.encode(event) + b"\n")
        sys.stdout.buffer.flush()
    except BrokenPipeError:  # the server has ended
        os._exit(1)


def _end_with_server() -> None:
    """End when the server does: its end of the pipe is closed then, however it ends."""
    sys.stdin.buffer.read()
    os._exit(1)


if __name__ == "__main__":
    main()
