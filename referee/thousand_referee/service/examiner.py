"""The queue of submissions: examined one after the other, each in a process of its own."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from thousand_referee.data_folder import DataFolder
from thousand_referee.errors import DataError, RefereeError
from thousand_referee.service.config import ServerConfig
from thousand_referee.service.examine import Event, Result, Task
from thousand_referee.service.files import sync_folder
from thousand_referee.service.queue_order import QueueOrder
from thousand_referee.service.submission_store import SubmissionStore
from thousand_referee.submitted import State, Submission, SubmittedVersion

_log: Final = logging.getLogger(__name__)

ATTEMPTS: Final = 3
"""A check that broke off so often is the bot's fault after all."""

STORE_SECONDS: Final = 10.0
"""After trouble with the database the queue stands still so long."""

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
        self._order = QueueOrder()
        self._broken: dict[str, int] = {}
        self._is_tidy = True

    def wake(self) -> None:
        """Look at the queue: something was added."""
        self._work.set()

    def tidy(self) -> None:
        """Queue again what was interrupted, and remove what belongs to no submission; blocks.

        To be called before anything can be submitted, since that isn't in the queue at once.
        """
        again = self._store.queue_again()
        for path in self._data.incoming.iterdir():
            submission = self._store.submission(path.name.removesuffix(".tar.gz"))
            if submission is None or submission.state is not State.QUEUED:
                _remove(path)
        if again:
            _log.info("queued again: %d submissions", again)

    async def run(self) -> None:
        """Examine what is queued, whenever something is."""
        while True:
            self._work.clear()
            try:
                queued = await asyncio.to_thread(self._queued)
            except RefereeError as error:
                _log.error("the queue of submissions stands still: %s", error)
                await asyncio.sleep(STORE_SECONDS)
                continue
            chosen = self._order.choose(list(queued))
            if chosen is None:
                with suppress(TimeoutError):
                    async with asyncio.timeout(self._order.rest(list(queued))):
                        await self._work.wait()
                continue
            try:
                await self._examine(queued[chosen])
            except Exception as error:  # noqa: BLE001
                self._is_tidy = False
                _log.error("%s can't be examined now: %s", chosen, error, exc_info=error)
                await self._note_trouble(chosen, str(error))

    def _queued(self) -> dict[str, Submission]:
        """Give what is in the queue, and put back what was left in the middle of its check."""
        if not self._is_tidy:
            self._store.queue_again()
            self._is_tidy = True
        return {each.id: each for each in self._store.queued()}

    async def _note_trouble(self, submission: str, what: str) -> None:
        """Let a submission wait, or refuse it when it is the only one that has trouble."""
        if not self._order.note_trouble(submission):
            return
        reason = f"it can't be examined, although others can: {what}"
        with suppress(RefereeError):  # then it will be tried once more
            await asyncio.to_thread(self._end_unexamined, submission, reason)

    def _end_unexamined(self, submission: str, reason: str) -> None:
        _log.info("refused %s: %s", submission, reason)
        self._store.refuse(submission, reason)
        self._order.note_end(submission, by_check=False)
        _remove(self._data.incoming / f"{submission}.tar.gz")
        _remove(self._data.incoming / submission)

    async def _examine(self, submission: Submission) -> None:
        archive = self._data.incoming / f"{submission.id}.tar.gz"
        work = self._data.incoming / submission.id
        if not archive.is_file():
            reason = "its archive was lost; send it again"
            await asyncio.to_thread(self._end_unexamined, submission.id, reason)
            return
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
        if result is None:
            await asyncio.to_thread(self._store.change, submission.id, State.QUEUED)
            return
        await asyncio.to_thread(self._finish, submission, result, work)
        self._order.note_end(submission.id, by_check=True)
        _remove(archive)
        _remove(work)

    async def _run(self, submission: Submission, task: Task) -> Result:
        """Run the process; `_BrokeOff` if it ends without a result, DataError for trouble."""
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
                raise DataError(event.trouble)
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
            sync_folder(home.parent)
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
        if accepted is None:
            return
        try:
            self._accepted(submission, accepted)
        except Exception as error:  # noqa: BLE001 - it is accepted; a restart enters it
            _log.error("%s isn't entered yet: %s", submission.id, error, exc_info=error)


class _BrokeOff(Exception):
    """The process ended before it was done."""


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
