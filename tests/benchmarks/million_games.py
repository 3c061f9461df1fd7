"""A tournament of a million games: memory and time of the coordinator and the standings.

    python tests/benchmarks/million_games.py [GAMES] [--schedule full] [--store URL]

100 bots; results are made up. Nearly all of them are written to the store in bulk, then the
real coordinator goes on: it plays a thousand matches, and a thousand in a tournament that
has just begun, for comparison. `--schedule full` has every trio once, in matches of one
game, which is the hardest shape. Steps run in processes of their own, so that the peak of
memory is each one's.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import resource
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from itertools import islice
from math import comb
from pathlib import Path
from typing import Any

from sqlalchemy import func, insert, select

from thousand_referee.bots import BotFolder
from thousand_referee.coordinator import Drain
from thousand_referee.matchlog.records import BotLine
from thousand_referee.matchlog.summary import GameSummary, MatchSummary
from thousand_referee.schedule import PlannedMatch, match_spec
from thousand_referee.spec import BotVersion, FaultLimits, MatchSpec, TimeLimits
from thousand_referee.store.engine import writing
from thousand_referee.store.entering import game_row, match_row, read_roster
from thousand_referee.store.schema import games, matches
from thousand_referee.times import TimeHistogram
from thousand_referee.tournament import open_arena, run_tournament, standings_of
from thousand_referee.tournament_file import Entry, TournamentFile

BOTS = 100
PLAYED = 1_000
AT_ONCE = 5_000


def tournament_of(name: str, games: int, is_full: bool) -> TournamentFile:
    """Describe the tournament; a full one has blocks for about so many games."""
    bots = [
        BotFolder(
            name=f"bot{number:03}",
            command=("python", "bot.py"),
            description="",
            folder=Path("/nowhere"),
            digest=f"{number:016x}{number:048x}",
        )
        for number in range(BOTS)
    ]
    return TournamentFile(
        name=name,
        seed="1",
        blocks=max(1, round(games / 6 / comb(BOTS, 3))) if is_full else None,
        blocks_per_entry=None if is_full else round(games / 6 * 3 / BOTS),
        games_per_match=20,
        tables=1,
        time=TimeLimits(),
        faults=FaultLimits(),
        entries=tuple(Entry(name=bot.name, bot=bot, gauntlet=False) for bot in bots),
    )


def _times() -> dict[str, Any]:
    histogram = TimeHistogram()
    for _ in range(60):
        histogram.add(random.randint(100, 3_000))
    return histogram.to_json()


TIMES = [_times() for _ in range(50)]


def summary_of(spec: MatchSpec) -> MatchSummary:
    """Make up a result."""
    first, second, third = (BotLine(bot.name, bot.version) for bot in spec.bots)
    games = tuple(_game(spec, number) for number in range(spec.games))
    return MatchSummary(
        match=spec.match,
        tournament=spec.tournament,
        bots=(first, second, third),
        first_block=spec.first_block,
        games=games,
        faults=({}, {}, {}),
        times=(random.choice(TIMES), random.choice(TIMES), random.choice(TIMES)),
        lag_ms=1.0,
        deals=15 * spec.games,
        started="2026-01-01T00:00:00+00:00",
    )


def _game(spec: MatchSpec, number: int) -> GameSummary:
    """Make up a game: places by strength and luck."""
    strength = [int(bot.name[3:]) / 25 - random.expovariate(1) for bot in spec.bots]
    order = sorted(range(3), key=lambda seat: -strength[seat])
    places = tuple(1 + order.index(seat) for seat in range(3))
    return GameSummary(
        game=number,
        block=spec.first_block + number,
        places=(places[0], places[1], places[2]),
        winners=(order[0],),
        scores=(1000, 500, 200),
        deals=15,
        out=(),
        points=(random.randint(300, 900), 600, 500),
        asked=(60, 60, 60),
        ms=(20.5, 21.5, 22.5),
        faults=(0, 0, 0),
    )


def fill(data: Path, store: str | None, file: TournamentFile) -> dict[str, Any]:
    """Write the results of all matches but the last thousand, in bulk."""
    random.seed(1)
    plan = file.plan()
    bots = {entry.name: entry.bot.as_entry(entry.name) for entry in file.entries}
    with open_arena(data, store, create=True) as arena:
        arena.store.create_or_resume(file, "")
        with writing(arena.store.engine) as connection:
            roster = read_roster(connection, file.name)
            assert roster is not None
            number = connection.scalar(select(func.max(matches.c.id))) or 0
            rows: list[dict[str, Any]] = []
            game_rows: list[dict[str, Any]] = []
            for planned in islice(plan, len(plan) - PLAYED):
                number += 1
                summary = summary_of(_spec(planned, file, bots))
                rows.append(match_row(roster, summary, "log") | {"id": number})
                game_rows += [game_row(number, game) for game in summary.games]
                if len(rows) == AT_ONCE:
                    connection.execute(insert(matches), rows)
                    connection.execute(insert(games), game_rows)
                    rows, game_rows = [], []
            connection.execute(insert(matches), rows)
            connection.execute(insert(games), game_rows)
    return {"games": plan.games, "matches": len(plan)}


def _spec(planned: PlannedMatch, file: TournamentFile, bots: dict[str, BotVersion]) -> MatchSpec:
    return match_spec(
        planned,
        tournament=file.name,
        seed="1",
        bots=bots,
        tables=file.tables,
        time=file.time,
        faults=file.faults,
        log_dir="/nowhere",
        output_dir="/nowhere",
    )


class MadeUp(Executor):
    """Makes results up at once."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Give a future that is done."""
        future: Future[Any] = Future()
        future.set_result(summary_of(args[0]))
        return future


class Stopwatch:
    """Watches a run, and ends it after a thousand matches."""

    def __init__(self, drain: Drain) -> None:
        self.count = 0
        self.has_begun = False
        self._began = time.perf_counter()
        self._cpu = time.process_time()
        self._drain = drain

    def lap(self) -> tuple[float, float]:
        """Give the seconds since the last one, and those of CPU."""
        now, cpu = time.perf_counter(), time.process_time()
        taken = now - self._began, cpu - self._cpu
        self._began, self._cpu = now, cpu
        return taken

    def planned(self, total: int, done: int) -> None:
        """Wait for the first match."""

    def say(self, text: str) -> None:
        """Nothing to say."""

    def started(self, spec: MatchSpec) -> None:
        """Note how long it took to begin."""
        if not self.has_begun:
            self.has_begun = True
            self.ready, self.ready_cpu = self.lap()

    def voided(self, spec: MatchSpec, reason: str) -> None:
        """Never."""
        raise AssertionError(reason)

    def finished(self, spec: MatchSpec, summary: MatchSummary) -> None:
        """Count."""
        self.count += 1
        if self.count == PLAYED - 2:
            self.taken, self.taken_cpu = self.lap()
            self._drain.is_wanted = True

    def ticked(self) -> None:
        """Nothing to draw."""


def play(data: Path, store: str | None, file: TournamentFile) -> dict[str, Any]:
    """Go on with a tournament for a thousand matches."""
    drain = Drain()
    watch = Stopwatch(drain)
    with open_arena(data, store, create=True) as arena:
        run_tournament(arena, file, MadeUp(), 2, watch, drain)
    return {
        "ready_s": round(watch.ready, 2),
        "ready_cpu_s": round(watch.ready_cpu, 2),
        "ms_per_match": round(1000 * watch.taken / watch.count, 2),
        "cpu_ms_per_match": round(1000 * watch.taken_cpu / watch.count, 2),
    }


def rate(data: Path, store: str | None, file: TournamentFile) -> dict[str, Any]:
    """Make the standings from the store."""
    with open_arena(data, store) as arena:
        table = standings_of(arena, file.name)
    return {"rated_games": table.games, "rows": len(table.rows)}


def _step(pipe: Any, step: Callable[..., dict[str, Any]], *arguments: Any) -> None:
    began, cpu = time.perf_counter(), time.process_time()
    found = step(*arguments)
    peak_mb = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    seconds = round(time.perf_counter() - began, 1)
    cpu_s = round(time.process_time() - cpu, 1)
    pipe.send(found | {"seconds": seconds, "cpu_s": cpu_s, "peak_mb": peak_mb})


def main() -> None:
    """Print each step's figures as JSON."""
    parser = argparse.ArgumentParser()
    parser.add_argument("games", nargs="?", type=int, default=1_000_000)
    parser.add_argument("--schedule", choices=["balanced", "full"], default="balanced")
    parser.add_argument("--store", help="URL of a database; by default an SQLite file")
    options = parser.parse_args()
    context = multiprocessing.get_context("spawn")
    full, begun = (
        tournament_of(name, options.games, options.schedule == "full")
        for name in ("million", "begun")
    )
    with tempfile.TemporaryDirectory() as folder:
        for name, step, file in (
            ("fill", fill, full),
            ("play the first thousand matches", play, begun),
            ("play the last thousand matches", play, full),
            ("standings", rate, full),
        ):
            ours, theirs = context.Pipe()
            arguments = (theirs, step, Path(folder) / "data", options.store, file)
            process = context.Process(target=_step, args=arguments)
            process.start()
            theirs.close()
            print(json.dumps({"step": name} | ours.recv()), flush=True)
            process.join()


if __name__ == "__main__":
    main()
