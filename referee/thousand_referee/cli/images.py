"""``thousand images``: looking after the images that bots run in."""

from __future__ import annotations

import click

from thousand_referee.cli.output import json_text


@click.group()
def images() -> None:
    """Look after the images of bots in Docker's sandbox."""


@images.command()
@click.option(
    "--days",
    type=click.IntRange(0, 10_000),
    default=30,
    show_default=True,
    help="Remove what was not needed for so many days.",
)
@click.option("--json", "as_json", is_flag=True, help="Print what was done as JSON.")
def prune(days: int, as_json: bool) -> None:
    """Remove images of bots that were not needed lately.

    Other images stay. A bot's image is built again when it is needed: nothing is lost.
    """
    from datetime import UTC, datetime, timedelta

    from thousand_referee.errors import ConfigError, MatchVoid
    from thousand_referee.launch.engine import open_engine
    from thousand_referee.launch.prune import prune_images

    try:
        with open_engine() as api:
            pruned = prune_images(api, timedelta(days=days), datetime.now(UTC))
    except MatchVoid as error:
        raise ConfigError(str(error)) from error
    if as_json:
        click.echo(json_text(pruned))
    else:
        click.echo(f"{len(pruned.removed)} images removed, {pruned.kept} kept")
