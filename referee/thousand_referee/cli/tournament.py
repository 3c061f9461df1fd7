"""``thousand tournament``: run tournaments, and list those there are."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from thousand_referee.cli.options import SEED, data_option, store_option
from thousand_referee.cli.output import json_text
from thousand_referee.cli.progress import DRAINING, GO_ON, Progress, stop_at_once
from thousand_referee.errors import ConfigError

if TYPE_CHECKING:
    from thousand_referee.tournament_file import TournamentFile


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
    help="Matches at a time; by default one for every two processors, or on a cluster two for "
    "each that its workers have room for.",
)
@click.option(
    "--executor",
    type=click.Choice(["local", "dask"]),
    default="local",
    show_default=True,
    help="Who plays the matches: processes of this machine, or a Dask cluster's workers.",
)
@click.option(
    "--scheduler", metavar="ADDRESS", help="The cluster's scheduler, as in tcp://HOST:8786."
)
@click.option("--seed", type=SEED, help="Seed of the cards, instead of the file's.")
@click.option("--json", "as_json", is_flag=True, help="Print the standings as JSON.")
def run(
    file: Path,
    data: Path,
    store_url: str | None,
    jobs: int | None,
    executor: str,
    scheduler: str | None,
    seed: str | None,
    as_json: bool,
) -> None:
    """Play the tournament that FILE describes, or what is left of it; show its standings.

    Ctrl-C lets the matches under way finish and stops; a second one stops at once. Run
    the same command again to go on: finished matches are not played again.
    """
    from thousand_referee.cli.standings import print_standings
    from thousand_referee.coordinator import draining
    from thousand_referee.tournament import open_arena, run_tournament, standings_of
    from thousand_referee.tournament_file import read_tournament

    if (scheduler is not None) != (executor == "dask"):
        raise click.UsageError("--executor dask and --scheduler ADDRESS go together")
    described = read_tournament(file)
    if seed is not None:
        described = msgspec.structs.replace(described, seed=seed)
    watcher = Progress(described.name)
    with (
        open_arena(data, store_url, create=True) as arena,
        _players(described, jobs, scheduler) as (players, at_once),
        draining(partial(watcher.say, DRAINING), partial(stop_at_once, GO_ON)) as drain,
    ):
        try:
            complete = run_tournament(
                *(arena, described, players, at_once, watcher, drain),
                builds_images=scheduler is None,
            )
        finally:
            watcher.clear()
        if not complete:
            print(f"stopped; {GO_ON}", file=sys.stderr)
        print_standings(described.name, standings_of(arena, described.name), as_json=as_json)
    if not complete:
        sys.exit(130)


@contextmanager
def _players(
    described: TournamentFile, jobs: int | None, scheduler: str | None
) -> Iterator[tuple[Executor, int]]:
    """Give what plays the matches, and how many at a time."""
    if scheduler is None:
        from thousand_referee.executor import LocalExecutor

        at_once = jobs or max(1, (os.cpu_count() or 1) // 2)
        local = LocalExecutor(at_once)
        try:
            yield local, local.at_once
        finally:
            local.shutdown()
        return
    try:
        from thousand_referee.cluster.executor import cluster
    except ImportError:
        raise ConfigError(
            "--executor dask: Dask is missing; install thousand-arena[dask]"
        ) from None
    needs_docker = described.sandbox.kind == "docker"
    with cluster(scheduler, needs_docker=needs_docker) as players:
        yield players, jobs or 2 * players.slots


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
