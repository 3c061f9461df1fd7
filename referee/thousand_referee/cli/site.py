"""``thousand site``: the arena's pages as files."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from thousand_referee.cli.options import data_option, store_option
from thousand_referee.cli.output import json_text
from thousand_referee.cli.status_line import StatusLine


@click.group()
def site() -> None:
    """Export the pages of tournaments."""


@site.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.argument("tournaments", metavar="[TOURNAMENT]...", nargs=-1)
@data_option
@store_option
@click.option("--json", "as_json", is_flag=True, help="Print what was written as JSON.")
def export(
    folder: Path,
    tournaments: tuple[str, ...],
    data: Path,
    store_url: str | None,
    as_json: bool,
) -> None:
    """Write the pages of each TOURNAMENT, or of all, to FOLDER.

    They need no server: open FOLDER/index.html. A site that was exported to FOLDER before
    is replaced, once the new one is complete. Exit status 1 if games had to be left out.
    """
    from thousand_referee.text import printable
    from thousand_referee.tournament import open_arena
    from thousand_referee.web.site import export_site

    with open_arena(data, store_url) as arena:
        line = StatusLine()
        done = export_site(
            arena,
            folder,
            tournaments,
            lambda done, total: line.tick(lambda: f"{done:,} of {total:,} matches"),
        )
        line.clear()
    if as_json:
        click.echo(json_text(done))
    else:
        click.echo(
            f"{printable(done.folder)}: {done.tournaments:,} tournaments, "
            f"{done.matches:,} matches, {done.games:,} games; "
            f"{done.bytes / 1e6:,.1f} MB in {done.files:,} files"
        )
    for problem in done.problems:
        print(f"skipped: {printable(problem)}", file=sys.stderr)
    if done.problems:
        sys.exit(1)
