"""What a bot's page shows of one tournament."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from thousand_referee.fits import History, Snapshot
from thousand_referee.ratings.results import StandingsRow
from thousand_referee.web.charts import Line, Scale, lines_of, scale_of
from thousand_referee.web.queries import EntryRow, TournamentRow

_FEWEST_POINTS: Final = 2


@dataclass(frozen=True, slots=True)
class RatingChart:
    """Ratings over blocks, in a drawing of 100 by 100: the bot's own line, and the others'."""

    own: Line
    others: tuple[Line, ...]
    across: Scale
    up: Scale


@dataclass(frozen=True, slots=True)
class BotResult:
    """A bot in one tournament. What isn't known yet is None; pending if that will change soon."""

    tournament: TournamentRow
    entry: EntryRow
    row: StandingsRow | None
    of: int
    faults: Mapping[str, int]
    chart: RatingChart | None
    is_pending: bool


def bot_view(
    name: str, tournament: TournamentRow, snapshot: Snapshot | None, history: History | None
) -> BotResult:
    """Sum up what is known of an entry; it must be one of the tournament's."""
    entry = next(each for each in tournament.entries if each.name == name)
    rows = () if snapshot is None else snapshot.standings.rows
    return BotResult(
        tournament=tournament,
        entry=entry,
        row=next((row for row in rows if row.name == name), None),
        of=len(tournament.entries),
        faults={} if snapshot is None else snapshot.faults.get(name, {}),
        chart=None if history is None else _chart(name, history),
        is_pending=bool(tournament.matches) and (snapshot is None or history is None),
    )


def _chart(name: str, history: History) -> RatingChart | None:
    series: dict[str, list[tuple[float, float]]] = {}
    for blocks, elo in history.points:
        for bot, rating in elo.items():
            series.setdefault(bot, []).append((blocks, rating))
    if len(series.get(name, ())) < _FEWEST_POINTS:
        return None
    up = scale_of([rating for points in series.values() for _, rating in points], ticks=3)
    last = history.points[-1][0]
    bare = Scale(history.points[0][0], last, ())
    inner = (tick for tick in scale_of([0, last]).ticks if 5 < bare.place(tick) < 95)
    across = replace(bare, ticks=tuple(inner))
    lines = lines_of(series, across, up, 100, 100)
    own = lines.pop(name)
    return RatingChart(own, tuple(lines.values()), across, up)
