"""What the store holds of each match, for whoever looks behind the standings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any, TypeAlias

from sqlalchemy import select

from thousand_referee.matchlog.summary import MatchSummary
from thousand_referee.store.engine import reading
from thousand_referee.store.schema import entries, games, matches, tournaments
from thousand_referee.store.store import Store

_BY_SEAT = ("place", "score", "points", "faults", "asked")
_ROWS_AT_ONCE = 2_000

GameFigures: TypeAlias = tuple[int, ...]
"""Of a game: block, deals, then by seat places, scores, points, faults and decisions asked."""


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A finished match as the store has it. `bots`, `faults` and `times` are by seat.

    `log` is the path of its log relative to the folder of logs.
    """

    match: str
    bots: tuple[str, str, str]
    lag_ms: float
    faults: tuple[Mapping[str, int], ...]
    times: tuple[Mapping[str, Any], ...]
    log: str
    games: tuple[GameFigures, ...]

    def asked(self, seat: int) -> int:
        """Give the number of decisions that a seat was asked."""
        return sum(game[seat - 3] for game in self.games)


def match_records(store: Store, tournament: str) -> Iterator[MatchRecord]:
    """Yield all finished matches of a tournament, by match; DataError as for `Store`."""
    store.tournament(tournament)  # DataError if there is none
    columns = [games.c.block, games.c.deals]
    columns += [games.c[f"{name}_{seat}"] for name in _BY_SEAT for seat in range(3)]
    with reading(store.engine) as connection:
        listed = connection.execute(select(entries.c.id, entries.c.name))
        names = {row.id: row.name for row in listed}
        query = (
            select(
                matches.c.match, matches.c.entry_0, matches.c.entry_1, matches.c.entry_2,
                matches.c.lag_ms, matches.c.faults, matches.c.times, matches.c.log, *columns,
            )
            .join_from(matches, games)
            .join(tournaments, tournaments.c.id == matches.c.tournament_id)
            .where(tournaments.c.name == tournament)
            .order_by(matches.c.match, games.c.game)
            .execution_options(yield_per=_ROWS_AT_ONCE)
        )  # fmt: skip
        for match, rows in groupby(connection.execute(query), key=lambda row: str(row[0])):
            several = list(rows)
            _, first, second, third, lag_ms, faults, times, log, *_ = several[0]
            yield MatchRecord(
                match=match,
                bots=(names[first], names[second], names[third]),
                lag_ms=lag_ms,
                faults=tuple(faults),
                times=tuple(times),
                log=log,
                games=tuple(tuple(row[8:]) for row in several),
            )


def figures_of(summary: MatchSummary) -> tuple[GameFigures, ...]:
    """Give the figures of a match's games as a `MatchRecord` should have them."""
    return tuple(
        (
            game.block, game.deals, *game.places, *game.scores, *game.points, *game.faults,
            *game.asked,
        )
        for game in summary.games
    )  # fmt: skip
