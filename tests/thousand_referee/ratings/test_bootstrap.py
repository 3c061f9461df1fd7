"""The bootstrap over blocks: its strata, and that its spread is right."""

from __future__ import annotations

import numpy as np
import pytest

from simulated_games import simulate
from thousand_referee.ratings.blocks import Blocks, collect_blocks
from thousand_referee.ratings.bootstrap import estimate, resample, strata_of

STRENGTHS = {"a": 0.5, "b": 0.0, "c": -0.5, "d": 0.0}


def blocks_with(sizes: dict[str, int]) -> Blocks:
    """So many blocks of each trio."""
    games = simulate(STRENGTHS, max(sizes.values()), np.random.default_rng(0))
    kept = [game for game in games if game.block < sizes.get("".join(sorted(game.trio)), 0)]
    return collect_blocks(kept, list(STRENGTHS))


@pytest.mark.parametrize(
    ("sizes", "strata"),
    [
        ({"abc": 5, "abd": 6}, [1] * 5 + [2] * 6),
        ({"abc": 4, "abd": 3, "bcd": 5}, [0] * 7 + [3] * 5),
        ({"abc": 1, "abd": 5, "bcd": 6}, [0] * 6 + [3] * 6),
        ({"abc": 2, "abd": 5}, [0] * 2 + [2] * 5),
    ],
)
def test_a_trio_is_a_stratum_and_small_ones_share_one(
    sizes: dict[str, int], strata: list[int]
) -> None:
    assert strata_of(blocks_with(sizes)).tolist() == strata


def test_points_spread_as_the_survey_formula_says() -> None:
    """The variance of a stratified sum is that of its strata, n s² each."""
    blocks = blocks_with({"abc": 6, "abd": 9, "acd": 30, "bcd": 14})
    found = estimate(blocks)
    again = resample(blocks, found.ratings[0], seed=0, resamples=8000)
    strata = strata_of(blocks)
    for bot in range(4):
        at = blocks.trios == bot
        points, deals = (blocks.points * at).sum(axis=1), blocks.deals * at.any(axis=1)
        ratio = points.sum() / deals.sum()
        assert found.points_per_deal[0, bot] == pytest.approx(ratio)
        variance = 0.0
        for stratum in set(strata[at.any(axis=1)].tolist()):
            residual = (points - ratio * deals)[strata == stratum]
            variance += len(residual) * residual.var(ddof=1)
        expected = np.sqrt(variance) / deals.sum()
        assert again.points_per_deal[:, bot].std() == pytest.approx(expected, rel=0.05)


def test_ratings_of_resamples_lie_round_the_rating() -> None:
    blocks = blocks_with({"abc": 50, "abd": 50, "acd": 50, "bcd": 50})
    found = estimate(blocks)
    again = resample(blocks, found.ratings[0], seed=0, resamples=500)
    assert again.ratings.mean(axis=0) == pytest.approx(found.ratings[0], abs=0.05)


def test_the_size_of_the_groups_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = blocks_with({"abc": 8, "bcd": 8})
    start = estimate(blocks).ratings[0]
    together = resample(blocks, start, seed=3, resamples=101)
    monkeypatch.setattr("thousand_referee.ratings.bootstrap.PAIRS_AT_ONCE", 50)
    apart = resample(blocks, start, seed=3, resamples=101)
    assert (together.ratings == apart.ratings).all()
    assert (together.points_per_deal == apart.points_per_deal).all()
