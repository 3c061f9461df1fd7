"""95% intervals hold the truth in 93 to 97% of tournaments, and only because of the blocks.

`tests/benchmarks/rating_coverage.py` looks at more tournaments, and at the extremes.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from simulated_games import simulate, true_elo, true_points, with_blocks_shuffled
from thousand_referee.ratings import Standings, standings

STRENGTHS = {"ann": 0.7, "bob": 0.2, "cat": -0.2, "dan": -0.7}
TOURNAMENTS = 250


def holds(low: float | None, truth: float, high: float | None) -> bool:
    assert low is not None
    assert high is not None
    return low <= truth <= high


def ratings_held(table: Standings, strengths: Mapping[str, float]) -> list[bool]:
    truth = true_elo(strengths)
    return [holds(row.elo_low, truth[row.name], row.elo_high) for row in table.rows]


def differences_held(table: Standings, strengths: Mapping[str, float]) -> list[bool]:
    truth = true_elo(strengths)
    return [holds(d.low, truth[d.first] - truth[d.second], d.high) for d in table.differences]


def points_held(table: Standings, strengths: Mapping[str, float]) -> list[bool]:
    truth = true_points(strengths)
    return [holds(row.points_low, truth[row.name], row.points_high) for row in table.rows]


@pytest.mark.study
@pytest.mark.parametrize(
    ("luck_index", "suit_index", "wrong"),
    [
        pytest.param(0.3, 1.0, (0.975, 1.0), id="luck cancels between the seatings"),
        pytest.param(1.0, 0.6, (0.5, 0.85), id="cards suit one bot and not another"),
    ],
)
def test_intervals_hold_the_truth_and_those_that_ignore_blocks_do_not(
    luck_index: float, suit_index: float, wrong: tuple[float, float]
) -> None:
    """`wrong` is where the share lies if games are taken for independent."""
    generator = np.random.default_rng(1)
    ratings, differences, points, ignorant = [], [], [], []
    for seed in range(TOURNAMENTS):
        games = simulate(STRENGTHS, 12, generator, luck_index=luck_index, suit_index=suit_index)
        table = standings(games, names=list(STRENGTHS), seed=seed, resamples=250)
        ratings += ratings_held(table, STRENGTHS)
        differences += differences_held(table, STRENGTHS)
        points += points_held(table, STRENGTHS)
        if seed % 3 == 0:
            shuffled = with_blocks_shuffled(games, generator)
            blind = standings(shuffled, names=list(STRENGTHS), seed=seed, resamples=250)
            assert [r.elo for r in blind.rows] == pytest.approx([r.elo for r in table.rows])
            ignorant += ratings_held(blind, STRENGTHS)
    assert 0.93 <= np.mean(ratings) <= 0.97
    assert 0.93 <= np.mean(differences) <= 0.97
    assert 0.93 <= np.mean(points) <= 0.97
    assert wrong[0] <= np.mean(ignorant) <= wrong[1]
