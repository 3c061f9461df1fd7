"""A check's report: the verdict first, its cause and place next, then the figures."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import thousand
from thousand.cards import text_of
from thousand.rules import Decision
from thousand.view import View
from thousand_referee.bot_output import LINE_LENGTH, TAIL_BYTES
from thousand_referee.check.checker import LIMITS, MANY_TABLES, Report
from thousand_referee.check.exam import Problem
from thousand_referee.check.sitting import Sitting
from thousand_referee.matchlog.spelling import prompt_of
from thousand_referee.matchlog.telling_view import ViewTeller
from thousand_referee.text import cut, printable

_OUTPUT_LINES: Final = 20
_WIDTH: Final = 98
_FRAME: Final = re.compile(r'  File "')
_FOREIGN_FRAME: Final = re.compile(
    rf'  File "({re.escape(str(Path(thousand.__file__).parent))}|.*/site-packages/thousand'
    r'|.*/python3[^/"]*/asyncio)/'
)
_KINDS: Final = {
    Decision.BID: "bids",
    Decision.GIVE: "gifts",
    Decision.RAISE: "raises",
    Decision.PLAY: "plays",
}


def report_lines(report: Report) -> Iterator[str]:
    """Yield the report line by line, safe to print."""
    bot, problem, sitting = report.bot, report.problem, report.sitting
    if problem is None:
        yield f"ok: {report.folder} is ready to be entered"
    else:
        yield f"not ready: {printable(problem.cause)}"
        yield from _problem_lines(problem, sitting)
    for note in report.notes:
        yield f"note: {printable(note)}"
    if bot is not None and sitting is not None:
        yield ""
        folder = "" if bot.folder.name == bot.name else f" ({printable(bot.folder.name)})"
        yield _row("bot", f"{printable(bot.name)}{folder}, version {bot.version}")
        yield from _figure_lines(report, sitting)


def _problem_lines(problem: Problem, sitting: Sitting | None) -> Iterator[str]:
    if problem.detail and not problem.cause.endswith(problem.detail):
        yield f"  {printable(problem.detail)}"
    if problem.view is not None:
        yield f"  in: {problem.where}"
        yield from view_lines(problem.view)
        yield from _wrapped(f"  legal: {legal_text(problem.view)}", 9)
    if problem.answer:
        yield f"  it answered: {printable(problem.answer)}"
    lines = last_lines(sitting.tail) if sitting is not None else []
    if lines:
        yield "  the end of what it printed:"
        yield from (f"    {line}" for line in lines)


def view_lines(view: View) -> Iterator[str]:
    """Tell a view as people read it, in lines that fit a terminal."""
    names = ["you" if seat == view.seat else f"seat {seat}" for seat in range(3)]
    teller = ViewTeller(names, view.seat)
    yield f"  {teller.question(view).plain}"
    for text in teller.view(view):
        yield from _wrapped("  " + text.plain, 14)


def _wrapped(line: str, indent: int) -> Iterator[str]:
    """Break a line that is too long; what goes on has this indent."""
    yield from textwrap.wrap(line, _WIDTH, subsequent_indent=" " * indent, break_on_hyphens=False)


def legal_text(view: View) -> str:
    """Spell the legal choices of a view out."""
    if view.decision is Decision.GIVE:
        return "any two of " + " ".join(text_of(view.cards))
    if view.decision is Decision.PLAY:
        text = " ".join(text_of(view.cards))
        if view.announceable:
            text += "; may announce " + " ".join(text_of(view.announceable))
        return text
    return " ".join(str(amount) if amount else "pass" for amount in view.amounts)


def last_lines(output: str) -> list[str]:
    """Give the last lines of a bot's output, made safe and not too long.

    Of tracebacks the frames are left out that are no author's: those of the SDK and of
    asyncio.
    """
    lines = [line for line in _own_lines(output[-TAIL_BYTES:].splitlines()) if line.strip()]
    return [cut(printable(line), LINE_LENGTH) for line in lines[-_OUTPUT_LINES:]]


def _own_lines(lines: Iterable[str]) -> Iterator[str]:
    is_foreign = False
    for line in lines:
        if _FRAME.match(line):
            is_foreign = _FOREIGN_FRAME.match(line) is not None
        elif not line.startswith("    "):
            is_foreign = False
        if not is_foreign:
            yield line


def _figure_lines(report: Report, sitting: Sitting) -> Iterator[str]:
    figures, times = sitting.figures, sitting.figures.times
    if sitting.hello_ms is not None:
        text = f"{sitting.hello_ms / 1000:.2f} s to its hello"
        if sitting.exit_ms is not None:
            text += f", {sitting.exit_ms / 1000:.2f} s to its end after the goodbye"
        yield _row("start", text)
    asked = ", ".join(
        f"{figures.asked[kind]:,} {name}" for kind, name in _KINDS.items() if figures.asked[kind]
    )
    if times.total:
        yield _row("asked", f"{asked}; {sitting.lessons} of {sitting.of_lessons} games finished")
        yield _row(
            "time",
            f"median {times.quantile(0.5) or 0:.2f} ms, p99 {times.quantile(0.99) or 0:.2f} ms, "
            f"worst {times.worst_ms or 0:.0f} ms a decision; {LIMITS.move_ms:,} ms are allowed",
        )
    if sitting.memory_kb is not None and sitting.cpu_ms is not None:
        yield _row(
            "uses",
            f"{sitting.memory_kb / 1024:.0f} MB of memory, "
            f"{sitting.cpu_ms / 1000:.2f} s of processor time",
        )
    if report.is_ready and len(report.sittings) == 2:
        yield _row("repeats", f"the same answers with {MANY_TABLES} tables and with one")


def _row(name: str, text: str) -> str:
    return f"  {name:<8} {text}"


def report_json(report: Report) -> dict[str, Any]:
    """Give the report as plain values."""
    problem = report.problem
    return {
        "ready": report.is_ready,
        "folder": report.folder,
        "name": None if report.bot is None else report.bot.name,
        "version": None if report.bot is None else report.bot.version,
        "problem": None if problem is None else _problem_json(problem, report.sitting),
        "notes": list(report.notes),
        "sittings": [_sitting_json(sitting) for sitting in report.sittings],
    }


def _problem_json(problem: Problem, sitting: Sitting | None) -> dict[str, Any]:
    return {
        "cause": problem.cause,
        "detail": problem.detail,
        "where": problem.where,
        "prompt": None if problem.view is None else prompt_of(problem.view),
        "answer": problem.answer,
        "told": list(_problem_lines(problem, sitting)),
        "output": [] if sitting is None else last_lines(sitting.tail),
    }


def _sitting_json(sitting: Sitting) -> dict[str, Any]:
    times = sitting.figures.times
    return {
        "games": sitting.lessons,
        "of_games": sitting.of_lessons,
        "hello_ms": sitting.hello_ms,
        "exit_ms": sitting.exit_ms,
        "asked": {name: sitting.figures.asked[kind] for kind, name in _KINDS.items()},
        "median_ms": times.quantile(0.5),
        "p99_ms": times.quantile(0.99),
        "worst_ms": times.worst_ms,
        "cpu_ms": sitting.cpu_ms,
        "memory_kb": sitting.memory_kb,
        "left_processes": sitting.left,
        "printed_bytes": sitting.printed,
    }
