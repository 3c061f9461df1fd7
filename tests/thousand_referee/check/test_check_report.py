"""What a check's report says to who reads it at a terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

import thousand
from thousand.defaults import default_action
from thousand.messages import Answer
from thousand_referee.check.checker import Report
from thousand_referee.check.exam import Exam, Problem
from thousand_referee.check.report import last_lines, report_lines, view_lines
from thousand_referee.check.situations import SITUATIONS, Situation
from thousand_referee.spec import TimeLimits

LIMITS = TimeLimits(move_ms=1_000, bank_ms=10_000)


def slow_exam(seconds: float) -> Exam:
    """An exam of a bot that takes so long for each decision, up to what is wrong with it."""
    exam, now = Exam("s", 1, LIMITS), 1000.0
    while (response := exam.take(now)) is not None and exam.problem is None:
        now += seconds
        answers = [Answer(prompt.id, default_action(prompt.view)) for prompt in response.prompts]
        exam.check_time(now)
        exam.hear(answers, now)
    return exam


def test_of_the_bank_it_is_told_what_was_left() -> None:
    """Nine decisions of 2.1 s leave 0.1 s of ten."""
    problem = slow_exam(2.1).problem
    assert problem is not None
    assert problem.cause == "it takes too long for its decisions"
    assert problem.detail == (
        "no answer after 2.1 s: the limit is 1 s a decision, and of the 10 s on top that "
        "all the situations share 0.1 s were left"
    )


@pytest.mark.parametrize("tables", [1, 32])
def test_answers_that_come_too_late_tell_what_was_left(tables: int) -> None:
    exam = Exam("s", tables, LIMITS)
    response = exam.take(1000.0)
    assert response is not None
    answers = [Answer(prompt.id, default_action(prompt.view)) for prompt in response.prompts]
    exam.hear(answers, 1000.0 + 5 * len(answers))
    if tables == 1:
        assert exam.problem is None
        return
    assert exam.problem is not None
    assert exam.problem.detail.startswith("no answer after 5.0 s: the limit is 1 s a decision")
    assert exam.problem.detail.endswith(" 2.0 s were left")


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda situation: situation.name)
def test_what_a_bot_was_asked_fits_the_terminal(situation: Situation) -> None:
    problem = Problem("wrong", "why", situation.name, situation.view(1))
    lines = list(report_lines(Report("bot", None, problem)))
    assert lines[:3] == ["not ready: wrong", "  why", f"  in: {situation.name}"]
    assert "you are asked to" in lines[3]
    labels = [line[4:].split(" ")[0] for line in lines]
    assert "scores" in labels
    assert "hand" in labels
    assert max(map(len, lines)) < 100


def test_a_long_line_of_a_view_is_broken() -> None:
    bids = tuple((seat % 3, 100 + 5 * seat) for seat in range(20))
    view = SITUATIONS[0].view(0)._replace(bids=bids)
    lines = list(view_lines(view))
    assert max(map(len, lines)) < 100
    assert "seat 1 195" in " ".join(line.strip() for line in lines)


FRAMES = f"""\
Traceback (most recent call last):
  File "/home/me/mybot/bot.py", line 12, in <module>
    run(Mine)
  File "{Path(thousand.__file__).parent}/client.py", line 70, in run
    asyncio.run(_play(bot))
    ~~~~~~~~~~~^^^^^^^^^^^^
  File "/usr/lib/python3.12/asyncio/runners.py", line 195, in run
    return runner.run(main)
  File "/usr/lib/python3.12/site-packages/thousand/player.py", line 9, in ask
    answer()
  File "/home/me/thousand/bot.py", line 7, in play
    return veiw.cards[0]
NameError: name 'veiw' is not defined
"""


def test_of_a_traceback_the_author_sees_only_what_is_the_authors() -> None:
    assert last_lines(FRAMES) == [
        "Traceback (most recent call last):",
        '  File "/home/me/mybot/bot.py", line 12, in <module>',
        "    run(Mine)",
        '  File "/home/me/thousand/bot.py", line 7, in play',
        "    return veiw.cards[0]",
        "NameError: name 'veiw' is not defined",
    ]


def test_lines_of_its_output_are_cut() -> None:
    (line,) = last_lines("\x1b" * 300)
    assert len(line) == 200
    assert line.endswith("…")
