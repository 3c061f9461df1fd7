"""Seats that are played in this process, as by a person at the terminal.

A resident sits in a match like any bot: it gets the referee's messages and gives
answers, which are logged and judged. It has no process, no socket and no clock. A
`ResidentSession` stands in for the seat's session and for its process at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, Protocol, TypeAlias

from thousand.codec import decode_response, encode_request
from thousand.messages import Answer, Request, Response
from thousand_referee.launch.launcher import Launcher, RunningBot
from thousand_referee.session import SessionHandler
from thousand_referee.spec import BotVersion, TimeLimits

NO_HURRY_MS: Final = 10**10
"""A resident has this long for a decision, which is some months."""


class ResidentLeft(Exception):
    """A resident leaves the match; the text says how, for the log."""


class Resident(Protocol):
    """Who plays a seat in this process."""

    async def receive(self, response: Response) -> Sequence[Answer]:
        """Take a message of the referee, and answer its prompts.

        `ResidentLeft` leaves the match; any other error makes it void. The last message
        is the goodbye; nothing may be waited for then.
        """

    async def close(self) -> None:
        """Let go of everything: the match is over, however it ended."""


Residents: TypeAlias = Mapping[int, Resident]
"""Residents by seat."""

NOBODY: Final[Residents] = {}


def unhurried(limits: TimeLimits) -> TimeLimits:
    """Give the limits of a resident's clock: the bank stays what the log says it is."""
    return TimeLimits(
        move_ms=NO_HURRY_MS,
        bank_ms=limits.bank_ms,
        connect_ms=limits.connect_ms,
        match_ms=NO_HURRY_MS,
    )


class ResidentSession:
    """One seat's line to a resident; see `session.Session` and `launcher.RunningBot`."""

    def __init__(self, seat: int, resident: Resident, handler: SessionHandler) -> None:
        self.address = f"resident:{seat}"
        self.refusals: list[str] = []
        self._seat = seat
        self._resident = resident
        self._handler = handler
        self._work = asyncio.Event()
        self._goodbye: str | None = None
        self._service: asyncio.Task[None] | None = None
        self.expect()

    async def open(self) -> None:
        """Do nothing: there is no socket."""

    async def close(self) -> None:
        """Let the resident go."""
        await self.end()
        await self._resident.close()

    def expect(self) -> str:
        """Get ready for the resident, who needs no token and is there at once."""
        loop = asyncio.get_running_loop()
        self.greeted: asyncio.Future[None] = loop.create_future()
        self.greeted.set_result(None)
        self.lost: asyncio.Future[str] = loop.create_future()
        self.exited: asyncio.Future[str] = loop.create_future()
        return ""

    def begin(self) -> None:
        """Begin to play."""
        self._service = asyncio.create_task(self._serve())

    async def end(self) -> None:
        """Stop asking the resident, as if its process were killed."""
        if self._service is not None:
            self._service.cancel()
            await asyncio.gather(self._service, return_exceptions=True)

    def wake(self) -> None:
        """Hand on what the handler has for the resident."""
        self._work.set()

    def say_goodbye(self, reason: str) -> None:
        """Tell the resident, after all else, that the match is over."""
        self._goodbye = reason
        self._work.set()

    async def _serve(self) -> None:
        """Hand messages to the resident and its answers to the referee, to the goodbye."""
        try:
            await self._tell(self._handler.welcome(self._seat))
            while not self.exited.done():
                await self._work.wait()
                self._work.clear()
                while (data := self._handler.take(self._seat)) is not None:
                    await self._tell(data)
                if self._goodbye is not None:
                    await self._resident.receive(Response(goodbye=self._goodbye))
                    self.exited.set_result("it left after the goodbye")
        except ResidentLeft as left:
            self.lost.set_result(str(left))
            self.exited.set_result(str(left))
        except Exception as error:  # noqa: BLE001 - it makes the match void, there
            self.lost.set_exception(error)

    async def _tell(self, data: bytes) -> None:
        answers = await self._resident.receive(decode_response(data))
        if answers:
            self._handler.heard(self._seat, encode_request(Request(answers=tuple(answers))))


class ResidentLauncher:
    """Starts residents, and all other bots by another launcher."""

    def __init__(self, others: Launcher, sessions: Sequence[object]) -> None:
        self._others = others
        self._residents = {
            session.address: session for session in sessions if isinstance(session, ResidentSession)
        }

    async def start(self, bot: BotVersion, *, address: str, token: str, output: Path) -> RunningBot:
        """Start a bot; see `launcher.Launcher`."""
        session = self._residents.get(address)
        if session is None:
            return await self._others.start(bot, address=address, token=token, output=output)
        session.begin()
        return session
