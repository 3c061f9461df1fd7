"""``thousand standings``: the table of a tournament, for people and for programs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from thousand_referee.cli.options import data_option, store_option
from thousand_referee.standings_forms import standings_csv, standings_json

if TYPE_CHECKING:
    from rich.table import Table

    from thousand_referee.ratings.results import Standings, StandingsRow

MISSING = "—"


@click.command("standings")
@click.argument("tournament", required=False)
@data_option
@store_option
@click.option("--anchor", metavar="BOT", help="Give this bot a rating of 1500.")
@click.option("--json", "as_json", is_flag=True, help="Print all figures as JSON.")
@click.option("--csv", "as_csv", is_flag=True, help="Print the table as CSV.")
def standings_command(
    tournament: str | None,
    data: Path,
    store_url: str | None,
    anchor: str | None,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Show the standings of TOURNAMENT, or of the only one there is."""
    from thousand_referee.tournament import find_tournament, open_arena, standings_of

    if as_json and as_csv:
        raise click.UsageError("--json and --csv are two forms of the same; choose one")
    with open_arena(data, store_url) as arena:
        name = find_tournament(arena, tournament)
        table = standings_of(arena, name, anchor=anchor)
    print_standings(name, table, as_json=as_json, as_csv=as_csv)


def print_standings(
    name: str, table: Standings, *, as_json: bool = False, as_csv: bool = False
) -> None:
    """Write standings to standard output in one of three forms."""
    if as_json:
        click.echo(standings_json(name, table))
    elif as_csv:
        click.echo(standings_csv(table), nl=False)
    else:
        _print_table(name, table)


def _print_table(name: str, table: Standings) -> None:
    from rich.console import Console

    console = Console(width=None if sys.stdout.isatty() else 120)
    columns, missing = _fitting(_columns(table.rows), console.width)
    console.print(_drawn(f"Standings of {name}", columns))
    notes = [f"{table.games:,} games in {table.blocks:,} complete blocks"]
    if table.games_left_out:
        notes.append(f"{table.games_left_out:,} games of unfinished blocks are left out")
    console.print("; ".join(notes) + ".", highlight=False)
    console.print(_reading_aid(table.rows), highlight=False, style="dim")
    if missing:
        text = f"No room for: {', '.join(missing)}. A wider terminal shows them, or --csv."
        console.print(text, highlight=False, style="dim")


@dataclass(frozen=True, slots=True)
class _Column:
    """A column, and when it goes where there is little room: 1 first, 0 never."""

    header: str
    justify: Literal["left", "center", "right"]
    leaves: int
    cells: list[str]

    @property
    def width(self) -> int:
        """Characters, with the space on both sides."""
        return 2 + max(map(len, (self.header, *self.cells)))


def _columns(rows: Sequence[StandingsRow]) -> list[_Column]:
    """Give the whole table, best bot first."""
    from thousand_referee.text import printable

    return [
        _Column("#", "right", 0, [str(row.rank) for row in rows]),
        _Column("bot", "left", 0, [printable(row.name) for row in rows]),
        _Column("Elo", "right", 0, [_figure(row.elo, ".0f") for row in rows]),
        _Column("95%", "right", 0, [_interval(row.elo, row.elo_low, row.elo_high) for row in rows]),
        _Column("next", "center", 0, [_next_sign(row) for row in rows]),
        _Column("wins", "right", 5, [_figure(row.win_share, ".1%") for row in rows]),
        _Column("place", "right", 3, [_figure(row.mean_place, ".2f") for row in rows]),
        _Column("points/deal", "right", 2, [_points(row) for row in rows]),
        _Column("games", "right", 4, [f"{row.games:,}" for row in rows]),
        _Column("faults", "right", 6, [str(row.faults) for row in rows]),
        _Column("ms median/p99/worst", "right", 1, [_times(row) for row in rows]),
    ]


def _fitting(columns: list[_Column], width: int) -> tuple[list[_Column], list[str]]:
    """Leave columns out until the rest fits; give the rest, and the headers left out."""
    missing = []
    for column in sorted((each for each in columns if each.leaves), key=lambda each: each.leaves):
        if 2 + sum(each.width for each in columns) <= width:
            break
        columns = [each for each in columns if each is not column]
        missing.append(column.header)
    return columns, missing


def _drawn(title: str, columns: Sequence[_Column]) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from thousand_referee.text import printable

    drawn = Table(title=Text(printable(title)), box=box.SIMPLE_HEAD)
    for column in columns:
        drawn.add_column(column.header, justify=column.justify, no_wrap=True)
    for row in zip(*(column.cells for column in columns), strict=True):
        drawn.add_row(*map(Text, row))
    return drawn


def _times(row: StandingsRow) -> str:
    return "/".join(
        _figure(figure, ".2f" if figure is not None and figure < 10 else ".0f")
        for figure in (row.time_median_ms, row.time_p99_ms, row.time_worst_ms)
    )


def _figure(value: float | None, spec: str) -> str:
    return MISSING if value is None else format(value, spec)


def _interval(middle: float | None, low: float | None, high: float | None) -> str:
    if middle is None or low is None or high is None:
        return MISSING
    return f"{low - middle:+.0f} {high - middle:+.0f}"


def _points(row: StandingsRow) -> str:
    if row.points_per_deal is None:
        return MISSING
    if row.points_low is None or row.points_high is None:
        return f"{row.points_per_deal:.1f}"
    half = max(row.points_high - row.points_per_deal, row.points_per_deal - row.points_low)
    return f"{row.points_per_deal:.1f} ± {half:.1f}"


def _next_sign(row: StandingsRow) -> str:
    """Say whether a bot is better than the one below: > for sure, = can't be told."""
    if row.to_next is None:
        return ""
    if row.to_next.low is None:
        return MISSING
    return ">" if row.better_than_next else "="


def _reading_aid(rows: Sequence[StandingsRow]) -> str:
    aid = "next: > better than the bot below (95%), = can't be told apart."
    if any(row.elo_low is None or (row.to_next and row.to_next.low is None) for row in rows):
        aid += f" {MISSING}: too few complete blocks, or opponents, to say."
    return aid
