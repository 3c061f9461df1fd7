"""Servers of other versions, and hostile ones: what they say is shown as text, or left out."""

from __future__ import annotations

import json

import pytest

from thousand.v1 import arena_pb2 as pb
from thousand_referee.cli.server_output import state_name, tournament_line
from thousand_referee.cli.submit import _print_result, _problem_lines, _state_of
from thousand_referee.service.api import _is_of
from thousand_referee.service.statuses import _remedy
from thousand_referee.store import StoredEntry
from thousand_referee.submitted import Role, User


@pytest.mark.parametrize(
    "report",
    ["", "[]", "null", '"x"', "1", '{"problem":"x"}', '{"problem":[1]}', "{", "[" * 5_000,
     '{"problem":{"told":5}}', '{"problem":null}'],
)  # fmt: skip
def test_reports_that_say_nothing(report: str) -> None:
    assert list(_problem_lines(report)) == []


def test_a_report_says_what_was_wrong() -> None:
    report = {"ready": False, "problem": {"told": ["  in: a game", "  legal: AS"]}}
    assert list(_problem_lines(json.dumps(report))) == ["  in: a game", "  legal: AS"]


def test_states_that_are_unknown_here() -> None:
    assert state_name(pb.SubmissionState, pb.SUBMISSION_STATE_READY) == "ready"
    assert _state_of(pb.Submission(state=99)) == "unknown (99)"  # type: ignore[arg-type]
    told = tournament_line(pb.Tournament(name="t", phase=7))  # type: ignore[arg-type]
    assert told == "t: unknown (7), 0 games"


def test_a_tournament_that_waits_for_its_start() -> None:
    waiting = pb.Tournament(name="cup", mode="fixed", phase=pb.TOURNAMENT_PHASE_OPEN)
    assert "waits for entries until an organiser starts it" in tournament_line(waiting)


@pytest.mark.parametrize("report", ["", '{"ready":true}'])
def test_no_escape_reaches_the_terminal(report: str, capsys: pytest.CaptureFixture[str]) -> None:
    evil = "\x1b]0;x\x07"
    submission = pb.Submission(bot=evil, version=evil, reason=evil, report_json=report)
    for state in ("ready", "refused"):
        _print_result(submission, state, evil)
    assert "\x1b" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("details", "remedy"),
    [
        ("Custom check failed: Hostname Verification Check failed.", "is for another name"),
        ("Failed to create security handshaker.", "no certificate"),
        ("x CERTIFICATE_VERIFY_FAILED y", "name one to trust by --ca"),
        ("WRONG_VERSION_NUMBER", "it speaks no TLS"),
        ("DNS resolution failed", "no machine of that name"),
        ("something \x1b else", "check --server"),
    ],
)
def test_what_to_do(details: str, remedy: str) -> None:
    assert remedy in _remedy(details)
    assert "\x1b" not in _remedy(details)


@pytest.mark.parametrize(
    ("bot", "name", "asked", "author", "organiser"),
    [
        ("ace", "ace#2", "ace", True, True),
        ("ace", "ace#2", "ace#2", True, True),
        ("ace", "ace", "ace#2", False, False),
        (None, "ace", "ace", False, True),
        (None, "helper#2", "helper#2", False, True),
        (None, "helper#2", "helper", False, False),
    ],
)
def test_whose_output_is_asked_for(
    bot: str | None, name: str, asked: str, author: bool, organiser: bool
) -> None:
    """The house's bots are organisers' business, whatever authors' bots are called."""
    entry = StoredEntry(name, "v", None, None, bot=bot)
    for role, expected in ((Role.AUTHOR, author), (Role.ORGANISER, organiser)):
        assert _is_of(entry, asked, User("x", role, "", None)) is expected
