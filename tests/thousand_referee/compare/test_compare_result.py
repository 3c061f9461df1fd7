"""How ``thousand compare`` words a difference that is off the scale."""

from __future__ import annotations

import pytest

from thousand_referee.cli.compare import _result
from thousand_referee.compare.sequential import Plan, SequentialTest


@pytest.mark.parametrize(
    ("score", "start"), [(1.0, "more than +"), (0.0, "below -"), (0.75, "+191 Elo (")]
)
def test_a_bot_that_always_wins_has_no_estimate(score: float, start: str) -> None:
    test = SequentialTest(Plan())
    for _ in range(10):
        test.add(score)
    assert _result(test).startswith(start)
    assert _result(SequentialTest(Plan())) == "no estimate yet"
