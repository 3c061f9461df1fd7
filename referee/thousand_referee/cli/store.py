"""``thousand store``: looking after the database of results."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from thousand_referee.cli.options import data_option, store_option
from thousand_referee.cli.output import json_text


@click.group()
def store() -> None:
    """Look after the database of results."""


@store.command()
@data_option
@store_option
@click.option("--json", "as_json", is_flag=True, help="Print what was done as JSON.")
def rebuild(data: Path, store_url: str | None, as_json: bool) -> None:
    """Make the database anew from the match logs.

    What logs can't tell (seeds, folders, settings) is taken from the old database if it
    can be read. Logs that are broken are named and skipped; exit status 1 then.
    """
    from thousand_referee.data_folder import DataFolder
    from thousand_referee.store import Store, rebuild_shared
    from thousand_referee.store import rebuild as rebuild_store
    from thousand_referee.text import printable

    folder = DataFolder.open(data, create=False)
    with folder.lock_whole():
        if store_url:
            with Store.open(store_url) as shared:
                rebuilt = rebuild_shared(shared, folder.logs)
        else:
            rebuilt = rebuild_store(folder.database, folder.logs)
    if as_json:
        click.echo(json_text(rebuilt))
    else:
        click.echo(f"{rebuilt.logs.matches:,} matches entered from their logs")
        for name in rebuilt.recovered:
            click.echo(f"{printable(name)} is known from its logs only: run it with its file")
        if rebuilt.damage is not None:
            click.echo(f"the old database was of no use: {printable(rebuilt.damage)}")
    for problem in rebuilt.logs.skipped:
        print(f"skipped: {printable(problem)}", file=sys.stderr)
    if rebuilt.logs.skipped:
        sys.exit(1)
