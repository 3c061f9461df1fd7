"""The tail of Student's t, against printed tables and what is known in closed form."""

from __future__ import annotations

from math import atan, erfc, pi, sqrt

import pytest

from thousand_referee.audit.student import student_tail


@pytest.mark.parametrize(
    ("t", "degrees", "tail"),
    [
        # Abramowitz & Stegun, table 26.10
        (12.706, 1, 0.025),
        (2.571, 5, 0.025),
        (3.365, 5, 0.01),
        (4.032, 5, 0.005),
        (1.812, 10, 0.05),
        (3.169, 10, 0.005),
        (2.042, 30, 0.025),
        (2.358, 120, 0.01),
    ],
)
def test_printed_quantiles(t: float, degrees: float, tail: float) -> None:
    assert student_tail(t, degrees) == pytest.approx(tail, rel=2e-3)


@pytest.mark.parametrize("t", [-30.0, -1.5, -0.01, 0.0, 0.3, 2.0, 50.0])
def test_closed_forms(t: float) -> None:
    assert student_tail(t, 1) == pytest.approx(0.5 - atan(t) / pi, rel=1e-9)
    assert student_tail(t, 2) == pytest.approx(0.5 - t / (2 * sqrt(2 + t * t)), rel=1e-9)


@pytest.mark.parametrize("t", [-2.0, 0.5, 4.0])
def test_with_many_degrees_it_is_normal(t: float) -> None:
    assert student_tail(t, 1e7) == pytest.approx(erfc(t / sqrt(2)) / 2, rel=1e-4)


def test_fractions_of_degrees_lie_in_between() -> None:
    assert student_tail(2.5, 4) > student_tail(2.5, 4.5) > student_tail(2.5, 5)
