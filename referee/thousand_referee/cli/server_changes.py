"""``thousand server enter``, ``start`` and ``close``: what changes a tournament."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from thousand_referee.cli.client_options import client_options
from thousand_referee.cli.options import json_option
from thousand_referee.cli.server_output import print_response

if TYPE_CHECKING:
    from thousand_referee.service.client import ArenaClient


@click.command()
@click.argument("tournament")
@click.argument("bot")
@click.option(
    "--number",
    type=click.IntRange(0, 2**32 - 1),
    default=0,
    help="Which version; by default the latest.",
)
@client_options
@json_option
def enter(client: ArenaClient, tournament: str, bot: str, number: int, as_json: bool) -> None:
    """Enter BOT, which was submitted, in TOURNAMENT, in place of an earlier version."""
    from thousand.v1 import arena_pb2 as pb

    request = pb.EnterBotRequest(tournament=tournament, bot=bot, number=number)
    response = client.call("EnterBot", request)
    text = f"{response.entry} is entered in {tournament}"
    if response.retired:
        text += f"; no longer playing: {', '.join(response.retired)}"
    print_response(response, as_json, [text])


@click.command()
@click.argument("tournament")
@client_options
@json_option
def start(client: ArenaClient, tournament: str, as_json: bool) -> None:
    """Start TOURNAMENT, which waits for entries. For organisers."""
    from thousand.v1 import arena_pb2 as pb

    response = client.call("StartTournament", pb.StartTournamentRequest(tournament=tournament))
    print_response(response, as_json, [f"{tournament} is started"])


@click.command()
@click.argument("tournament")
@click.option("--yes", is_flag=True, help="Don't ask whether you are sure.")
@client_options
@json_option
def close(client: ArenaClient, tournament: str, yes: bool, as_json: bool) -> None:
    """End TOURNAMENT for good; its standings stay. For organisers.

    Matches under way are finished, and count.
    """
    from thousand.v1 import arena_pb2 as pb

    if not yes:
        question = f"Close {tournament}? It can't be opened again (--yes doesn't ask)."
        click.confirm(question, abort=True, err=True)
    response = client.call("CloseTournament", pb.CloseTournamentRequest(tournament=tournament))
    print_response(
        response, as_json, [f"{tournament} is closed; matches under way are finished, and count"]
    )
