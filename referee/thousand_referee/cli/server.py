"""``thousand server``: ask an arena server, and tell it what to do."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from thousand_referee.cli.client_options import client_options
from thousand_referee.cli.options import json_option
from thousand_referee.cli.output import json_text
from thousand_referee.cli.server_changes import close, enter, start
from thousand_referee.cli.server_output import (
    print_response,
    state_name,
    tournament_line,
)
from thousand_referee.text import printable

if TYPE_CHECKING:
    from thousand_referee.service.client import ArenaClient


@click.group()
def server() -> None:
    """Ask an arena server, and tell it what to do."""


for each in (enter, start, close):
    server.add_command(each)


@server.command()
@client_options
@json_option
def tournaments(client: ArenaClient, as_json: bool) -> None:
    """List the tournaments."""
    from thousand.v1 import arena_pb2 as pb

    response = client.call("ListTournaments", pb.ListTournamentsRequest())
    print_response(response, as_json, (tournament_line(each) for each in response.tournaments))


@server.command()
@client_options
@json_option
def bots(client: ArenaClient, as_json: bool) -> None:
    """List the bots that were submitted."""
    from thousand.v1 import arena_pb2 as pb

    response = client.call("ListBots", pb.ListBotsRequest())
    lines = (
        f"{bot.name}, by {bot.owner}: {_versions(len(bot.versions))}"
        + (f", in {', '.join(bot.versions[-1].tournaments)}" if bot.versions else "")
        for bot in response.bots
    )
    print_response(response, as_json, lines)


@server.command()
@client_options
@json_option
def submissions(client: ArenaClient, as_json: bool) -> None:
    """List your latest submissions; an organiser gets everybody's."""
    from thousand.v1 import arena_pb2 as pb

    response = client.call("ListSubmissions", pb.ListSubmissionsRequest())
    lines = (
        f"{each.submission}  {each.bot}: "
        f"{state_name(pb.SubmissionState, each.state)}"
        + (f", {each.reason.splitlines()[0]}" if each.reason else "")
        for each in response.submissions
    )
    print_response(response, as_json, lines)


@server.command()
@click.argument("tournament")
@client_options
@json_option
def standings(client: ArenaClient, tournament: str, as_json: bool) -> None:
    """Show the standings of TOURNAMENT."""
    from thousand.v1 import arena_pb2 as pb
    from thousand_referee.cli.standings import print_standings
    from thousand_referee.service.standings_messages import standings_in

    response = client.call("GetStandings", pb.GetStandingsRequest(tournament=tournament))
    if as_json:
        print_response(response, as_json, ())
    else:
        print_standings(tournament, standings_in(response))


@server.command()
@click.argument("tournament")
@click.option("--bot", default="", help="Only those of this entry.")
@click.option(
    "--most", type=click.IntRange(1), default=100, show_default=True, help="How many at most."
)
@client_options
@json_option
def matches(client: ArenaClient, tournament: str, bot: str, most: int, as_json: bool) -> None:
    """List the finished matches of TOURNAMENT in their order, with their ids.

    With --json an object for each.
    """
    from thousand.v1 import arena_pb2 as pb
    from thousand_referee.service.client import plain

    found: list[pb.Match] = []
    token = ""
    while True:
        request = pb.ListMatchesRequest(tournament=tournament, entry=bot, page_token=token)
        response = client.call("ListMatches", request)
        found += response.matches
        token = response.next_page_token
        if not (token and response.matches) or len(found) >= most:
            break
    more = bool(token) or len(found) > most
    if as_json:
        click.echo(json_text([plain(match) for match in found[:most]]))
        return
    for match in found[:most]:
        faults = f", {sum(match.faults)} faults" if sum(match.faults) else ""
        line = f"{match.match}  {' · '.join(match.entries)}, {match.games} games{faults}"
        click.echo(printable(line))
    if more:
        click.echo(f"there are more; --most {2 * most} shows more", err=True)


@server.command()
@click.argument("tournament")
@client_options
@json_option
def watch(client: ArenaClient, tournament: str, as_json: bool) -> None:
    """Tell how far TOURNAMENT is, whenever that changes, until it is complete.

    With --json an object on each line.
    """
    import json

    from thousand.v1 import arena_pb2 as pb
    from thousand_referee.service.client import plain

    request = pb.WatchTournamentRequest(tournament=tournament)
    for response in client.stream("WatchTournament", request):
        line = (
            json.dumps(plain(response))
            if as_json
            else printable(tournament_line(response.tournament))
        )
        click.echo(line)


@server.command()
@click.argument("tournament")
@click.argument("match")
@click.option("--out", type=click.Path(path_type=Path), help="The file; by default MATCH.jsonl.gz.")
@client_options
def log(client: ArenaClient, tournament: str, match: str, out: Path | None) -> None:
    """Download the log of MATCH in TOURNAMENT."""
    from thousand.v1 import arena_pb2 as pb
    from thousand_referee.bots import is_name
    from thousand_referee.errors import ConfigError

    if out is None and not is_name(match):
        raise ConfigError(f"{match!r} is no name for a file; give one with --out")
    target = out or Path(f"{match}.jsonl.gz")
    part = target.with_name(target.name + ".part")
    request = pb.DownloadLogRequest(tournament=tournament, match=match)
    try:
        with part.open("wb") as file:
            for response in client.stream("DownloadLog", request):
                file.write(response.chunk)
        part.rename(target)
    finally:
        part.unlink(missing_ok=True)
    click.echo(str(target))


@server.command()
@click.argument("tournament")
@click.argument("match")
@click.argument("bot")
@client_options
def output(client: ArenaClient, tournament: str, match: str, bot: str) -> None:
    """Print the end of what your BOT printed in MATCH of TOURNAMENT.

    BOT is its name, or that of its entry, as mybot#2. Organisers see what any bot printed.
    """
    from thousand.v1 import arena_pb2 as pb

    request = pb.GetBotOutputRequest(tournament=tournament, match=match, bot=bot)
    response = client.call("GetBotOutput", request)
    if not response.output:
        click.echo("it printed nothing", err=True)
    for line in response.output.decode(errors="replace").splitlines():
        click.echo(printable(line))


def _versions(count: int) -> str:
    return {0: "no version yet", 1: "1 version"}.get(count, f"{count} versions")
