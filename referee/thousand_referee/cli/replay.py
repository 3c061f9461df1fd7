"""``thousand replay``: a logged game's prompts put to a bot once more."""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from thousand_referee.cli.options import data_option
from thousand_referee.errors import ConfigError

if TYPE_CHECKING:
    from rich.text import Text

    from thousand_referee.bots import BotFolder
    from thousand_referee.replaying import LoggedGame, Reply

_PATIENCE_SECONDS: Final = 2.0
"""What takes longer shows how far it is."""


@click.command("replay")
@click.argument("game_name", metavar="GAME")
@click.option(
    "--bot",
    "folder",
    type=click.Path(path_type=Path),
    metavar="DIR",
    required=True,
    help="The folder of the bot to ask.",
)
@click.option("--game", type=click.IntRange(0), metavar="N", help="Number of the game, from 0.")
@click.option(
    "--seat",
    type=click.IntRange(0, 2),
    help="Whose decisions; by default those of the seat where a bot of this name sat.",
)
@data_option
@click.option("--json", "as_json", is_flag=True, help="Print the differences as JSON.")
def replay_command(
    game_name: str, folder: Path, game: int | None, seat: int | None, data: Path, as_json: bool
) -> None:
    """Ask a bot what it would have done in a logged game, and show where it differs.

    GAME is a log and the number of a game in it, as in MATCH/3: the log is a file, or a
    match of the data folder by its id or the beginning of it. The bot gets the exact
    prompts and notices that the logged seat got, and the game goes on as it was logged.
    A bot that draws lots may differ from itself, since the log doesn't tell its seed.
    """
    from thousand_referee.bots import read_bot
    from thousand_referee.cli.log import find_log, split_game
    from thousand_referee.replaying import read_game

    log_name, number = split_game(game_name, game)
    logged = read_game(find_log(log_name, data), number or 0)
    bot = read_bot(folder)
    seat = _seat_of(logged, bot) if seat is None else seat
    replies = asyncio.run(_ask(logged, seat, bot))
    if as_json:
        from thousand_referee.cli.output import json_text

        click.echo(json_text(_as_plain(logged, seat, bot, replies)))
        return
    for text in _tell(logged, seat, bot, replies):
        _print(text)


def _seat_of(logged: LoggedGame, bot: BotFolder) -> int:
    """Find the only seat where a bot of this name, or of its folder's, sat."""
    from thousand_referee.text import printable

    names = [each.name for each in logged.header.bots]
    seats: list[int] = []
    for own in (bot.folder.name, bot.name):
        if len(seats) != 1:
            seats = [seat for seat, name in enumerate(names) if name.partition("#")[0] == own]
    if len(seats) != 1:
        sat = ", ".join(f"{seat} {printable(name)}" for seat, name in enumerate(names))
        how = "no bot" if not seats else "more than one bot"
        raise ConfigError(f"--seat: {how} called {bot.name} sat there; choose a seat: {sat}")
    return seats[0]


async def _ask(logged: LoggedGame, seat: int, bot: BotFolder) -> list[Reply]:
    """Put all questions of a seat to the bot, with a line of progress if it takes long."""
    from thousand_referee.launch.process import ProcessLauncher
    from thousand_referee.replaying import replies
    from thousand_referee.sockets import socket_folder

    total = logged.decisions_of(seat)
    output = Path(tempfile.gettempdir()) / f"thousand-replay-{os.getpid()}.log"
    found: list[Reply] = []
    told = time.monotonic()
    with socket_folder() as folder:
        entry = bot.as_entry(bot.name)
        async for reply in replies(logged, seat, entry, ProcessLauncher(), folder, output):
            found.append(reply)
            if time.monotonic() - told > _PATIENCE_SECONDS:
                told = time.monotonic()
                click.echo(f"asked {len(found)} of {total} decisions", err=True)
    output.unlink(missing_ok=True)  # kept only where an error names it
    return found


def _tell(logged: LoggedGame, seat: int, bot: BotFolder, replies: list[Reply]) -> Iterator[Text]:
    """Tell the differences, each with its view, and how many they are."""
    from rich.text import Text

    from thousand_referee.matchlog.telling_view import ViewTeller, choice_text, labelled
    from thousand_referee.text import printable

    names = tuple(printable(each.name) for each in logged.header.bots)
    teller = ViewTeller(names, names.index("you") if "you" in names else None)
    match = printable(logged.header.match)
    yield Text(f"Match {match}, game {logged.number}: seat {seat}, {names[seat]}", "bold")
    differing = [reply for reply in replies if reply.differs]
    for reply in differing:
        question = reply.question
        yield Text()
        yield teller.question(question.view)
        yield from teller.view(question.view)
        played = choice_text(question.logged)
        if question.fault is not None:
            played.append(f" (the default action, after a fault: {printable(question.fault.kind)})")
        yield labelled("logged", played)
        answer = choice_text(reply.answer)
        if not reply.is_legal:
            answer.append(" (which is not legal)", "yellow")
        yield labelled(bot.name if len(bot.name) < 9 else "the bot", answer)
    count = len(replies)
    yield Text()
    if not differing:
        yield Text(f"{bot.name} answers all {count} decisions as they were played.")
    else:
        yield Text(f"{bot.name} answers {len(differing)} of {count} decisions differently.")


def _as_plain(
    logged: LoggedGame, seat: int, bot: BotFolder, replies: list[Reply]
) -> dict[str, Any]:
    """Give the outcome for programs."""
    from thousand_referee.matchlog.spelling import action_text, prompt_of

    return {
        "match": logged.header.match,
        "game": logged.number,
        "seat": seat,
        "bot": {"name": bot.name, "version": bot.version},
        "decisions": len(replies),
        "differences": [
            {
                "prompt": prompt_of(reply.question.view),
                "logged": action_text(reply.question.logged),
                "fault": None if reply.question.fault is None else reply.question.fault.kind,
                "answer": action_text(reply.answer),
                "legal": reply.is_legal,
            }
            for reply in replies
            if reply.differs
        ],
    }


def _print(text: Text) -> None:
    from rich.console import Console

    Console(highlight=False).print(text, soft_wrap=True)
