"""The line of progress: never wider than the terminal, and quiet elsewhere."""

from __future__ import annotations

import io

import pytest

from thousand_referee.cli import status_line
from thousand_referee.cli.status_line import StatusLine


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_long_line_is_cut_and_does_not_wrap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    out = _Terminal()
    line = StatusLine(out)
    line.tick(lambda: "x" * 50)
    line.tick(lambda: "y" * 5)
    line.clear()
    first, second, *blank = out.getvalue().split("\r")[1:]
    assert first == "x" * 19
    assert second == "y" * 5 + " " * 14
    assert not "".join(blank).strip()


def test_elsewhere_a_line_comes_early_and_then_seldom(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr(status_line.time, "monotonic", lambda: clock[0])
    out = io.StringIO()
    line = StatusLine(out)
    for second in range(15):
        clock[0] = float(second)
        line.tick(lambda: f"at {clock[0]:.0f}")
    assert out.getvalue().splitlines() == ["at 2", "at 12"]
