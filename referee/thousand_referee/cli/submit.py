"""``thousand submit``: send a bot to an arena, and follow it until it is ready."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
import msgspec

from thousand_referee.cli.client_options import client_options
from thousand_referee.cli.output import json_text
from thousand_referee.cli.server_output import state_name
from thousand_referee.errors import Unreachable

if TYPE_CHECKING:
    from thousand_referee.service.client import ArenaClient

POLL_SECONDS: Final = 0.5


class _Problem(msgspec.Struct):
    """What a report says is wrong with a bot."""

    told: tuple[str, ...] = ()


class _Report(msgspec.Struct):
    """The part of a check's report that is told here."""

    problem: _Problem | None = None


@click.command("submit")
@click.argument("bot", type=click.Path(path_type=Path))
@client_options
@click.option("--tournament", default="", help="Enter the bot there as soon as it is ready.")
@click.option("--no-wait", is_flag=True, help="Don't wait for the check.")
@click.option("--json", "as_json", is_flag=True, help="Print the submission as JSON.")
def submit_command(
    bot: Path, client: ArenaClient, tournament: str, no_wait: bool, as_json: bool
) -> None:
    """Send the bot in the folder BOT to an arena server.

    There it is unpacked, its image is built, and it is checked as by thousand check. The
    exit status is 0 if it is ready then. Submitting a changed bot makes a new version of it.
    """
    from thousand.v1 import arena_pb2 as pb
    from thousand_referee.service.client import plain

    response = client.submit(bot, tournament, _show_upload if sys.stderr.isatty() else None)
    _say(f"submitted as {response.submission}")
    request = pb.GetSubmissionRequest(submission=response.submission)
    try:
        answer = _followed(client, request, once=no_wait)
    except Unreachable:
        _say(f"the server has {response.submission}, and goes on with it when it runs again")
        raise
    except KeyboardInterrupt:
        _say(
            "no longer followed; the server goes on with it: thousand server submissions tells "
            "what came of it"
        )
        sys.exit(130)
    submission, state = answer.submission, _state_of(answer.submission)
    if as_json:
        click.echo(json_text({**plain(submission), "state": state, "page": answer.page}))
    else:
        _print_result(submission, state, answer.page)
    if state == "refused":
        sys.exit(1)


def _followed(client: ArenaClient, request: Any, *, once: bool) -> Any:
    """Say how far a submission is until it is done, or only once; give the last answer."""
    told = ""
    while True:
        answer = client.call("GetSubmission", request)
        state, ahead = _state_of(answer.submission), answer.submission.ahead
        line = f"{state}, {ahead} before it" if ahead else state
        if line != told:
            _say(line)
            told = line
        if once or state in ("ready", "refused"):
            return answer
        time.sleep(POLL_SECONDS)


def _state_of(submission: Any) -> str:
    from thousand.v1 import arena_pb2 as pb

    return state_name(pb.SubmissionState, submission.state)


def _print_result(submission: Any, state: str, page: str) -> None:
    from thousand_referee.text import printable

    if state == "ready":
        told = f"{submission.bot}, version {submission.number} ({submission.version})"
        is_new = bool(submission.report_json)  # the same files aren't checked again
        click.echo(printable(f"ready: {told}" if is_new else f"unchanged: it is {told} already"))
        if submission.reason:
            click.echo(printable(submission.reason))
    elif state == "refused":
        reason, *more = submission.reason.splitlines() or [""]
        click.echo(f"refused: {printable(reason)}")
        for line in (*more, *_problem_lines(submission.report_json)):
            click.echo(printable(line))
        click.echo("thousand check says it here, too. What the server did:")
        for line in submission.build_log.splitlines()[-20:]:
            click.echo(f"  {printable(line)}")
    click.echo(f"page: {printable(page)}")


def _problem_lines(report: str) -> Iterator[str]:
    """Tell what the check found wrong, from its report: the bot's traceback, as a rule."""
    try:
        problem = msgspec.json.decode(report or "{}", type=_Report).problem or _Problem()
    except (msgspec.DecodeError, RecursionError):  # of a server of another version, perhaps
        return
    yield from problem.told


def _show_upload(sent: int, total: int) -> None:
    end = "\n" if sent == total else ""
    sys.stderr.write(f"\rsent {sent // 1024:,} of {total // 1024:,} KiB{end}")
    sys.stderr.flush()


def _say(text: str) -> None:
    from thousand_referee.text import printable

    print(printable(text), file=sys.stderr, flush=True)
