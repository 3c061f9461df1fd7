"""95% intervals from resamples: bias-corrected, expanded percentiles.

The plain percentile interval takes the 2.5% and 97.5% quantiles of the resamples: those at
Phi(-z) and Phi(z), z = 1.96. Two things are put right:

- Bias: the quantiles are taken at Phi(2 b - z) and Phi(2 b + z), where Phi(b) is the share
  of resamples below the estimate itself (Efron & Tibshirani, "An Introduction to the
  Bootstrap", 1993, section 14.3, with no acceleration).
- Few blocks: Student's quantile t stands for z, since the spread of the blocks is only an
  estimate itself (Hesterberg, "What teachers should know about the bootstrap", Amer.
  Statist. 69, 2015, on expanded percentiles; the rest of his correction is in the
  resampling, see `bootstrap`).

The choice was made by simulation; `tests/benchmarks/rating_coverage.py` shows the outcome.
"""

from __future__ import annotations

from statistics import NormalDist
from typing import Final

import numpy as np
from numpy.typing import NDArray

NORMAL: Final = NormalDist()
LARGEST_BIAS: Final = 1.0
"""Bounds b, so that an interval always holds its estimate (t is never below 1.96)."""


def intervals(
    estimates: NDArray[np.float64], values: NDArray[np.float64], degrees: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Give the lower and upper ends, (K,) each, of K figures.

    `estimates` (K,) are the figures, `values` (R, K) those of R resamples, R >= 2.
    `degrees` (K,) are the degrees of freedom: blocks less strata, at least 1.
    """
    below = (values < estimates).mean(axis=0) + (values == estimates).mean(axis=0) / 2
    shares = [
        _shares(float(share), int(freedom)) for share, freedom in zip(below, degrees, strict=True)
    ]
    lower, upper = np.array(shares).T
    ordered = np.sort(values, axis=0)
    return _quantiles(ordered, lower), _quantiles(ordered, upper)


def _shares(below: float, degrees: int) -> tuple[float, float]:
    """Give the shares of the resamples that lie below the lower and the upper end."""
    smallest = NORMAL.cdf(-LARGEST_BIAS)
    bias = NORMAL.inv_cdf(min(max(below, smallest), 1 - smallest))
    reach = student_quantile(degrees)
    return NORMAL.cdf(2 * bias - reach), NORMAL.cdf(2 * bias + reach)


def _quantiles(ordered: NDArray[np.float64], shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give one quantile for each sorted column, interpolated between its neighbours."""
    position = shares * (len(ordered) - 1)
    below = np.minimum(position.astype(np.int64), len(ordered) - 2)
    column = np.arange(ordered.shape[1])
    low, high = ordered[below, column], ordered[below + 1, column]
    result: NDArray[np.float64] = low + (position - below) * (high - low)
    return result


def student_quantile(degrees: int) -> float:
    """Give the 97.5% quantile of Student's t.

    By its expansion in powers of 1 / degrees (Abramowitz & Stegun 26.7.5): short by
    0.12% at 5 degrees of freedom, and by less above.
    """
    x = NORMAL.inv_cdf(0.975)
    terms = (
        (x**3 + x) / 4,
        (5 * x**5 + 16 * x**3 + 3 * x) / 96,
        (3 * x**7 + 19 * x**5 + 17 * x**3 - 15 * x) / 384,
    )
    return x + sum(term / float(degrees) ** power for power, term in enumerate(terms, start=1))
