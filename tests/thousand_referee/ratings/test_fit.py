"""The fit, against choix as an oracle and against the condition for a maximum."""

from __future__ import annotations

import choix
import numpy as np
import pytest
from numpy.typing import NDArray

from thousand_referee.ratings.fit import ELO_PER_LOG_ODDS, fit_ratings


def random_wins(generator: np.random.Generator, bots: int) -> NDArray[np.float64]:
    """Pairs that met up to 60 times, some never; half wins too."""
    met = generator.integers(0, 61, (bots, bots)) * (generator.random((bots, bots)) < 0.8)
    wins = np.rint(2 * met * generator.random((bots, bots))).astype(np.float64) / 2
    np.fill_diagonal(wins, 0)
    return wins


def fit_one(wins: NDArray[np.float64], prior: float) -> NDArray[np.float64]:
    half = np.full((1, len(wins)), prior)
    return fit_ratings(wins[np.newaxis], half, half, np.zeros(len(wins))).reshape(-1)


@pytest.mark.parametrize("bots", [3, 5, 20, 64, 65, 131])
def test_it_agrees_with_choix_given_the_virtual_player_as_one_more_item(bots: int) -> None:
    generator = np.random.default_rng(bots)
    for _ in range(20 if bots < 50 else 1):
        wins = random_wins(generator, bots)
        with_virtual = np.zeros((bots + 1, bots + 1))
        with_virtual[:bots, :bots] = wins
        with_virtual[bots, :bots] = with_virtual[:bots, bots] = 0.5
        oracle = choix.ilsr_pairwise_dense(with_virtual, max_iter=10_000, tol=1e-12)
        assert fit_one(wins, 0.5) == pytest.approx(oracle[:bots] - oracle[bots], abs=1e-7)


def test_it_agrees_with_choix_without_a_prior_as_the_prior_vanishes() -> None:
    generator = np.random.default_rng(7)
    for bots in (3, 4, 8, 12):
        wins = random_wins(generator, bots) + 1 - np.eye(bots)
        oracle = choix.ilsr_pairwise_dense(wins, max_iter=10_000, tol=1e-12)
        ratings = fit_one(wins, 1e-7)
        assert ratings - ratings.mean() == pytest.approx(oracle, abs=2e-6)


def test_at_the_maximum_each_bot_wins_as_often_as_expected() -> None:
    generator = np.random.default_rng(3)
    wins = random_wins(generator, 12) * (generator.random((12, 12)) < 0.3)
    ratings = fit_one(wins, 0.5)
    gaps = ratings[:, np.newaxis] - ratings
    expected = ((wins + wins.T) / (1 + np.exp(-gaps))).sum(axis=1) + 1 / (1 + np.exp(-ratings))
    assert expected == pytest.approx(wins.sum(axis=1) + 0.5, abs=1e-6)


def test_it_converges_from_any_start_on_lopsided_results() -> None:
    generator = np.random.default_rng(11)
    wins = np.triu(np.full((8, 8), 1e6), 1)  # each bot always beats all after it
    half = np.full((40, 8), 0.5)
    fits = [
        fit_ratings(np.broadcast_to(wins, (1, 8, 8)), half[:1], half[:1], start)[0]
        for start in generator.normal(0, 20, (40, 8))
    ]
    assert np.ptp(fits, axis=0).max() < 1e-6
    assert (np.diff(fits[0]) < 0).all()


def test_fits_in_one_batch_do_not_touch_each_other() -> None:
    generator = np.random.default_rng(5)
    wins = np.stack([random_wins(generator, 6) for _ in range(10)])
    half = np.full((10, 6), 0.5)
    together = fit_ratings(wins, half, half, np.zeros(6))
    assert (together == [fit_one(one, 0.5) for one in wins]).all()


def test_absurd_input_is_an_error_and_no_endless_loop() -> None:
    with pytest.raises(ArithmeticError, match="1 rating fits"):
        fit_one(np.full((2, 2), np.nan), 0.5)


def test_the_elo_scale() -> None:
    assert np.log(10) * ELO_PER_LOG_ODDS == pytest.approx(400)
