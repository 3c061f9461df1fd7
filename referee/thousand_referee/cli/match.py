"""``thousand match``: one match between three bots, without a tournament."""

from __future__ import annotations

import secrets
import sys
from collections import Counter
from collections.abc import Iterable
from functools import partial
from pathlib import Path

import click

from thousand_referee.cli.options import data_option
from thousand_referee.cli.output import json_text
from thousand_referee.cli.progress import DRAINING, Progress, stop_at_once
from thousand_referee.data_folder import SINGLE_MATCHES, DataFolder
from thousand_referee.matchlog.summary import MatchSummary
from thousand_referee.spec import BotVersion, FaultLimits, MatchSpec, TimeLimits


@click.command()
@click.argument("bots", nargs=3, type=click.Path(path_type=Path), metavar="BOT BOT BOT")
@click.option("--games", type=click.IntRange(1, 10_000), default=10, show_default=True)
@click.option(
    "--tables",
    type=click.IntRange(1, 256),
    default=16,
    show_default=True,
    help="Games at the same time.",
)
@click.option("--seed", help="Seed of the cards; by default another one each time.")
@click.option(
    "--move-ms",
    type=click.IntRange(1),
    default=TimeLimits().move_ms,
    show_default=True,
    help="Time for each decision, in milliseconds.",
)
@data_option
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def match(
    bots: tuple[Path, Path, Path],
    games: int,
    tables: int,
    seed: str | None,
    move_ms: int,
    data: Path,
    as_json: bool,
) -> None:
    """Play a match between three bots, each a folder with a bot.toml.

    They sit in the order given; a folder may be named more than once. The match's log is
    kept in the data folder.
    """
    from thousand_referee.coordinator import draining, play_matches
    from thousand_referee.executor import LocalExecutor

    folder = DataFolder.open(data, create=True)
    spec = _match_spec(bots, games, tables, seed or secrets.token_hex(8), move_ms, folder.path)
    watcher = _Keeping()
    executor = LocalExecutor(1)
    with draining(partial(watcher.say, DRAINING), stop_at_once) as drain:
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
        _print_summary(watcher.summary)


class _Keeping(Progress):
    """Progress that also keeps the result."""

    def __init__(self) -> None:
        super().__init__("match")
        self.summary: MatchSummary | None = None

    def finished(self, spec: MatchSpec, summary: MatchSummary) -> None:
        super().finished(spec, summary)
        self.summary = summary


def _match_spec(
    folders: Iterable[Path], games: int, tables: int, seed: str, move_ms: int, data: Path
) -> MatchSpec:
    """Describe a match on its own; its id follows from the time, so that none is replaced."""
    from datetime import UTC, datetime

    from thousand.rules import block_seed
    from thousand_referee.schedule import bot_seed

    first, second, third = _read_bots(folders)
    name = f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(2)}"
    trio = [bot.name for bot in (first, second, third)]
    seeds = tuple(bot_seed(seed, "match", seat).hex() for seat in range(3))
    return MatchSpec(
        match=name,
        tournament="",
        bots=(first, second, third),
        first_block=0,
        block_seeds=tuple(block_seed(seed, trio, block).hex() for block in range(games)),
        bot_seeds=(seeds[0], seeds[1], seeds[2]),
        tables=tables,
        time=TimeLimits(move_ms=move_ms),
        faults=FaultLimits(),
        log_dir=str(data / "logs" / SINGLE_MATCHES),
        output_dir=str(data / "output" / SINGLE_MATCHES),
    )


def _read_bots(folders: Iterable[Path]) -> list[BotVersion]:
    """Read the bots' folders; the second bot of a name is called `NAME#2`, and so on."""
    from thousand_referee.bots import read_bot

    seen = Counter[str]()
    bots = []
    for folder in folders:
        bot = read_bot(folder)
        seen[bot.name] += 1
        count = seen[bot.name]
        bots.append(bot.as_entry(bot.name if count == 1 else f"{bot.name}#{count}"))
    return bots


def _print_summary(summary: MatchSummary) -> None:
    """Say who won how often, what it took, and where to read on."""
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
    click.echo(f"read it: thousand log show {summary.match}")
