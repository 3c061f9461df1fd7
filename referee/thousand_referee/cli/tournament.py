"""``thousand tournament``: run tournaments, and list those there are."""

from __future__ import annotations

import os
import sys
from functools import partial
from pathlib import Path

import click
import msgspec

from thousand_referee.cli.options import data_option, store_option
from thousand_referee.cli.output import json_text
from thousand_referee.cli.progress import DRAINING, Progress, stop_at_once


@click.group()
def tournament() -> None:
    """Run and list tournaments."""


@tournament.command()
@click.argument("file", type=click.Path(path_type=Path))
@data_option
@store_option
@click.option(
    "--jobs",
    type=click.IntRange(1, 256),
    help="Matches at a time; by default one for every two processors.",
)
@click.option("--seed", help="Seed of the cards, instead of the file's.")
@click.option("--json", "as_json", is_flag=True, help="Print the standings as JSON.")
def run(
    file: Path,
    data: Path,
    store_url: str | None,
    jobs: int | None,
    seed: str | None,
    as_json: bool,
) -> None:
    """Play the tournament that FILE describes, or what is left of it; show its standings.

    Ctrl-C lets the matches under way finish and stops; a second one stops at once. Run
    the same command again to go on: finished matches are not played again.
    """
    from thousand_referee.cli.standings import print_standings
    from thousand_referee.coordinator import draining
    from thousand_referee.executor import LocalExecutor
    from thousand_referee.tournament import open_arena, run_tournament, standings_of
    from thousand_referee.tournament_file import read_tournament

    described = read_tournament(file)
    if seed is not None:
        described = msgspec.structs.replace(described, seed=seed)
    jobs = jobs or max(1, (os.cpu_count() or 1) // 2)
    watcher = Progress(described.name)
    with open_arena(data, store_url, create=True) as arena:
        executor = LocalExecutor(jobs)
        with draining(partial(watcher.say, DRAINING), stop_at_once) as drain:
            try:
                complete = run_tournament(arena, described, executor, jobs, watcher, drain)
            finally:
                watcher.clear()
                executor.shutdown()
        if not complete:
            print("stopped; run the same command again to go on", file=sys.stderr)
        print_standings(described.name, standings_of(arena, described.name), as_json=as_json)
    if not complete:
        sys.exit(130)


@tournament.command("list")
@data_option
@store_option
@click.option("--json", "as_json", is_flag=True, help="Print all as JSON.")
def list_(data: Path, store_url: str | None, as_json: bool) -> None:
    """List the tournaments of the data folder."""
    from thousand_referee.tournament import open_arena

    with open_arena(data, store_url) as arena:
        known = arena.store.tournaments()
    if as_json:
        click.echo(json_text(known))
        return
    for each in known:
        names = ", ".join(entry.name for entry in each.entries)
        click.echo(f"{each.name}: {each.games:,} games in {each.matches:,} matches; {names}")
