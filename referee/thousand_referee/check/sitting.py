"""One process of a bot taking an exam, from its start to its last word."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from thousand.codec import decode_request, encode_response
from thousand.errors import MalformedMessage
from thousand_referee.bot_output import LINE_LENGTH, last_error, tail_of
from thousand_referee.check.exam import Exam, Figures, Problem
from thousand_referee.lag import FairTime
from thousand_referee.launch.launcher import Launcher, RunningBot
from thousand_referee.launch.process import OUTPUT_LIMIT
from thousand_referee.match import GOODBYE_SECONDS, LAST_WORDS_SECONDS
from thousand_referee.session import MESSAGE_LIMIT, Session
from thousand_referee.spec import BotVersion, TimeLimits
from thousand_referee.text import cut

EXAM_SECONDS: Final = 30.0
"""An exam that takes longer is broken off, which is no problem for a bot within its limits."""

LEFT_ALLOWED: Final = 4
"""So many processes may be about to end by themselves, such as a pool's trackers."""

MEASURE_SECONDS: Final = 0.5
"""The use of what can be measured only while it runs is looked at so often."""

_LONG_GAME: Final = 300
"""Decisions of a seat in a long game; the bank should last for as many."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """What came of it. `problem` is None if there is none.

    `hello_ms` is the time from the start of the process to its hello, `exit_ms` from the
    goodbye to its end. `lessons` were finished, out of `of_lessons`. `cpu_ms`,
    `memory_kb` and `left` (processes left behind) are None where the launcher doesn't
    tell. `printed` is the size of the output in bytes, at least; `tail` its end.
    """

    problem: Problem | None
    figures: Figures
    lessons: int
    of_lessons: int
    hello_ms: float | None
    exit_ms: float | None
    cpu_ms: int | None
    memory_kb: int | None
    left: int | None
    printed: int
    tail: str


async def sit(
    exam: Exam,
    bot: BotVersion,
    launcher: Launcher,
    *,
    limits: TimeLimits,
    sockets: Path,
    output: Path,
) -> Sitting:
    """Let a fresh process of a bot take an exam. When this returns, nothing is left of it.

    It takes at most the time to connect, `EXAM_SECONDS`, and what ending the process
    takes: a few seconds. `MatchVoid` if it could not be started for no fault of its own.
    """
    return await _Sitting(exam, limits, output).run(bot, launcher, sockets)


class _Sitting:
    """A sitting under way: the `SessionHandler` between the bot and its exam."""

    def __init__(self, exam: Exam, limits: TimeLimits, output: Path) -> None:
        self._exam = exam
        self._limits = limits
        self._output = output
        self._time = FairTime()
        self._over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._hello_ms: float | None = None
        self._exit_ms: float | None = None

    async def run(self, bot: BotVersion, launcher: Launcher, sockets: Path) -> Sitting:
        self._session = Session(0, f"unix:{sockets}/0.sock", self)
        await self._session.open()
        running: RunningBot | None = None
        try:
            token = self._session.expect()
            began = time.monotonic()
            running = await launcher.start(
                bot, address=self._session.address, token=token, output=self._output
            )
            if await self._connect(running):
                self._hello_ms = 1000 * (time.monotonic() - began)
                await self._examine(running)
                await self._part(running)
            if running.exited.done():
                running.exited.result()  # raises MatchVoid if it could not be started
        finally:
            if running is not None:
                await running.end()
            await self._session.close()
        return self._result(running)

    # What the session asks and tells

    def welcome(self, seat: int) -> bytes:
        """Give the first message."""
        return encode_response(self._exam.welcome())

    def take(self, seat: int) -> bytes | None:
        """Give the next message; its clocks start."""
        response = self._exam.take(self._time.now())
        return None if response is None else encode_response(response)

    def heard(self, seat: int, data: bytes) -> None:
        """Take a message of the bot."""
        now = self._time.now()
        try:
            if len(data) > MESSAGE_LIMIT:
                raise MalformedMessage(
                    f"a message of {len(data)} bytes; {MESSAGE_LIMIT} are allowed"
                )
            self._exam.hear(decode_request(data).answers, now)
        except MalformedMessage as error:
            self._exam.lose("it sends a message that can't be read", str(error))
        self._go_on()

    def _check_time(self, now: float) -> None:
        self._exam.check_time(now)
        self._go_on()

    def _go_on(self) -> None:
        if self._exam.is_over:
            if not self._over.done():
                self._over.set_result(None)
        else:
            self._session.wake()

    # The three parts

    async def _connect(self, running: RunningBot) -> bool:
        """Wait for the bot's hello; give whether it came."""
        session = self._session
        limit = self._limits.connect_ms / 1000
        await _first_of((session.greeted, running.exited), limit)
        if session.greeted.done():
            return True
        if running.exited.done():
            how = running.exited.result()
            if how == _ENDED_WELL:
                how += "; does it call run(), with its Bot?"
            self._exam.lose("it ends before it says hello", how)
        elif session.refusals:
            self._exam.lose("it was turned away", session.refusals[-1])
        else:
            self._exam.lose("it never says hello", f"no hello within {limit:g} s of its start")
        return False

    async def _examine(self, running: RunningBot) -> None:
        """Serve the bot until all is asked, something is wrong, or it takes too long."""
        exam, session = self._exam, self._session
        watching = [
            asyncio.create_task(self._time.beat(self._check_time)),
            asyncio.create_task(self._watch_output()),
            asyncio.create_task(_measure_often(running)),
        ]
        self._go_on()
        await _first_of((self._over, session.lost, running.exited), EXAM_SECONDS)
        for task in watching:
            task.cancel()
        await asyncio.gather(*watching, return_exceptions=True)
        if exam.is_over:
            return
        if session.lost.done() or running.exited.done():
            await asyncio.wait((session.lost, running.exited), timeout=LAST_WORDS_SECONDS)
            how = running.exited.result() if running.exited.done() else session.lost.result()
            exam.lose("it stops in the middle of a match", how)
        else:
            self._judge_pace()

    def _judge_pace(self) -> None:
        """Look whether a bot that is within its limits so far would stay there."""
        figures, limits = self._exam.figures, self._limits
        total = figures.times.total
        over_s = figures.over_move / total * _LONG_GAME if total else 0.0
        if over_s > limits.bank_ms / 1000:
            self._exam.lose(
                "it takes too long for its decisions",
                f"in a game of {_LONG_GAME} decisions it would go {over_s:.0f} s beyond the "
                f"{limits.move_ms / 1000:g} s for each; {limits.bank_ms / 1000:g} s are allowed",
            )

    async def _part(self, running: RunningBot) -> None:
        """Say goodbye to a bot with which all is well, and see it off."""
        exam = self._exam
        if exam.problem is not None:
            return
        await _measure(running)
        began = time.monotonic()
        self._session.say_goodbye("the check is over")
        await _first_of((running.exited,), GOODBYE_SECONDS)
        if not running.exited.done():
            exam.lose(
                "it doesn't exit after the goodbye",
                f"its process was still there {GOODBYE_SECONDS:g} s later",
            )
            return
        self._exit_ms = 1000 * (time.monotonic() - began)
        if (how := running.exited.result()) != _ENDED_WELL:
            exam.lose("it doesn't end well after the goodbye", how)

    async def _watch_output(self) -> None:
        """Object when the bot prints more than is kept."""
        while True:
            await asyncio.sleep(0.1)
            if _size_of(self._output) >= OUTPUT_LIMIT:
                self._exam.lose(*_FLOOD)
                self._go_on()

    def _result(self, running: RunningBot) -> Sitting:
        exam = self._exam
        printed = _size_of(self._output)
        if exam.problem is None and printed >= OUTPUT_LIMIT:
            exam.lose(*_FLOOD)
        problem = exam.problem
        done, of = exam.progress
        tail = tail_of(self._output)
        left: int | None = getattr(running, "left", None)
        if problem is None and left is not None and left > LEFT_ALLOWED:
            problem = Problem(f"it leaves {left} processes behind when it exits")
        if problem is not None and problem.cause in _DEATHS:
            how = cut(last_error(tail), LINE_LENGTH) or problem.detail
            problem = replace(problem, cause=f"{problem.cause}: {how}")
        return Sitting(
            problem=problem,
            figures=exam.figures,
            lessons=done,
            of_lessons=of,
            hello_ms=self._hello_ms,
            exit_ms=self._exit_ms,
            cpu_ms=getattr(running, "cpu_ms", None),
            memory_kb=getattr(running, "memory_kb", None),
            left=left,
            printed=printed,
            tail=tail,
        )


_FLOOD_LIMIT: Final = f"{OUTPUT_LIMIT // 1024} KiB and more, which is the limit here"
_FLOOD: Final = (
    "it prints too much",
    f"{_FLOOD_LIMIT}; a match doesn't punish it, but cuts the middle out of a longer output",
)
_DEATHS: Final = (
    "it ends before it says hello",
    "it stops in the middle of a match",
    "it doesn't end well after the goodbye",
)
_ENDED_WELL: Final = "it exited with status 0"


def _size_of(path: Path) -> int:
    with suppress(OSError):
        return path.stat().st_size
    return 0


async def _measure(running: RunningBot) -> None:
    """Let a bot whose launcher must look while it runs be looked at."""
    measure: Callable[[], None] | None = getattr(running, "measure", None)
    if measure is not None:
        await asyncio.to_thread(measure)


async def _measure_often(running: RunningBot) -> None:
    while True:
        await _measure(running)
        await asyncio.sleep(MEASURE_SECONDS)


async def _first_of(futures: Iterable[asyncio.Future[Any]], seconds: float) -> None:
    await asyncio.wait(tuple(futures), timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
