"""Playing one match: processes, sockets and the clock around a `Referee`."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from thousand.codec import ResponseWriter, decode_request
from thousand.errors import MalformedMessage
from thousand.messages import Answer, BadAnswer
from thousand.rules.game import LAST_DEAL, TARGET
from thousand_referee.bot_output import output_name
from thousand_referee.clock import Clock
from thousand_referee.faults import FaultKind
from thousand_referee.in_process import (
    NOBODY,
    ResidentLauncher,
    Residents,
    ResidentSession,
    unhurried,
)
from thousand_referee.lag import FairTime
from thousand_referee.launch.choice import launcher_for
from thousand_referee.launch.launcher import Launcher, RunningBot
from thousand_referee.matchlog.reader import read_log
from thousand_referee.matchlog.records import FORMAT, BotLine, MatchLine, RulesLine
from thousand_referee.matchlog.summary import MatchSummary, summarize
from thousand_referee.matchlog.writer import LogWriter
from thousand_referee.play_slots import Slot
from thousand_referee.referee import Referee
from thousand_referee.session import MESSAGE_LIMIT, Session
from thousand_referee.sockets import socket_folder
from thousand_referee.spec import MatchSpec
from thousand_referee.told_to_end import blame_nobody_told_to_end
from thousand_referee.versions import own_copies

GOODBYE_SECONDS: Final = 2.0
"""A bot has this long to exit after the goodbye; then it is killed, which is no fault."""

LAST_WORDS_SECONDS: Final = 1.0
"""What a bot said last, and how its process ended, is waited for so long once one is known."""


def play_match(spec: MatchSpec, residents: Residents = NOBODY) -> MatchSummary:
    """Play a match from start to end and give what its log says.

    The log is complete, or not there. `RefereeError` when the match could not be
    finished for no bot's doing: nothing of it counts, and it may be played again.
    `BotChanged` when a bot's files aren't those of its version. The `residents` take their
    seats in this process, instead of the bots that stand there.
    """
    folder = Path(spec.log_dir)
    with (
        own_copies(spec, residents) as copied,
        launcher_for(copied) as launcher,
        LogWriter(folder, match_header(copied)) as log,
        socket_folder() as sockets,
    ):
        match = Match(copied, launcher, log, sockets, residents)
        asyncio.run(match.play())
        path = match.finish_log()
    return summarize(line for _, line in read_log(path))


class Match:
    """One match under way."""

    def __init__(
        self,
        spec: MatchSpec,
        launcher: Launcher,
        log: LogWriter,
        sockets: Path,
        residents: Residents = NOBODY,
    ) -> None:
        self._spec = spec
        self._launcher = launcher
        self._log = log
        self._sockets = sockets
        self._residents = residents
        self._slot = Slot()

    async def play(self) -> None:
        """Play all games. When this returns or raises, no process of a bot is left."""
        loop = asyncio.get_running_loop()
        self._time = FairTime()
        self._referee = Referee(self._spec, self._log.write)
        self._writers = [ResponseWriter() for _ in range(3)]
        self._failure: asyncio.Future[None] = loop.create_future()
        self._dismissed: list[asyncio.Future[None]] = [loop.create_future() for _ in range(3)]
        self._bots: list[RunningBot] = []
        self._ready: list[asyncio.Future[None]] = [loop.create_future() for _ in range(3)]
        self._is_begun = False
        self._sessions = [self._session(seat) for seat in range(3)]
        if self._residents:
            self._launcher = ResidentLauncher(self._launcher, self._sessions)
        tasks: list[asyncio.Task[None]] = []
        try:
            for session in self._sessions:
                await session.open()
            tasks += [asyncio.create_task(self._attend(seat)) for seat in range(3)]
            everyone = asyncio.gather(*tasks, return_exceptions=True)
            tasks.append(asyncio.create_task(self._begin()))
            tasks.append(asyncio.create_task(self._time.beat(self._check_time)))
            await _first_of(everyone, self._failure)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self._slot.free()
            # What can't be ended now, its engine being gone, is before the next match.
            await asyncio.gather(*(bot.end() for bot in self._bots), return_exceptions=True)
            for session in self._sessions:
                await session.close()
        if self._failure.done():
            self._failure.result()

    def _session(self, seat: int) -> Session | ResidentSession:
        """Make a seat's session; a resident is not on the clock."""
        if seat not in self._residents:
            return Session(seat, f"unix:{self._sockets}/{seat}.sock", self)
        self._referee.seats[seat].clock = Clock(unhurried(self._spec.time))
        return ResidentSession(seat, self._residents[seat], self)

    def finish_log(self) -> Path:
        """Write the log's end; give its path."""
        first, second, third = (seat.times.to_json() for seat in self._referee.seats)
        return self._log.finish(
            self._spec.games, (first, second, third), round(1000 * self._time.worst_lag, 1)
        )

    # What the sessions ask and tell

    def welcome(self, seat: int) -> bytes:
        """Give the first message for a seat."""
        with self._guarded():
            return self._writers[seat].write(self._referee.welcome(seat))
        return b""

    def take(self, seat: int) -> bytes | None:
        """Give the next message for a seat; its clocks start."""
        if not self._is_begun:
            return None
        with self._guarded():
            response = self._referee.take(seat, self._time.now())
            return None if response is None else self._writers[seat].write(response)
        return None

    def heard(self, seat: int, data: bytes) -> None:
        """Take a message of a seat's bot."""
        with self._guarded():
            now = self._time.now()
            try:
                answers = _read_answers(data)
            except MalformedMessage as error:
                self._referee.lose(seat, FaultKind.MALFORMED, str(error), now)
            else:
                self._referee.hear(seat, answers, now)

    def _check_time(self, now: float) -> None:
        with self._guarded():
            for seat in range(3):
                self._referee.check_time(seat, now)

    def _lose(self, seat: int, kind: FaultKind, detail: str) -> None:
        with self._guarded():
            self._referee.lose(seat, kind, detail, self._time.now())

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        """Around whatever moves the referee on: pass news on to the seats, errors to `play`."""
        try:
            yield
        except Exception as error:  # noqa: BLE001 - whatever it is, the match is void
            if not self._failure.done():
                self._failure.set_exception(error)
            return
        if self._referee.is_over:
            self._slot.free()
        for seat, state in enumerate(self._referee.seats):
            if self._referee.is_over or state.is_out or state.wants_restart:
                if not self._dismissed[seat].done():
                    self._dismissed[seat].set_result(None)
            elif self._referee.has_news(seat):
                self._sessions[seat].wake()

    async def _begin(self) -> None:
        """Once every bot has come, or won't, wait for the turn of this match; then ask.

        So no clock runs before, and no bot waits for another's start in a match that plays.
        """
        await asyncio.wait(self._ready)
        with self._guarded():
            await self._slot.take()
            self._is_begun = True
            for session in self._sessions:
                session.wake()

    # One seat's process

    async def _attend(self, seat: int) -> None:
        """Start the seat's bot, and again while the referee wants it, until all is over."""
        with self._guarded():
            state = self._referee.seats[seat]
            starts = 0
            while not (state.is_out or self._referee.is_over):
                await self._attend_process(seat, self._output_path(seat, starts))
                starts += 1
        self._is_ready(seat)

    def _is_ready(self, seat: int) -> None:
        if not self._ready[seat].done():
            self._ready[seat].set_result(None)

    async def _attend_process(self, seat: int, output: Path) -> None:
        """Start a process of the seat's bot, and stay with it until it is not needed."""
        session = self._sessions[seat]
        if self._referee.seats[seat].wants_restart:
            self._referee.restarted(seat)
        self._dismissed[seat] = asyncio.get_running_loop().create_future()
        token = session.expect()
        bot = await self._launcher.start(
            self._spec.bots[seat], address=session.address, token=token, output=output
        )
        self._bots.append(bot)
        if await self._connect(seat, bot):
            await self._converse(seat, bot)
        await bot.end()
        self._bots.remove(bot)

    async def _connect(self, seat: int, bot: RunningBot) -> bool:
        """Wait for the bot's hello; give whether it came."""
        session, dismissed = self._sessions[seat], self._dismissed[seat]
        limit_ms = self._spec.time.connect_ms
        end = self._time.now() + limit_ms / 1000
        # In fair time: a referee that was stopped has not read the hello that came meanwhile.
        while (left := end - self._time.now()) > 0:
            await _first_of(session.greeted, bot.exited, dismissed, seconds=left)
            if session.greeted.done() or bot.exited.done() or dismissed.done():
                break
        if session.greeted.done():
            self._is_ready(seat)
            session.wake()
            return True
        how = f"no hello within {limit_ms} ms"
        if bot.exited.done():
            await blame_nobody_told_to_end(bot.exited.result())
            how = f"{bot.exited.result()} before it said hello"
        if session.refusals:
            how += f"; it was turned away: {session.refusals[-1]}"
        self._lose(seat, FaultKind.NO_START, how)
        return False

    async def _converse(self, seat: int, bot: RunningBot) -> None:
        """Serve a connected bot until it is lost, must be replaced, or is done."""
        session, dismissed = self._sessions[seat], self._dismissed[seat]
        await _first_of(session.lost, bot.exited, dismissed)
        if not dismissed.done():
            # What it said last and how it ended come by two ways, in any order.
            await asyncio.wait((session.lost, bot.exited), timeout=LAST_WORDS_SECONDS)
        if self._referee.is_over:
            session.say_goodbye("the match is over")
            await _first_of(bot.exited, seconds=GOODBYE_SECONDS)
        elif not dismissed.done():
            how = bot.exited.result() if bot.exited.done() else session.lost.result()
            await blame_nobody_told_to_end(how)
            if not dismissed.done():
                self._lose(seat, FaultKind.CRASH, how)

    def _output_path(self, seat: int, start: int) -> Path:
        """Where a bot's output goes: a file for each start of its process."""
        name = output_name(seat, self._spec.bots[seat].name, start)
        return Path(self._spec.output_dir) / self._spec.match / name


def _read_answers(data: bytes) -> tuple[Answer | BadAnswer, ...]:
    if len(data) > MESSAGE_LIMIT:
        raise MalformedMessage(f"a message of {len(data)} bytes; {MESSAGE_LIMIT} are allowed")
    return decode_request(data).answers


async def _first_of(*futures: asyncio.Future[Any], seconds: float | None = None) -> None:
    """Wait until one of these is done, or so many seconds have passed; cancel nothing."""
    await asyncio.wait(futures, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)


def match_header(spec: MatchSpec) -> MatchLine:
    """Give the first line of a match's log."""
    first, second, third = (BotLine(bot.name, bot.version) for bot in spec.bots)
    return MatchLine(
        format=FORMAT,
        match=spec.match,
        tournament=spec.tournament,
        bots=(first, second, third),
        first_block=spec.first_block,
        games=spec.games,
        time=spec.time,
        faults=spec.faults,
        rules=RulesLine(TARGET, LAST_DEAL),
        seeds=spec.block_seeds,
        tables=spec.tables,
        started=datetime.now(UTC).isoformat(timespec="seconds"),
    )
