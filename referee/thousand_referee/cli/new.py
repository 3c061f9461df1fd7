"""``thousand new``: the folder of a new bot."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

if TYPE_CHECKING:
    from thousand_referee.new_bot import Language

_FIRST_STEPS: Final = {
    "python": (),
    "javascript": ("(cd {folder} && npm ci)",),
}


@click.command("new")
@click.argument("folder", metavar="NAME", type=click.Path(path_type=Path))
@click.option(
    "--lang",
    "language",
    type=click.Choice(["python", "javascript"]),
    default="python",
    show_default=True,
    help="The language to write the bot in.",
)
def new_command(folder: Path, language: Language) -> None:
    """Make a folder NAME with a bot that plays, its tests, and a page to begin with."""
    from thousand_referee.new_bot import make_bot

    files = make_bot(folder, language)
    click.echo(f"made {folder}: {', '.join(files)}")
    click.echo("next:")
    for step in (
        *_FIRST_STEPS[language],
        "thousand check {folder}",
        "thousand match {folder} {folder} {folder}",
    ):
        click.echo("  " + step.format(folder=shlex.quote(str(folder))))
