"""``thousand server``: ask an arena server, and tell it what to do."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from thousand_referee.cli.client_options import client_options
from thousand_referee.cli.output import json_text

if TYPE_CHECKING:
    from thousand_referee.service.client import ArenaClient

json_option = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")


@click.group()
def server() -> None:
    """Ask an arena server, and tell it what to do."""


@server.command()
@client_options
@json_option
def tournaments(client: ArenaClient, as_json: bool) -> None:
    """List the tournaments."""
    from thousand.v1 import arena_pb2 as pb

    response = client.call("ListTournaments", pb.ListTournamentsRequest())
    _print(response, as_json, (_tournament_line(each) for each in response.tournaments))


@server.command()
@client_options
@json_option
def bots(client: ArenaClient, as_json: bool) -> None:
    """List the bots that were submitted."""
    from thousand.v1 import arena_pb2 as pb

    response = client.call("ListBots", pb.ListBotsRequest())
    lines = (
        f"{bot.name}, by {bot.owner}: {len(bot.versions)} versions"
        + (f", in {', '.join(bot.versions[-1].tournaments)}" if bot.versions else "")
        for bot in response.bots
    )
    _print(response, as_json, lines)


@server.command()
@client_options
@json_option
def submissions(client: ArenaClient, as_json: bool) -> None:
    """List your latest submissions; an organiser gets everybody's."""
    from thousand.v1 import arena_pb2 as pb

    response = client.call("ListSubmissions", pb.ListSubmissionsRequest())
    names = {value: name for name, value in pb.SubmissionState.items()}
    lines = (
        f"{each.submission}  {each.bot}: "
        f"{names[each.state].removeprefix('SUBMISSION_STATE_').lower()}"
        + (f", {each.reason.splitlines()[0]}" if each.reason else "")
        for each in response.submissions
    )
    _print(response, as_json, lines)


@server.command()
@click.argument("tournament")
@client_options
@json_option
def standings(client: ArenaClient, tournament: str, as_json: bool) -> None:
    """Show the standings of TOURNAMENT."""
    from thousand.v1 import arena_pb2 as pb

    response = client.call("GetStandings", pb.GetStandingsRequest(tournament=tournament))
    lines = (_standings_line(row) for row in response.rows)
    _print(response, as_json, lines)


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
        line = json.dumps(plain(response)) if as_json else _tournament_line(response.tournament)
        click.echo(line)


@server.command()
@click.argument("tournament")
@click.argument("bot")
@click.option("--number", type=int, default=0, help="Which version; by default the latest.")
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
    _print(response, as_json, [text])


@server.command()
@click.argument("tournament")
@client_options
@json_option
def start(client: ArenaClient, tournament: str, as_json: bool) -> None:
    """Start TOURNAMENT, which waits for entries. For organisers."""
    from thousand.v1 import arena_pb2 as pb

    response = client.call("StartTournament", pb.StartTournamentRequest(tournament=tournament))
    _print(response, as_json, [f"{tournament} is started"])


@server.command()
@click.argument("tournament")
@client_options
@json_option
def close(client: ArenaClient, tournament: str, as_json: bool) -> None:
    """End TOURNAMENT for good; its standings stay. For organisers."""
    from thousand.v1 import arena_pb2 as pb

    response = client.call("CloseTournament", pb.CloseTournamentRequest(tournament=tournament))
    _print(response, as_json, [f"{tournament} is closed"])


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
    """Print the end of what your BOT printed in MATCH of TOURNAMENT."""
    from thousand.v1 import arena_pb2 as pb
    from thousand_referee.text import printable

    request = pb.GetBotOutputRequest(tournament=tournament, match=match, bot=bot)
    response = client.call("GetBotOutput", request)
    for line in response.output.decode(errors="replace").splitlines():
        click.echo(printable(line))


def _print(response: Any, as_json: bool, lines: Any) -> None:
    """Print a response as JSON, or lines made safe."""
    from thousand_referee.service.client import plain
    from thousand_referee.text import printable

    if as_json:
        click.echo(json_text(plain(response)))
        return
    for line in lines:
        click.echo(printable(line))


def _tournament_line(tournament: Any) -> str:
    from thousand.v1 import arena_pb2 as pb

    phase = pb.TournamentPhase.Name(tournament.phase).removeprefix("TOURNAMENT_PHASE_").lower()
    text = f"{tournament.name}: {phase.replace('unspecified', 'not run here')}"
    text += f", {tournament.games:,} games"
    if tournament.games_planned > tournament.games:
        text += f" of {tournament.games_planned:,}"
    return f"{text}; stands still: {tournament.trouble}" if tournament.trouble else text


def _standings_line(row: Any) -> str:
    elo = f"{row.elo:7.0f}" if row.HasField("elo") else "      —"
    if row.HasField("elo_low"):
        elo += f"  ({row.elo_low:.0f} to {row.elo_high:.0f})"
    return f"{row.rank:>3}  {elo}  {row.name}, {row.games:,} games"
