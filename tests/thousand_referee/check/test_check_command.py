"""``thousand check`` on real bots: good ones pass, and of each broken one the cause comes first."""

from __future__ import annotations

import json
import time
from pathlib import Path
from textwrap import dedent, indent

import pytest

from arena_runs import EXAMPLE_BOTS, processes_with, thousand, wait_until
from match_maker import FAULTY
from thousand_referee.bots import read_bot
from thousand_referee.check.checker import LIMITS, Report, check_bot
from thousand_referee.check.report import report_lines
from thousand_referee.spec import Sandbox, TimeLimits

SHORT = TimeLimits(move_ms=300, bank_ms=600, connect_ms=3_000)

HONEST = """
    import random, sys
    from thousand import Bot, run
    from thousand.defaults import default_action

    class Honest(Bot):
        def play(self, view):
            return default_action(view)
"""


def write_bot(folder: Path, changes: str = "", end: str = "run(Honest)") -> Path:
    """Write an honest bot, but for these lines at the end of its class."""
    folder.mkdir()
    (folder / "bot.toml").write_text('command = ["python", "bot.py"]')
    body = dedent(HONEST) + indent(dedent(changes), "    ")
    (folder / "bot.py").write_text(f"{body}\n\n{end}\n")
    return folder


def check(folder: Path, limits: TimeLimits = LIMITS) -> Report:
    return check_bot(folder, seed="s", sandbox=Sandbox(), say=print, limits=limits)


@pytest.mark.parametrize("name", ["cautious", "counter", "random"])
def test_example_bots_are_ready(name: str) -> None:
    lines = thousand("check", EXAMPLE_BOTS / name).stdout.splitlines()
    assert lines[0] == f"ok: {EXAMPLE_BOTS / name} is ready to be entered"
    text = "\n".join(lines)
    assert read_bot(EXAMPLE_BOTS / name).version in text
    assert "41 of 41 games" in text
    assert "the same answers with 32 tables and with one" in text
    assert "note:" not in text


@pytest.mark.parametrize(
    ("name", "first", "then"),
    [
        (
            "dies_on_import",
            "it ends before it says hello: ModuleNotFoundError: No module named",
            ["status 1", "import a_module_that_nobody_has"],
        ),
        ("illegal", "it makes a bid that isn't legal", ["legal: 100 105", "it answered: 5"]),
        ("floods_errors", "it prints too much", ["256 KiB"]),
        ("stays", "it doesn't exit after the goodbye", ["2 s later"]),
        ("unknown_decision", "it sends an answer that can't be read", ["unknown decision"]),
    ],
)
def test_broken_bots_are_told_the_cause_first(name: str, first: str, then: list[str]) -> None:
    done = thousand("check", FAULTY / name, check=False)
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert lines[0].startswith(f"not ready: {first}")
    for part in then:
        assert part in done.stdout


def test_a_wrong_type_is_told_with_the_question_and_the_traceback(tmp_path: Path) -> None:
    changes = """
        def give(self, view):
            return "AS", "TH"
    """
    folder = write_bot(tmp_path / "typo", changes)
    done = thousand("check", folder, "--json", check=False)
    assert done.returncode == 1
    report = json.loads(done.stdout)
    assert report["ready"] is False
    problem = report["problem"]
    assert problem["cause"].startswith("it stops in the middle of a match: TypeError: Honest.give")
    assert problem["prompt"]["decision"] in ("give", "bid", "play", "raise")
    assert any("The bot was asked to give" in line for line in problem["output"])
    assert report["sittings"][0]["hello_ms"] > 0


def test_a_folder_without_a_bot(tmp_path: Path) -> None:
    done = thousand("check", tmp_path, check=False)
    assert done.returncode == 1
    assert done.stdout.startswith("not ready: ")
    assert "bot.toml" in done.stdout.splitlines()[0]


def test_bots_that_are_too_slow_or_never_come(tmp_path: Path) -> None:
    changes = """
        def bid(self, view):
            __import__("time").sleep(0.5)
            return super().bid(view)
    """
    slow = write_bot(tmp_path / "slow", changes)
    for folder, cause in (
        (slow, "it takes too long for its decisions"),
        (FAULTY / "never_connects", "it never says hello"),
        (FAULTY / "silent", "it doesn't answer"),
    ):
        began = time.monotonic()
        problem = check(folder, SHORT).problem
        assert problem is not None
        assert problem.cause.startswith(cause)
        assert time.monotonic() - began < 30


def test_a_bot_that_is_not_deterministic_is_ready_with_a_note(tmp_path: Path) -> None:
    changes = """
        def play(self, view):
            return random.SystemRandom().choice(view.cards)
    """
    report = check(write_bot(tmp_path / "dice", changes))
    assert report.is_ready
    assert len(report.sittings) == 3
    assert "isn't deterministic" in report.notes[0]


def test_a_bot_that_mixes_up_its_tables_is_told_so(tmp_path: Path) -> None:
    changes = """
        dice = random.Random(1)
        def play(self, view):
            return self.dice.choice(view.cards)
    """
    folder = write_bot(tmp_path / "shared", changes)
    report = check(folder)
    assert report.is_ready
    assert "depend on how many games" in report.notes[0]


def test_processes_that_are_left_are_counted_and_gone(tmp_path: Path) -> None:
    folder = write_bot(
        tmp_path / "parent",
        end="__import__('subprocess').Popen(['sleep', '1234567'])\nrun(Honest)",
    )
    report = check(folder)
    assert report.is_ready
    assert "leaves 1 process behind" in report.notes[0]
    assert wait_until(lambda: not processes_with("\x001234567\x00"))


def test_what_a_hostile_bot_prints_can_do_no_harm(tmp_path: Path) -> None:
    folder = write_bot(tmp_path / "painter", end=r"print('\x1b[2J\u202eoops'); raise SystemExit(3)")
    report = check(folder)
    lines = list(report_lines(report))
    assert lines[0] == "not ready: it ends before it says hello: it exited with status 3"
    assert r"    \x1b[2J\u202eoops" in lines
    assert all(line.isprintable() for line in lines)
