"""The whole check of a bot: its folder, and two or three sittings of one exam."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from thousand_referee.bots import BotFolder, read_bot
from thousand_referee.check.exam import Exam, Problem
from thousand_referee.check.sitting import EXAM_SECONDS, LEFT_ALLOWED, Sitting, sit
from thousand_referee.errors import ConfigError, ContainerRefused
from thousand_referee.launch.choice import launcher_for
from thousand_referee.launch.launcher import Launcher
from thousand_referee.sockets import socket_folder
from thousand_referee.spec import BotVersion, FaultLimits, MatchSpec, Sandbox, TimeLimits

MANY_TABLES: Final = 32
LIMITS: Final = TimeLimits()
"""The limits that tournaments have unless their file says otherwise."""

_CHATTY_BYTES: Final = 16 * 1024


@dataclass(frozen=True, slots=True)
class Report:
    """What a check found. `bot` is None if its folder can't be read.

    `problem` says why the bot isn't ready, None if it is; `sitting` is the one where it
    showed, else the last one. `sittings` are all of them, in order.
    `notes` are worth knowing, but in nobody's way.
    """

    folder: str
    bot: BotFolder | None
    problem: Problem | None
    notes: tuple[str, ...] = ()
    sitting: Sitting | None = None
    sittings: tuple[Sitting, ...] = ()

    @property
    def is_ready(self) -> bool:
        """Whether the bot may be entered."""
        return self.problem is None


def check_bot(
    folder: Path,
    *,
    seed: str,
    sandbox: Sandbox,
    say: Callable[[str], None],
    limits: TimeLimits = LIMITS,
) -> Report:
    """Check a bot; give what was found, whatever the bot does.

    A good bot takes some ten seconds. None takes longer than three sittings, of which
    each has its limits: see `sitting.sit`. `say` gets progress. `RefereeError` for
    trouble that is not the bot's, such as a Docker engine that isn't there.
    """
    try:
        bot = read_bot(folder, in_container=sandbox.kind == "docker")
    except ConfigError as error:
        return Report(str(folder), None, Problem(str(error)))
    with tempfile.TemporaryDirectory(prefix="thousand-check-") as work:
        sitter = _Sitter(bot, seed, sandbox, limits, Path(work), say)
        try:
            sittings = [sitter.sit(MANY_TABLES)]
        except ContainerRefused as error:
            if not sitter.can_start_others():
                raise
            problem = Problem("no container of its image can be started", str(error))
            return Report(str(folder), bot, problem)
        if sittings[0].problem is None:
            sittings.append(sitter.sit(1))
            if sittings[1].problem is None and _first_difference(*sittings) is not None:
                sittings.append(sitter.sit(MANY_TABLES))
    sitting = next((each for each in sittings if each.problem is not None), sittings[-1])
    return Report(
        str(folder), bot, sitting.problem, tuple(_notes(sittings)), sitting, tuple(sittings)
    )


class _Sitter:
    """Has a bot take the exam again and again."""

    def __init__(
        self,
        bot: BotFolder,
        seed: str,
        sandbox: Sandbox,
        limits: TimeLimits,
        work: Path,
        say: Callable[[str], None],
    ) -> None:
        entry = bot.as_entry(bot.name)
        if sandbox.kind == "docker":
            from thousand_referee.launch.images import build_images

            image = build_images([bot], sandbox, work / "builds", say)[bot.digest]
            entry = msgspec.structs.replace(entry, image=image)
        self._bot = entry
        self._seed = seed
        self._sandbox = sandbox
        self._limits = limits
        self._work = work
        self._say = say
        self._count = 0

    def sit(self, tables: int) -> Sitting:
        """Start a process of the bot for the exam, with so many tables at a time."""
        self._count += 1
        what = f"{tables} games at a time" if tables > 1 else "one game at a time"
        self._say(f"checking {self._bot.name}: {what}")
        spec = _spec(self._bot, self._sandbox, self._limits, self._work)
        output = self._work / f"output-{self._count}.log"

        async def sitting() -> Sitting:
            exam = Exam(self._seed, tables, self._limits)
            return await sit(
                exam, self._bot, launcher, limits=self._limits, sockets=sockets, output=output
            )

        with launcher_for(spec) as launcher, socket_folder() as sockets:
            return asyncio.run(sitting())

    def can_start_others(self) -> bool:
        """Whether the engine starts a container of the runtime image, which is no bot's."""
        from thousand_referee.launch.images import runtime_image

        image = runtime_image(self._sandbox, self._work / "builds", self._say)
        idle = msgspec.structs.replace(self._bot, image=image, command=("python3", "-c", ""))
        spec = _spec(idle, self._sandbox, self._limits, self._work)

        async def start(launcher: Launcher, socket: Path) -> None:
            output = self._work / "idle.log"
            running = await launcher.start(idle, address=f"unix:{socket}", token="", output=output)
            await running.end()

        with launcher_for(spec) as launcher, socket_folder() as sockets:
            socket = sockets / "0.sock"
            socket.touch()
            try:
                asyncio.run(start(launcher, socket))
            except ContainerRefused:
                return False
        return True


def _spec(bot: BotVersion, sandbox: Sandbox, limits: TimeLimits, work: Path) -> MatchSpec:
    """Describe the match that a launcher is to believe in."""
    return MatchSpec(
        match="check",
        tournament="",
        bots=(bot, bot, bot),
        first_block=0,
        block_seeds=(),
        bot_seeds=("", "", ""),
        tables=1,
        time=limits,
        faults=FaultLimits(),
        log_dir=str(work),
        output_dir=str(work),
        sandbox=sandbox,
    )


def _first_difference(first: Sitting, second: Sitting) -> tuple[int, int] | None:
    """Give game and number of the first question that was answered in two ways."""
    one, two = first.figures.answers, second.figures.answers
    return min(
        (place for place in one.keys() & two.keys() if one[place] != two[place]), default=None
    )


def _notes(sittings: list[Sitting]) -> list[str]:
    """Say what an author should know about a bot, ready or not."""
    notes = []
    if len(sittings) == 3:
        again, tables = _first_difference(sittings[0], sittings[2]), "how many games run at a time"
        if again is not None:
            game, question = again
            notes.append(
                "it isn't deterministic: with the same seed it answers differently (first in "
                f"game {game}, question {question}); draw lots from self.rng only, and mind "
                "the clock and the order of sets"
            )
        else:
            notes.append(
                f"its answers depend on {tables}: is there something that its games share, "
                "outside of the Bot's instance?"
            )
    for sitting in sittings:
        if sitting.problem is None and sitting.lessons < sitting.of_lessons:
            notes.append(
                f"only {sitting.lessons} of {sitting.of_lessons} games fit into "
                f"{EXAM_SECONDS:g} s: within the limits, but what was not seen was not checked"
            )
            break
    unasked = max(sitting.figures.unasked for sitting in sittings)
    if unasked:
        notes.append(
            f"{unasked} of its answers were to nothing that was asked; the arena ignores them"
        )
    left = max(sitting.left or 0 for sitting in sittings)
    if 0 < left <= LEFT_ALLOWED:
        notes.append(
            f"it leaves {left} process{'es' * (left > 1)} behind when it exits; "
            "the arena kills what is left"
        )
    memory_kb = max(sitting.memory_kb or 0 for sitting in sittings)
    if memory_kb > 1024 * Sandbox().memory_mb:
        notes.append(
            f"it holds {memory_kb / 1024:.0f} MB; in a container it may have "
            f"{Sandbox().memory_mb} MB, unless the tournament's file says otherwise"
        )
    printed = max(sitting.printed for sitting in sittings)
    if printed > _CHATTY_BYTES and sittings[-1].problem is None:
        notes.append(f"it prints {printed / 1024:.0f} KiB; nobody will read that")
    return notes
