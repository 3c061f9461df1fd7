"""Standings as their page shows them: intervals on a scale, and each against each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from thousand_referee.fits import Snapshot
from thousand_referee.ratings.results import Difference, Standings, StandingsRow
from thousand_referee.text import printable
from thousand_referee.web.charts import Scale, scale_of
from thousand_referee.web.queries import EntryRow

CROSS_ROWS: Final = 24
"""A cross table has so many rows at most: those of the best bots."""
_LEVELS: Final = (50, 150)


@dataclass(frozen=True, slots=True)
class Interval:
    """A rating drawn: places in percent; `low` and `high` are None with too few blocks."""

    middle: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Cell:
    """A field of the cross table: the row's score against the column's bot.

    `shade` names how it is drawn: better or worse for sure, by how much (1 to 3), same if
    the two can't be told apart, unsure if there are too few blocks to say.
    """

    score: str
    shade: str
    label: str


@dataclass(frozen=True, slots=True)
class StandingsView:
    """All that the standings' part of a page draws; `cross` has a row of cells by bot."""

    rows: tuple[tuple[StandingsRow, Interval | None], ...]
    scale: Scale
    cross_names: tuple[str, ...]
    cross: tuple[tuple[Cell | None, ...], ...]
    fault_kinds: tuple[str, ...]
    retired: frozenset[str]
    has_dashes: bool


def view_of(snapshot: Snapshot, entries: Iterable[EntryRow]) -> StandingsView:
    """Lay a snapshot out."""
    table = snapshot.standings
    ends = [
        value
        for row in table.rows
        for value in (row.elo, row.elo_low, row.elo_high)
        if value is not None
    ]
    scale = scale_of(ends)
    names = tuple(row.name for row in table.rows[:CROSS_ROWS] if row.elo is not None)
    kinds = sorted({kind for faults in snapshot.faults.values() for kind in faults})
    return StandingsView(
        rows=tuple((row, _interval(row, scale)) for row in table.rows),
        scale=scale,
        cross_names=names,
        cross=_cross(table, names),
        fault_kinds=tuple(kinds),
        retired=frozenset(entry.name for entry in entries if entry.retired),
        has_dashes=any(row.elo is not None and row.elo_low is None for row in table.rows),
    )


def next_sign(row: StandingsRow) -> tuple[str, str]:
    """Say how a bot compares with the one below: a sign, and what it means."""
    if row.to_next is None:
        return "", ""
    if row.to_next.low is None:
        return "—", "too few blocks, or opponents, to say"
    if row.better_than_next:
        return ">", f"better than {printable(row.to_next.second)} (95%)"
    return "=", f"can't be told apart from {printable(row.to_next.second)}"


def _interval(row: StandingsRow, scale: Scale) -> Interval | None:
    if row.elo is None:
        return None
    if row.elo_low is None or row.elo_high is None:
        return Interval(scale.place(row.elo), None, None)
    return Interval(scale.place(row.elo), scale.place(row.elo_low), scale.place(row.elo_high))


def _cross(table: Standings, names: tuple[str, ...]) -> tuple[tuple[Cell | None, ...], ...]:
    known = {(each.first, each.second): each for each in table.differences}

    def cell(row: str, column: str) -> Cell | None:
        found = known.get((row, column))
        if found is None and (column, row) in known:
            found = known[column, row].reversed()
        return None if found is None else _cell(found)

    return tuple(tuple(cell(row, column) for column in names) for row in names)


def _cell(difference: Difference) -> Cell:
    first, second = printable(difference.first), printable(difference.second)
    elo = f"Elo {difference.elo:+.0f}"
    if difference.low is None or difference.high is None:
        shade, told = "unsure", f"{elo}, too few blocks, or opponents, to say more"
    else:
        told = f"{elo} (95%: {difference.low:+.0f} to {difference.high:+.0f})"
        level = 1 + sum(abs(difference.elo) > least for least in _LEVELS)
        shade = "same"
        if difference.low > 0:
            shade = f"better-{level}"
        elif difference.high < 0:
            shade = f"worse-{level}"
    if difference.score is None:
        return Cell("–", shade, f"{first} never met {second}; {told}")
    score = f"{difference.score:.0%}"
    return Cell(
        score.removesuffix("%"),
        shade,
        f"{first} was ahead of {second} in {score} of {difference.games:,} games; {told}",
    )
