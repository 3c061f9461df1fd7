"""One bot on a line of its own, asked by hand over the real protocol.

For whoever wants a bot's opinion outside of a match: `replay`, and hints for people.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from thousand.codec import decode_request, encode_response
from thousand.errors import MalformedMessage
from thousand.messages import Answer, BadAnswer, Notice, Prompt, Response, Welcome
from thousand.rules import Action
from thousand.view import View
from thousand_referee.errors import RefereeError
from thousand_referee.launch.launcher import Launcher, RunningBot
from thousand_referee.session import Session
from thousand_referee.spec import BotVersion

GOODBYE_SECONDS: Final = 2.0


class BotFailed(RefereeError):
    """The bot that is asked gave no answer: it crashed, was silent, or spoke nonsense."""


class Interview:
    """A bot that was started to be asked; `async with` starts and ends it.

    `connect_ms` is from its start to its hello. Each answer may take what the welcome
    says: the time for a decision and the bank of a game. `folder` is for its socket.
    """

    def __init__(
        self,
        bot: BotVersion,
        launcher: Launcher,
        welcome: Welcome,
        *,
        connect_ms: int,
        folder: Path,
        output: Path,
    ) -> None:
        self._bot = bot
        self._launcher = launcher
        self._welcome = welcome
        self._connect_seconds = connect_ms / 1000
        self._answer_seconds = (welcome.move_ms + welcome.bank_ms) / 1000
        self._output = output
        self._session = Session(0, f"unix:{folder}/interview.sock", self)
        self._running: RunningBot | None = None
        self._notices: list[Notice] = []
        self._outbox: Response | None = None
        self._next_id = 1
        self._answer: asyncio.Future[Action] | None = None

    async def __aenter__(self) -> Self:
        """Start the bot; `BotFailed` if it does not say hello in time."""
        await self._session.open()
        try:
            await self._start()
        except BaseException:
            await self._end()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._running is not None and kind is None:
            self._flush_notices()
            self._session.say_goodbye("that is all")
            await asyncio.wait((self._running.exited,), timeout=GOODBYE_SECONDS)
        await self._end()

    def tell(self, *notices: Notice) -> None:
        """Tell the bot something; it goes out with the next question, or at the end."""
        self._notices += notices

    async def ask(self, view: View) -> Action:
        """Ask the bot for a decision and give its choice, which may be illegal.

        Views of one game must be of one course of it, unless a `GameStart` is told between.
        `BotFailed` when there is none; then the bot can't be asked again.
        """
        assert self._running is not None
        self._answer = asyncio.get_running_loop().create_future()
        prompt = Prompt(self._next_id, view)
        self._outbox = Response(notices=tuple(self._notices), prompts=(prompt,))
        self._notices.clear()
        self._session.wake()
        futures = (self._answer, self._session.lost, self._running.exited)
        await _first_of(futures, self._answer_seconds)
        self._next_id += 1
        if self._answer.done():
            return self._answer.result()
        if self._running.exited.done():
            raise self._failure(self._running.exited.result())
        if self._session.lost.done():
            await _first_of((self._running.exited,), GOODBYE_SECONDS)
            ended = self._running.exited if self._running.exited.done() else self._session.lost
            raise self._failure(ended.result())
        raise self._failure(f"no answer within {self._answer_seconds:g} s")

    # What the session asks and tells

    def welcome(self, seat: int) -> bytes:
        """Give the first message."""
        return encode_response(Response(self._welcome))

    def take(self, seat: int) -> bytes | None:
        """Give the next message, if there is one."""
        response, self._outbox = self._outbox, None
        return None if response is None else encode_response(response)

    def heard(self, seat: int, data: bytes) -> None:
        """Take a message; what doesn't answer the open question is ignored."""
        if self._answer is None or self._answer.done():
            return
        try:
            answers: Sequence[Answer | BadAnswer] = decode_request(data).answers
        except MalformedMessage as error:
            self._answer.set_exception(self._failure(f"it said {error}"))
            return
        for answer in answers:
            if answer.prompt_id != self._next_id:
                continue
            if isinstance(answer, BadAnswer):
                self._answer.set_exception(self._failure(answer.problem))
            else:
                self._answer.set_result(answer.action)
            return

    async def _start(self) -> None:
        token = self._session.expect()
        self._running = await self._launcher.start(
            self._bot, address=self._session.address, token=token, output=self._output
        )
        greeted, exited = self._session.greeted, self._running.exited
        await _first_of((greeted, exited), self._connect_seconds)
        if greeted.done():
            return
        how = f"no hello within {self._connect_seconds:g} s"
        if exited.done():
            how = f"{exited.result()} before it said hello"
        if self._session.refusals:
            how += f"; it was turned away: {self._session.refusals[-1]}"
        raise self._failure(how)

    async def _end(self) -> None:
        if self._running is not None:
            await self._running.end()
        await self._session.close()

    def _flush_notices(self) -> None:
        if self._notices:
            self._outbox = Response(notices=tuple(self._notices))
            self._notices.clear()

    def _failure(self, how: str) -> BotFailed:
        return BotFailed(f"{self._bot.name}: {how}; what it printed is in {self._output}")


async def _first_of(futures: Iterable[asyncio.Future[Any]], seconds: float) -> None:
    """Wait until one of these is done, or so many seconds have passed; cancel nothing."""
    await asyncio.wait(futures, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
