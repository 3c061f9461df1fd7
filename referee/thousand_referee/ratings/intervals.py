"""95% intervals from resamples: expanded percentiles.

The plain percentile interval takes the 2.5% and 97.5% quantiles of the resamples. With few
blocks that is too short, since the spread of the blocks is itself only estimated: the
normal quantile stands where Student's belongs. The expanded interval therefore takes the
quantiles at Phi(-t) and Phi(t), t being Student's 97.5% quantile (Hesterberg, "What
teachers should know about the bootstrap", Amer. Statist. 69, 2015, section 4.3; the other half
of his correction is in the resampling already, see `bootstrap`). Percentiles as such: Efron
& Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 13. The choice was made by
simulation: `tests/benchmarks/rating_coverage.py`.
"""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray


def intervals(
    values: NDArray[np.float64], degrees: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Give the lower and upper ends, (K,) each, of K figures in R resamples.

    `values` is (R, K), R >= 2; `degrees` (K,) are the degrees of freedom: blocks less
    strata, at least 1.
    """
    tails = np.array([_tail(int(freedom)) for freedom in degrees])
    ordered = np.sort(values, axis=0)
    return _quantiles(ordered, tails), _quantiles(ordered, 1 - tails)


def _quantiles(ordered: NDArray[np.float64], shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give one quantile for each sorted column, interpolated between its neighbours."""
    position = shares * (len(ordered) - 1)
    below = np.minimum(position.astype(np.int64), len(ordered) - 2)
    column = np.arange(ordered.shape[1])
    low, high = ordered[below, column], ordered[below + 1, column]
    result: NDArray[np.float64] = low + (position - below) * (high - low)
    return result


def _tail(degrees: int) -> float:
    """Give the share of resamples to cut off at each end."""
    return NormalDist().cdf(-student_quantile(degrees))


def student_quantile(degrees: int) -> float:
    """Give the 97.5% quantile of Student's t.

    By its expansion in powers of 1 / degrees (Abramowitz & Stegun 26.7.5): short by
    0.12% at 5 degrees of freedom, and by less above.
    """
    x = NormalDist().inv_cdf(0.975)
    terms = (
        (x**3 + x) / 4,
        (5 * x**5 + 16 * x**3 + 3 * x) / 96,
        (3 * x**7 + 19 * x**5 + 17 * x**3 - 15 * x) / 384,
    )
    return x + sum(term / float(degrees) ** power for power, term in enumerate(terms, start=1))
