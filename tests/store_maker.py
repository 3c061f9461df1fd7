"""Makes tournaments and match results for tests of the store, out of nothing but a name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from thousand_referee.bots import BotFolder
from thousand_referee.matchlog.records import BotLine
from thousand_referee.matchlog.summary import GameSummary, MatchSummary
from thousand_referee.schedule import PlannedMatch, Schedule
from thousand_referee.spec import FaultLimits, TimeLimits
from thousand_referee.times import TimeHistogram
from thousand_referee.tournament_file import Entry, TournamentFile

NAMES = ("anna", "boris", "clara")


def entry_of(name: str, version: str | None = None, gauntlet: bool = False) -> Entry:
    """Make an entry; its bot's version is v-NAME if none is given."""
    bot = BotFolder(
        name=name,
        command=("python", "bot.py"),
        description=f"{name} plays",
        folder=Path("/bots") / name,
        digest=version or f"v-{name}",
    )
    return Entry(name=name, bot=bot, gauntlet=gauntlet)


def tournament_of(names: Sequence[str] = NAMES, **changes: Any) -> TournamentFile:
    """Make a tournament of 4 blocks, 2 in each match; `changes` are its attributes."""
    tournament = TournamentFile(
        name="test",
        seed="a seed for tests",
        blocks=4,
        games_per_match=2,
        tables=2,
        time=TimeLimits(),
        faults=FaultLimits(),
        entries=tuple(entry_of(name) for name in names),
    )
    return msgspec.structs.replace(tournament, **changes)


def schedule_of(tournament: TournamentFile) -> Schedule:
    """Plan a tournament."""
    plan = tournament.plan()
    assert isinstance(plan, Schedule)
    return plan


def summary_of(planned: PlannedMatch, tournament: str = "test") -> MatchSummary:
    """Make up a match's result, always the same for the same match."""
    match = planned.id_in(tournament)
    random = Random(match)
    first, second, third = (BotLine(name, f"v-{name}") for name in planned.seats)
    times = [TimeHistogram() for _ in range(3)]
    for histogram in times:
        for _ in range(50):
            histogram.add(random.randint(1, 100_000))
    games = tuple(
        _game(random, number, planned.first_block + number) for number in range(planned.games)
    )
    return MatchSummary(
        match=match,
        tournament=tournament,
        bots=(first, second, third),
        first_block=planned.first_block,
        games=games,
        faults=({"timeout": 1}, {}, {"crash": 2, "illegal": 1}),
        times=(times[0].to_json(), times[1].to_json(), times[2].to_json()),
        lag_ms=round(random.uniform(0, 9), 3),
        deals=sum(game.deals for game in games),
        started=f"2026-01-02T03:04:{planned.first_block:02d}+00:00",
    )


def _game(random: Random, number: int, block: int) -> GameSummary:
    places = random.choice([(1, 2, 3), (2, 1, 3), (3, 1, 1), (1, 2, 2), (3, 2, 1)])
    deals = random.randint(5, 40)
    return GameSummary(
        game=number,
        block=block,
        places=(places[0], places[1], places[2]),
        winners=tuple(seat for seat in range(3) if places[seat] == 1),
        scores=(1000, random.randrange(-500, 880, 5), 880),
        deals=deals,
        out=random.choice([(), (0,), (1, 2)]),
        points=(deals * 40, deals * 41, random.randint(0, 1000)),
        asked=(50, 60, 70),
        ms=(1.5, 2.25, 1000.125),
        faults=(0, 1, random.randint(0, 3)),
    )
