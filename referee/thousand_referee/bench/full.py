"""The full path: a real match of three cheap bots in processes of their own."""

from __future__ import annotations

import asyncio
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

from thousand_referee.bots import read_bot
from thousand_referee.launch.process import ProcessLauncher, RunningProcess
from thousand_referee.match import Match, match_header
from thousand_referee.matchlog.reader import read_log
from thousand_referee.matchlog.records import DealLine, Line
from thousand_referee.matchlog.summary import summarize
from thousand_referee.matchlog.writer import LogWriter
from thousand_referee.schedule import PlannedMatch, match_spec
from thousand_referee.sockets import socket_folder
from thousand_referee.spec import BotVersion, FaultLimits, MatchSpec, TimeLimits
from thousand_referee.store import Store
from thousand_referee.tournament_file import Entry, TournamentFile

BOT_FOLDER: Final = Path(__file__).parent / "bot"
NAME: Final = "bench"
SEED: Final = "bench"


Talk: TypeAlias = tuple[tuple[bool, bytes], ...]
"""A seat's messages in their order, each with whether the referee sent it."""


@dataclass(frozen=True, slots=True)
class FullFigures:
    """One measured match.

    `seconds` run from the first settled deal, when all bots are up, to the result in
    the store. `referee_us` and `bots_us` are processor microseconds a decision; the
    bots' include what starting them cost. `messages` came from bots.
    """

    decisions: int
    messages: int
    seconds: float
    referee_us: float
    bots_us: float

    @property
    def rate(self) -> float:
        """Decisions a second."""
        return self.decisions / self.seconds


def bench_spec(folder: Path, games: int, tables: int) -> MatchSpec:
    """Describe the match that is measured: always the same cards and the same bots."""
    cheap = read_bot(BOT_FOLDER)
    return match_spec(
        PlannedMatch(_NAMES, seating=0, first_block=0, games=games),
        tournament=NAME,
        seed=SEED,
        bots={name: cheap.as_entry(name) for name in _NAMES},
        tables=tables,
        time=TimeLimits(),
        faults=FaultLimits(),
        log_dir=str(folder / "logs"),
        output_dir=str(folder / "output"),
    )


def measure_full(games: int, tables: int) -> tuple[FullFigures, tuple[Talk, Talk, Talk]]:
    """Play a match as tournaments do; give what it cost, and all its messages by seat."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        spec = bench_spec(folder, games, tables)
        launcher = _CountingLauncher()
        with (
            socket_folder() as sockets,
            _TimedLog(Path(spec.log_dir), match_header(spec)) as log,
            Store.open(folder / "arena.sqlite") as store,
        ):
            store.create_or_resume(_tournament(games, tables), SEED)
            match = _RecordingMatch(spec, launcher, log, sockets)
            asyncio.run(match.play())
            summary = summarize(line for _, line in read_log(match.finish_log()))
            store.enter_match(summary, f"{spec.match}.jsonl.gz")
            seconds = time.perf_counter() - log.began
            referee_seconds = time.process_time() - log.began_cpu
    decisions = sum(sum(game.asked) for game in summary.games)
    first, second, third = map(tuple, match.talks)
    figures = FullFigures(
        decisions=decisions,
        messages=sum(not is_sent for talk in match.talks for is_sent, _ in talk),
        seconds=seconds,
        referee_us=1e6 * referee_seconds / decisions,
        bots_us=1e3 * sum(bot.cpu_ms for bot in launcher.bots) / decisions,
    )
    return figures, (first, second, third)


_NAMES: Final = ("cheap0", "cheap1", "cheap2")


def _tournament(games: int, tables: int) -> TournamentFile:
    bot = read_bot(BOT_FOLDER)
    return TournamentFile(
        name=NAME,
        seed=SEED,
        blocks=games,
        games_per_match=games,
        tables=tables,
        time=TimeLimits(),
        faults=FaultLimits(),
        entries=tuple(Entry(name=name, bot=bot, gauntlet=False) for name in _NAMES),
    )


class _TimedLog(LogWriter):
    """Notes when the first deal is settled: by then all bots are up."""

    began = 0.0
    began_cpu = 0.0

    def write(self, *lines: Line) -> None:
        if not self.began and isinstance(lines[0], DealLine):
            self.began = time.perf_counter()
            self.began_cpu = time.process_time()
        super().write(*lines)


class _RecordingMatch(Match):
    """Keeps the messages of each seat."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.talks: tuple[list[tuple[bool, bytes]], ...] = ([], [], [])

    def take(self, seat: int) -> bytes | None:
        data = super().take(seat)
        if data is not None:
            self.talks[seat].append((True, data))
        return data

    def heard(self, seat: int, data: bytes) -> None:
        self.talks[seat].append((False, data))
        super().heard(seat, data)


class _CountingLauncher(ProcessLauncher):
    """Remembers the processes, which know their processor time in the end."""

    def __init__(self) -> None:
        self.bots: list[RunningProcess] = []

    async def start(
        self, bot: BotVersion, *, address: str, token: str, output: Path
    ) -> RunningProcess:
        running = await super().start(bot, address=address, token=token, output=output)
        self.bots.append(running)
        return running
