"""``thousand play``: a person at the terminal against two bots."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Final

import click

from thousand_referee.cli.options import SEED, data_option

_SEAT: Final = 0
_NAME: Final = "you"
_VERSION: Final = "person"


@click.command("play")
@click.option(
    "--against",
    nargs=2,
    type=click.Path(path_type=Path),
    metavar="BOT BOT",
    help="Folders of the two bots; by default the examples counter and cautious.",
)
@click.option(
    "--hint",
    type=click.Path(path_type=Path),
    metavar="BOT",
    help="Folder of a bot that says what it would do, when you type h.",
)
@click.option("--games", type=click.IntRange(1, 100), default=1, show_default=True)
@click.option("--seed", type=SEED, help="Seed of the cards; by default another one each time.")
@data_option
def play_command(
    against: tuple[Path, Path] | None, hint: Path | None, games: int, seed: str | None, data: Path
) -> None:
    """Play against two bots, at the terminal.

    You have all the time in the world. The log is kept in the data folder, as that of any
    match; when you quit, the bots finish the match without you first.
    """
    from thousand_referee.bots import read_bot
    from thousand_referee.data_folder import DataFolder
    from thousand_referee.match import play_match
    from thousand_referee.play.hints import Hints
    from thousand_referee.play.person import Person
    from thousand_referee.play.screen import Screen
    from thousand_referee.play.terminal import Terminal
    from thousand_referee.resources import example_bot
    from thousand_referee.single_match import read_entries, single_match
    from thousand_referee.spec import BotVersion, FaultLimits, TimeLimits
    from thousand_referee.text import printable

    folders = against or (example_bot("counter"), example_bot("cautious"))
    limits = TimeLimits()
    you = BotVersion(name=_NAME, version=_VERSION, folder="", command=())
    adviser = None if hint is None else read_bot(hint)
    bots = read_entries(folders, [_NAME])
    spec = single_match(
        [you, *bots],
        seed=seed or secrets.token_hex(8),
        games=games,
        tables=1,
        time=limits,
        # Who quits is out at once, and not started again like a bot that crashed.
        faults=FaultLimits(restarts=0),
        data=DataFolder.open(data, create=True),
    )
    hints = None
    if adviser is not None:
        output = Path(spec.output_dir) / spec.match / "hints.log"
        hints = Hints(adviser.as_entry(adviser.name), limits, output)
    screen = Screen([printable(bot.name) for bot in spec.bots], _SEAT)
    person = Person(Terminal(), screen, hints)
    summary = play_match(spec, {_SEAT: person})
    if person.has_left:
        click.echo("You left; the bots finished without you.")
    where = "" if data == Path("arena-data") else f" --data {data}"
    click.echo(f"read it: thousand log show {summary.match} --game 0{where}")
