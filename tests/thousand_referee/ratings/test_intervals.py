"""Bias-corrected, expanded percentile intervals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thousand_referee.ratings.intervals import intervals, student_quantile

STUDENT_QUANTILES = {5: 2.5706, 9: 2.2622, 10: 2.2281, 20: 2.0860, 30: 2.0423, 100: 1.9840}
"""From the tables, for instance Abramowitz & Stegun 26.10."""


@pytest.mark.parametrize(("degrees", "quantile"), STUDENT_QUANTILES.items())
def test_students_quantile(degrees: int, quantile: float) -> None:
    assert student_quantile(degrees) == pytest.approx(quantile, rel=0.0013)


def test_many_degrees_and_no_bias_give_the_plain_percentiles() -> None:
    values = np.arange(1001.0)[:, np.newaxis]
    low, high = intervals(np.array([500.0]), values, np.array([10**9]))
    assert (low[0], high[0]) == (pytest.approx(25), pytest.approx(975))


def test_few_degrees_make_it_longer() -> None:
    values = np.random.default_rng(0).normal(size=(4001, 1))
    low, high = intervals(np.median(values, axis=0), values, np.array([9]))
    assert (low[0], high[0]) == (pytest.approx(-2.26, abs=0.15), pytest.approx(2.26, abs=0.15))


def test_resamples_that_lie_low_move_it_up() -> None:
    values = np.random.default_rng(0).normal(size=(4001, 1))
    low, high = intervals(np.array([0.25]), values, np.array([10**9]))
    assert (low[0], high[0]) == (pytest.approx(-1.46, abs=0.15), pytest.approx(2.46, abs=0.25))


def test_each_figure_is_on_its_own() -> None:
    generator = np.random.default_rng(1)
    values, degrees = generator.normal(size=(500, 5)), np.array([5, 10, 20, 40, 80])
    estimates = generator.normal(0, 0.2, 5)
    low, high = intervals(estimates, values, degrees)
    for k in range(5):
        alone = intervals(estimates[[k]], values[:, [k]], degrees[[k]])
        assert alone == (low[k], high[k])


@given(
    st.lists(st.floats(-1e6, 1e6), min_size=100, max_size=120),
    st.integers(5, 1000),
    st.floats(0, 1),
)
def test_turned_round_it_is_the_same(values: list[float], degrees: int, share: float) -> None:
    column = np.array(values)[:, np.newaxis]
    estimate, freedom = np.quantile(column, share, axis=0), np.array([degrees])
    low, high = intervals(estimate, column, freedom)
    turned_low, turned_high = intervals(-estimate, -column, freedom)
    assert low <= high
    assert low == pytest.approx(-turned_high, abs=1e-3)
    assert high == pytest.approx(-turned_low, abs=1e-3)
