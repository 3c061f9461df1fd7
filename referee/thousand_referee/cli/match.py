"""``thousand match``: one match between three bots, without a tournament."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

import click

from thousand_referee.cli.options import (
    SEED,
    base_image_option,
    build_arg_option,
    data_option,
    sandbox_of,
    sandbox_option,
)
from thousand_referee.cli.output import json_text
from thousand_referee.cli.progress import Progress, stop_at_once
from thousand_referee.data_folder import DataFolder
from thousand_referee.matchlog.summary import MatchSummary
from thousand_referee.matchlog.writer import RUNNING_SUFFIX
from thousand_referee.spec import FaultLimits, MatchSpec, TimeLimits

_DRAINING: Final = "finishing the match; press Ctrl-C again to stop at once, and keep nothing of it"


@click.command()
@click.argument("bots", nargs=3, type=click.Path(path_type=Path), metavar="BOT BOT BOT")
@click.option("--games", type=click.IntRange(1, 10_000), default=10, show_default=True)
@click.option(
    "--tables",
    type=click.IntRange(1, 256),
    default=64,
    show_default=True,
    help="Games at the same time.",
)
@click.option("--seed", type=SEED, help="Seed of the cards; by default another one each time.")
@click.option(
    "--move-ms",
    type=click.IntRange(1, 86_400_000),
    default=TimeLimits().move_ms,
    show_default=True,
    help="Time for each decision, in milliseconds.",
)
@sandbox_option
@base_image_option
@build_arg_option
@data_option
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def match(
    bots: tuple[Path, Path, Path],
    games: int,
    tables: int,
    seed: str | None,
    move_ms: int,
    sandbox: str,
    base_image: str,
    build_args: tuple[tuple[str, str], ...],
    data: Path,
    as_json: bool,
) -> None:
    """Play a match between three bots, each a folder with a bot.toml.

    They sit in the order given; a folder may be named more than once. The match's log is
    kept in the data folder.
    """
    from thousand_referee.coordinator import draining, play_matches
    from thousand_referee.executor import LocalExecutor
    from thousand_referee.single_match import read_entries, single_match

    folder = DataFolder.open(data, create=True)
    settings = sandbox_of(sandbox, base_image, build_args)
    watcher = _Keeping()
    entries = read_entries(bots, in_container=settings.kind == "docker")
    if settings.kind == "docker":
        from thousand_referee.launch.images import in_images

        entries = in_images(entries, settings, folder.builds, watcher.say)
    spec = single_match(
        entries,
        seed=seed or secrets.token_hex(8),
        games=games,
        tables=tables,
        time=TimeLimits(move_ms=move_ms),
        faults=FaultLimits(),
        data=folder,
        sandbox=settings,
    )
    executor = LocalExecutor(1, ahead=0)
    with draining(partial(watcher.say, _DRAINING), partial(_give_up, spec)) as drain:
        try:
            watcher.planned(games, 0)
            play_matches([spec], executor, 1, watcher, drain)
        finally:
            watcher.clear()
            executor.shutdown()
    if watcher.summary is None:
        sys.exit(130)
    if as_json:
        click.echo(json_text(watcher.summary))
    else:
        _print_summary(watcher.summary, Path(spec.output_dir) / spec.match)


def _give_up(spec: MatchSpec) -> None:
    """End at once, and leave no log that nobody can go on with."""
    (Path(spec.log_dir) / f"{spec.match}{RUNNING_SUFFIX}").unlink(missing_ok=True)
    stop_at_once("nothing is kept of the match")


class _Keeping(Progress):
    """Progress that also keeps the result."""

    def __init__(self) -> None:
        super().__init__("match")
        self.summary: MatchSummary | None = None

    def finished(self, spec: MatchSpec, summary: MatchSummary) -> None:
        super().finished(spec, summary)
        self.summary = summary


def _print_summary(summary: MatchSummary, output: Path) -> None:
    """Say who won how often, what it took, why a bot broke down, and where to read on."""
    from thousand_referee.text import printable
    from thousand_referee.times import TimeHistogram

    games = len(summary.games)
    asked = sum(sum(game.asked) for game in summary.games)
    click.echo(f"{games:,} games, {summary.deals:,} deals, {asked:,} decisions")
    for seat, bot in enumerate(summary.bots):
        wins = sum(1 / len(game.winners) for game in summary.games if seat in game.winners)
        place = sum(game.places[seat] for game in summary.games) / games
        times = TimeHistogram.from_json(summary.times[seat])
        median, worst = times.quantile(0.5), times.worst_ms
        line = f"  {printable(bot.name):<24} wins {wins:g}, mean place {place:.2f}"
        if median is not None and worst is not None:
            line += f", {median:.2f} ms a decision (worst {worst:.0f})"
        for kind, count in sorted(summary.faults[seat].items()):
            line += f", {count} {kind}"
        click.echo(line)
    for line in _breakdowns(summary, output):
        click.echo(line)
    click.echo(f"read it: thousand log show {summary.match}")


def _breakdowns(summary: MatchSummary, output: Path) -> Iterator[str]:
    """Say for each bot whose process failed what it said of that, and where."""
    from thousand_referee.bot_output import PROCESS_FAULTS, last_words, output_files, where_to_read
    from thousand_referee.faults import FaultKind

    for seat, bot in enumerate(summary.bots):
        kinds = PROCESS_FAULTS & summary.faults[seat].keys()
        if not kinds:
            continue
        how = "crashed" if FaultKind.CRASH in kinds else "didn't start"
        files = output_files(output, seat, bot.name)
        said = last_words(files)
        yield f"{bot.name} {how}: {said}" if said else f"{bot.name} {how}, and said nothing of it"
        if said:
            yield f"  {where_to_read(files)}"
