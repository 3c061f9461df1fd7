"""Standings at a narrow terminal: names whole, columns left out and named."""

from __future__ import annotations

import io
import re
import sys
from itertools import permutations

import pytest

from thousand_referee.cli.standings import print_standings
from thousand_referee.ratings import GameRecord, standings

NAMES = ("random-twin", "counter-of-cards", "cautious")


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("columns", "is_whole"), [("70", False), ("130", True)])
def test_names_are_never_cut(monkeypatch: pytest.MonkeyPatch, columns: str, is_whole: bool) -> None:
    games = [
        GameRecord((a, b, c), block, (1, 2, 3), (900, 400, 300), 12)
        for block in range(12)
        for a, b, c in permutations(NAMES)
    ]
    out = _Terminal()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    print_standings("t", standings(games, names=NAMES))
    text = re.sub(r"\x1b\[[\d;]*m", "", out.getvalue())
    assert all(name in text for name in NAMES)
    assert max(map(len, text.splitlines())) <= int(columns)
    assert ("points/deal" in text.splitlines()[2]) is is_whole
    assert ("No room for: ms median/p99/worst" in text) is not is_whole
