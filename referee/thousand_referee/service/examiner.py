"""The queue of submissions: examined one after the other, each in a process of its own."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from thousand_referee.data_folder import DataFolder
from thousand_referee.service.config import ServerConfig
from thousand_referee.service.examine import Event, Result, Task
from thousand_referee.service.submission_store import SubmissionStore
from thousand_referee.service.values import State, Submission, SubmittedVersion

_log: Final = logging.getLogger(__name__)

ATTEMPTS: Final = 3
"""A check that broke off so often is the bot's fault after all."""

RETRY_SECONDS: Final = 30.0
"""After trouble with the machine a submission waits so long, and lets others go first."""

_LOG_LINES: Final = 200
_LINE_LIMIT: Final = 4 << 20
"""Bytes of the longest line that the process may write; its report is one."""

Accepted = Callable[[Submission, SubmittedVersion], None]


class Examiner:
    """Takes submissions from the queue, until its task is cancelled.

    `accepted` is called, in a thread, with every submission that became a version.
    """

    def __init__(
        self, data: DataFolder, store: SubmissionStore, config: ServerConfig, accepted: Accepted
    ) -> None:
        self._data = data
        self._store = store
        self._config = config
        self._accepted = accepted
        self._work = asyncio.Event()
        self._broken: dict[str, int] = {}
        self._later: dict[str, float] = {}

    def wake(self) -> None:
        """Look at the queue: something was added."""
        self._work.set()

    async def run(self) -> None:
        """Examine what is queued, whenever something is."""
        again = await asyncio.to_thread(self._tidy)
        if again:
            _log.info("queued again: %d submissions", again)
        while True:
            self._work.clear()
            try:
                submission = await asyncio.to_thread(self._next)
                if submission is None:
                    await self._wait()
                else:
                    await self._examine(submission)
            except Exception as error:  # noqa: BLE001
                _log.error("the queue of submissions stands still: %s", error, exc_info=error)
                await asyncio.sleep(RETRY_SECONDS)

    def _next(self) -> Submission | None:
        """Give the submission whose turn it is."""
        now = time.monotonic()
        self._later = {name: until for name, until in self._later.items() if until > now}
        return self._store.next_queued(tuple(self._later))

    async def _wait(self) -> None:
        """Wait until something is queued, or one that had trouble may try again."""
        with suppress(TimeoutError):
            async with asyncio.timeout(RETRY_SECONDS if self._later else None):
                await self._work.wait()

    def _tidy(self) -> int:
        """Queue again what was interrupted, and remove what belongs to no submission."""
        again = self._store.queue_again()
        for path in self._data.incoming.iterdir():
            submission = self._store.submission(path.name.removesuffix(".tar.gz"))
            if submission is None or submission.state is not State.QUEUED:
                _remove(path)
        return again

    async def _examine(self, submission: Submission) -> None:
        archive = self._data.incoming / f"{submission.id}.tar.gz"
        work = self._data.incoming / submission.id
        bot = await asyncio.to_thread(self._store.bot, submission.bot)
        task = Task(
            bot=submission.bot,
            known=() if bot is None else tuple(each.version for each in bot.versions),
            archive=str(archive),
            folder=str(work / "bot"),
            builds=str(self._data.builds),
            limits=self._config.limits,
            sandbox=self._config.sandbox,
        )
        _log.info("examining %s", submission.id, extra={"bot": submission.bot})
        await asyncio.to_thread(self._store.change, submission.id, State.BUILDING, "")
        result: Result | None
        try:
            result = await self._run(submission, task)
        except _BrokeOff as error:
            result = self._broke_off(submission, str(error))
        except _Trouble as error:
            _log.error("%s can't be checked: %s", submission.id, error)
            self._later[submission.id] = time.monotonic() + RETRY_SECONDS
            result = None
        if result is None:
            await asyncio.to_thread(self._store.change, submission.id, State.QUEUED)
            return
        await asyncio.to_thread(self._finish, submission, result, work)
        _remove(archive)
        _remove(work)

    async def _run(self, submission: Submission, task: Task) -> Result:
        """Run the process; `_BrokeOff` if it ends without a result, or `_Trouble`."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "thousand_referee.service.examine",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            start_new_session=True,
            limit=_LINE_LIMIT,
        )
        try:
            async with asyncio.timeout(self._config.limits.check_seconds):
                return await self._follow(submission, process, task)
        except TimeoutError:
            seconds = self._config.limits.check_seconds
            return Result(reason=f"building and checking it took more than {seconds} s")
        except (ValueError, msgspec.MsgspecError) as error:
            raise _BrokeOff(f"its process wrote nonsense ({error})") from None
        finally:
            # The process watches over its bots, and they end with it.
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()

    async def _follow(
        self, submission: Submission, process: asyncio.subprocess.Process, task: Task
    ) -> Result:
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(ConnectionError):
            process.stdin.write(msgspec.json.encode(task) + b"\n")
            await process.stdin.drain()
        state, said = State.BUILDING, list[str]()
        while line := await process.stdout.readline():
            event = msgspec.json.decode(line, type=Event)
            if event.trouble:
                raise _Trouble(event.trouble)
            if event.result is not None:
                return event.result
            state = event.state or state
            if event.said:
                said = [*said, event.said][-_LOG_LINES:]
            await asyncio.to_thread(self._store.change, submission.id, state, "\n".join(said))
        raise _BrokeOff(f"its process ended with status {await process.wait()}")

    def _broke_off(self, submission: Submission, how: str) -> Result | None:
        """Give a refusal when this happened too often; None to try again."""
        attempts = self._broken[submission.id] = self._broken.get(submission.id, 0) + 1
        _log.warning("the check of %s broke off: %s", submission.id, how)
        if attempts < ATTEMPTS:
            return None
        return Result(reason=f"its check broke off {attempts} times: {how}")

    def _finish(self, submission: Submission, result: Result, work: Path) -> None:
        """Note what came of it; a bot that is ready gets its folder first."""
        if result.reason:
            _log.info("refused %s: %s", submission.id, result.reason)
            self._store.refuse(submission.id, result.reason, result.report)
            return
        version = result.digest[:16]
        home = self._data.bots / submission.bot / version
        if not home.exists():
            home.parent.mkdir(parents=True, exist_ok=True)
            os.sync()  # its files are on the disk before its name is
            (work / "bot").rename(home)
            _sync(home.parent)
        accepted = self._store.accept(
            submission.id,
            {
                "version": version,
                "digest": result.digest,
                "command": list(result.command),
                "description": result.description,
            },
            result.report,
        )
        _log.info("accepted %s", submission.id, extra={"bot": submission.bot, "version": version})
        if accepted is not None:
            self._accepted(submission, accepted)


class _BrokeOff(Exception):
    """The process ended before it was done."""


class _Trouble(Exception):
    """The machine fails, such as its Docker engine or its disk; that is no bot's doing."""


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _sync(folder: Path) -> None:
    """Make what was renamed outlast a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
