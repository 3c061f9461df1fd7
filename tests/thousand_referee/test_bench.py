"""The bench on two small games: what it measures is there and fits together."""

from __future__ import annotations

import pytest

from thousand_referee.bench import run_bench


def test_a_small_bench() -> None:
    told: list[str] = []
    report = run_bench(1, tables=2, games=2, one_table_games=1, tell=told.append)
    assert len(told) == 4
    assert report.full_to_bare == pytest.approx(report.full / report.bare)
    assert report.full_to_one_table == pytest.approx(report.full / report.one_table)
    assert 1 <= report.decisions_per_message <= 2, "two tables ask two questions at most"
    assert set(report.parts) >= {"referee", "referee writes", "bot reads", "bot"}
