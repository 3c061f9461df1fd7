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

if TYPE_CHECKING:
    from thousand_referee.service.client import ArenaClient

POLL_SECONDS: Final = 0.5


class _Problem(msgspec.Struct):
    """What a report says is wrong with a bot."""

    detail: str = ""
    where: str = ""
    answer: str | None = None
    output: tuple[str, ...] = ()


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

    name = pb.SubmissionState.Name(submission.state)
    return name.removeprefix("SUBMISSION_STATE_").lower()


def _print_result(submission: Any, state: str, page: str) -> None:
    from thousand_referee.text import printable

    if state == "ready":
        click.echo(f"ready: {submission.bot}, version {submission.number} ({submission.version})")
        if submission.reason:
            click.echo(printable(submission.reason))
    elif state == "refused":
        reason, *more = submission.reason.splitlines() or [""]
        click.echo(f"refused: {printable(reason)}")
        for line in (*more, *_problem_lines(submission.report_json)):
            click.echo(printable(line))
        click.echo("what was done:")
        for line in submission.build_log.splitlines()[-20:]:
            click.echo(f"  {printable(line)}")
    click.echo(f"page: {page}")


def _problem_lines(report: str) -> Iterator[str]:
    """Tell what the check found wrong, from its report: the bot's traceback, as a rule."""
    try:
        problem = msgspec.json.decode(report or "{}", type=_Report).problem or _Problem()
    except msgspec.DecodeError:  # of a server of another version, perhaps
        return
    if problem.detail:
        yield f"  {problem.detail}"
    if problem.where:
        yield f"  in: {problem.where}"
    if problem.answer:
        yield f"  it answered: {problem.answer}"
    if problem.output:
        yield "  the end of what it printed:"
        yield from (f"    {line}" for line in problem.output)


def _show_upload(sent: int, total: int) -> None:
    end = "\n" if sent == total else ""
    sys.stderr.write(f"\rsent {sent // 1024:,} of {total // 1024:,} KiB{end}")
    sys.stderr.flush()


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
