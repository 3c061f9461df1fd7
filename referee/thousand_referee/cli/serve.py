"""``thousand serve``: run an arena server."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from thousand_referee.cli.options import DATA_VARIABLE


@click.command("serve")
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    help="The server's settings, a TOML file; docs/SERVER.md explains its keys.",
)
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    envvar=DATA_VARIABLE,
    help="The data folder, instead of the one that the settings name.",
)
def serve_command(config: Path | None, data: Path | None) -> None:
    """Run an arena: authors submit bots to it, tournaments play them, browsers show them.

    The first Ctrl-C or SIGTERM lets the matches under way finish, a second one doesn't.
    Whatever stopped it, the same command goes on where it was.
    """
    from thousand_referee.service.config import read_config
    from thousand_referee.service.logs import log_as_json
    from thousand_referee.service.server import serve

    log_as_json()
    serve(read_config(config, data), _ready)


def _ready(listen: str, http: str) -> None:
    print(f"ready: authors at {listen}, pages at {http}/", file=sys.stdout, flush=True)
