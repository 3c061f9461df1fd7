"""``thousand log``: match logs listed, shown and verified."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from thousand_referee.cli.options import SEED, data_option
from thousand_referee.cli.status_line import StatusLine
from thousand_referee.errors import DataError, LogError

if TYPE_CHECKING:
    from thousand_referee.matchlog.describe import LogDescription

_PATIENCE_SECONDS: Final = 2.0
"""Verifying that takes longer shows how far it is."""


@click.group()
def log() -> None:
    """List, show and verify match logs."""


@log.command("list")
@data_option
@click.option("--tournament", metavar="NAME", help="Only the logs of this tournament.")
@click.option("--json", "as_json", is_flag=True, help="Print the list as JSON.")
def list_command(data: Path, tournament: str | None, as_json: bool) -> None:
    """List the logs of the data folder.

    Unfinished and broken ones are among them, and marked.
    """
    from thousand_referee.matchlog.describe import describe_log
    from thousand_referee.matchlog.reader import find_logs

    described = (describe_log(path) for path in find_logs(_logs_folder(data)))
    chosen = [each for each in described if tournament in (None, each.tournament)]
    if as_json:
        click.echo(json.dumps([asdict(each) for each in chosen], indent=2))
        return
    if not chosen:
        where = _logs_folder(data).parent if tournament is None else f"tournament {tournament!r}"
        click.echo(f"no match logs in {where}")
        return
    rows = [("match", "bots", "games", "deals", "faults", "size", "")]
    rows += map(_row, chosen)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (
            cell.ljust(width) if place in (0, 1, 6) else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        click.echo("  ".join(cells).rstrip())


@log.command("show")
@click.argument("log_name", metavar="LOG")
@click.option("--game", type=int, metavar="N", help="Show this game, from 0, deal by deal.")
@click.option("--deal", type=int, metavar="N", help="Only this deal of the game, from 1.")
@data_option
def show_command(log_name: str, game: int | None, deal: int | None, data: Path) -> None:
    """Show a match, a game or a deal.

    Without --game, it is told how each game ended. LOG is a file, or a match of the data
    folder: its id, or the beginning of it. LOG/3 is game 3 of it.
    """
    log_name, game = split_game(log_name, game)
    if deal is not None and game is None:
        raise click.UsageError("--deal needs --game: every game has a deal of that number")
    from thousand_referee.matchlog.show import show_game, show_match

    path = find_log(log_name, data)
    color = _wants_color()
    if game is None:
        lines = show_match(path, color=color)
    else:
        lines = show_game(path, game, deal, color=color)
    for line in lines:
        click.echo(line, color=color)


@log.command("verify")
@click.argument("log_names", metavar="[LOG]...", nargs=-1)
@data_option
@click.option("--seed", type=SEED, help="The tournament's seed: check that the cards come from it.")
@click.option("--json", "as_json", is_flag=True, help="Print the outcome as JSON.")
@click.pass_context
def verify_command(
    ctx: click.Context, log_names: tuple[str, ...], data: Path, seed: str | None, as_json: bool
) -> None:
    """Check logs by playing them again.

    The cards are dealt anew from the seeds, and every figure is compared. LOG is a file,
    or a match of the data folder: its id, or the beginning of it. Without LOG all
    finished logs of the data folder are verified. The exit status is 1 if any is wrong.
    """
    from thousand_referee.matchlog.reader import find_logs
    from thousand_referee.matchlog.writer import RUNNING_SUFFIX
    from thousand_referee.text import printable

    running = 0
    if log_names:
        paths = [find_log(name, data) for name in log_names]
    else:
        found = list(find_logs(_logs_folder(data)))
        paths = [path for path in found if not path.name.endswith(RUNNING_SUFFIX)]
        running = len(found) - len(paths)
    wrong: list[LogError] = []
    for error in _verify(paths, seed):
        wrong.append(error)
        if not as_json:
            click.echo(printable(str(error)))
    if as_json:
        problems = [
            {"file": error.file, "line": error.line, "problem": error.problem} for error in wrong
        ]
        outcome = {"verified": len(paths), "unfinished": running, "wrong": problems}
        click.echo(json.dumps(outcome, indent=2))
    else:
        unfinished = f"; {running} unfinished not looked at" if running else ""
        click.echo(f"{len(paths)} logs verified, {len(wrong)} wrong{unfinished}")
    if wrong:
        ctx.exit(1)


def _verify(paths: Sequence[Path], seed: str | None) -> Iterator[LogError]:
    """Verify logs, and yield what is wrong with those that are."""
    from thousand_referee.matchlog.verify import verify_log

    line = StatusLine(patience_seconds=_PATIENCE_SECONDS)
    for number, path in enumerate(paths):
        line.tick(lambda number=number: f"verified {number} of {len(paths)} logs")  # type: ignore[misc]
        try:
            verify_log(path, seed)
        except LogError as error:
            line.clear()
            yield error
    line.clear()


def _logs_folder(data: Path) -> Path:
    from thousand_referee.data_folder import DataFolder

    return DataFolder.open(data, create=False).logs


def split_game(name: str, game: int | None) -> tuple[str, int | None]:
    """Take MATCH/3 apart; without a number in it, it is the option's."""
    log, slash, number = name.rpartition("/")
    if slash and log and number.isdecimal() and not Path(name).is_file():
        if game is not None:
            raise click.UsageError(f"the game is given twice, as {number} and --game {game}")
        return log, int(number)
    return name, game


def find_log(name: str, data: Path) -> Path:
    """Give the log that a person means: a file, or a match by the beginning of its id."""
    from thousand_referee.matchlog.reader import find_logs
    from thousand_referee.matchlog.writer import FINISHED_SUFFIX, RUNNING_SUFFIX

    if Path(name).is_file() or name.endswith((RUNNING_SUFFIX, FINISHED_SUFFIX)):
        return Path(name)
    # Of a match with a finished and an unfinished log the finished one comes last.
    matches = {
        path.name.partition(RUNNING_SUFFIX)[0]: path for path in find_logs(_logs_folder(data))
    }
    if name in matches:
        return matches[name]
    fitting = sorted(match for match in matches if match.startswith(name))
    if not fitting:
        raise DataError(
            f"{data}: no log of a match {name!r}; `thousand log list` tells which there are"
        )
    if len(fitting) > 1:
        raise DataError(
            f"{data}: {len(fitting)} matches begin with {name!r}, {fitting[0]} and {fitting[1]} "
            "among them; give more of the id"
        )
    return matches[fitting[0]]


def _row(log: LogDescription) -> tuple[str, str, str, str, str, str, str]:
    """Give the cells of a log's line in the list."""
    from thousand_referee.text import printable

    games = f"{log.games:,}"
    note = ""
    if log.is_running:
        games, note = f"{games}/{log.games_planned:,}", "unfinished"
    elif log.problem is not None:
        note = f"broken: {printable(log.problem)}"
    return (
        printable(log.match),
        ", ".join(map(printable, log.names)),
        games,
        f"{log.deals:,}",
        f"{log.faults:,}",
        f"{log.size / 1024:,.0f} KiB",
        note,
    )


def _wants_color() -> bool:
    """Say whether standard output is a terminal with colors, and NO_COLOR is not set."""
    from rich.console import Console

    console = Console()
    return console.is_terminal and console.color_system is not None and not console.no_color
