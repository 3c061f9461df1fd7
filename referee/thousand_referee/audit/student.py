"""The tail of Student's t distribution, without a library for it."""

from __future__ import annotations

from math import exp, lgamma, log, log1p
from typing import Final

_SMALLEST: Final = 1e-300
_PRECISION: Final = 1e-14
_STEPS: Final = 10_000


def student_tail(t: float, degrees: float) -> float:
    """Give the chance of a value above `t` with so many degrees of freedom (above 0).

    By the incomplete beta function (Abramowitz & Stegun 26.7.1), which is evaluated as a
    continued fraction (26.5.8) by Lentz's method.
    """
    half = _incomplete_beta(degrees / 2, 0.5, degrees / (degrees + t * t)) / 2
    return half if t > 0 else 1 - half


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """Give the regularized incomplete beta function I_x(a, b) for 0 <= x <= 1."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x))
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(a, b, x) / a
    return 1 - front * _fraction(b, a, 1 - x) / b


def _fraction(a: float, b: float, x: float) -> float:
    c, d = 1.0, 1 / _away_from_zero(1 - (a + b) * x / (a + 1))
    result = d
    for m in range(1, _STEPS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = 1 / _away_from_zero(1 + term * d)
            c = _away_from_zero(1 + term / c)
            result *= c * d
        if abs(c * d - 1) < _PRECISION:
            break
    return result


def _away_from_zero(value: float) -> float:
    return value if abs(value) > _SMALLEST else _SMALLEST
