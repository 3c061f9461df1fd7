"""Bradley–Terry ratings by maximum likelihood, many tournaments at once.

Bot i is ahead of bot j with chance s(r_i - r_j), s(x) = 1 / (1 + e^-x) (Bradley &
Terry, "Rank analysis of incomplete block designs", Biometrika 39, 1952). Ratings r here
are log-odds; `ELO_PER_LOG_ODDS` makes Elo of them.

**Prior.** Each bot has also met a virtual player, whose rating is fixed at 0, with a
little of a win and a little of a loss (`prior_wins`, `prior_losses`). This makes the
log-likelihood strictly concave with bounded level sets, so there is one finite maximum
even for undefeated bots and for groups of bots that never met.

**Convergence.** Newton's method with damped steps. Let d be the Newton step and D the
range of its entries together with 0 (what the virtual player's rating moves by). Along d
each argument of s changes at a rate of at most D, and |s''| <= s', so the curvature after a
share t of the step is at most e^(tD) times that at its start. The gain is then at least
q (t - (e^(tD) - 1 - tD) / D^2), q > 0 being the squared Newton decrement; this is greatest
at t = ln(1 + D) / D, where it is positive. Every step therefore gains, from any start,
which gives convergence to the maximum, and since t -> 1 it is quadratic in the end.
(Sun & Tran-Dinh, "Generalized self-concordant functions", Math. Programming 178, 2019,
has the general theorem; Hunter, "MM algorithms for generalized Bradley–Terry models",
Ann. Statist. 32, 2004, the condition for a maximum to exist and a slower method.)
"""

from __future__ import annotations

from math import log
from typing import Final

import numpy as np
from numpy.typing import NDArray

ELO_PER_LOG_ODDS: Final = 400 / log(10)
TOLERANCE: Final = 1e-4
"""The fit ends after a Newton step of a range D up to this, in log-odds. Convergence is
quadratic, so what is then left of the error is about its square, 1e-8 (2e-6 Elo)."""
LARGEST_STEPS: Final = 200
LARGEST_SYSTEM: Final = 64


def fit_ratings(
    wins: NDArray[np.float64],
    prior_wins: NDArray[np.float64],
    prior_losses: NDArray[np.float64],
    start: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Fit R tournaments of N bots, each on its own: (R, N) ratings in log-odds.

    `wins` (R, N, N) counts how often the row's bot was ahead of the column's, half a
    win for an equal place; 0 on the diagonal. `prior_wins` and `prior_losses` (R, N)
    are those against the virtual player, above 0. `start` (N,) is where to start from;
    a near one saves time. ArithmeticError if a fit hasn't converged after
    `LARGEST_STEPS`, which takes absurd input.
    """
    ratings = np.broadcast_to(start, prior_wins.shape).copy()
    unfinished = np.arange(len(ratings))
    for _ in range(LARGEST_STEPS):
        if not len(unfinished):
            return ratings
        step = _newton_step(
            ratings[unfinished], wins[unfinished], prior_wins[unfinished], prior_losses[unfinished]
        )
        span = step.max(axis=1, initial=0.0) - step.min(axis=1, initial=0.0)
        damping = np.log1p(span) / np.maximum(span, np.finfo(np.float64).tiny)
        ratings[unfinished] += step * damping[:, np.newaxis]
        unfinished = unfinished[~(span <= TOLERANCE)]  # so that NaN counts as unfinished
    raise ArithmeticError(f"{len(unfinished)} rating fits did not converge")


def _newton_step(
    ratings: NDArray[np.float64],
    wins: NDArray[np.float64],
    prior_wins: NDArray[np.float64],
    prior_losses: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Give the full Newton step of each fit, (R, N).

    The gradient sums wins times the chance of losing, less losses times the chance of
    winning; no term cancels, so it is exact for lopsided results too.
    """
    behind = _sigmoid(ratings[:, np.newaxis, :] - ratings[:, :, np.newaxis])
    ahead = behind.transpose(0, 2, 1)
    surprise = wins * behind
    gradient = surprise.sum(axis=2) - surprise.sum(axis=1)
    gradient += prior_wins * _sigmoid(-ratings) - prior_losses * _sigmoid(ratings)

    curvature = (wins + wins.transpose(0, 2, 1)) * behind * ahead
    prior_curvature = (prior_wins + prior_losses) * _sigmoid(ratings) * _sigmoid(-ratings)
    hessian = -curvature
    diagonal = np.arange(ratings.shape[1])
    hessian[:, diagonal, diagonal] += curvature.sum(axis=2) + prior_curvature
    return _solve(hessian, gradient[:, :, np.newaxis])[:, :, 0]


def _solve(matrices: NDArray[np.float64], rights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Solve R symmetric positive definite systems: (R, N, N) and (R, N, M) to (R, N, M).

    Large ones go by halves (the Schur complement): from 100 rows on OpenBLAS would use
    threads for each little system, and on a busy machine they wait 20 ms for each other.
    """
    size = matrices.shape[1]
    if size <= LARGEST_SYSTEM:
        return np.linalg.solve(matrices, rights).astype(np.float64, copy=False)
    half = size // 2
    corner, side = matrices[:, :half, :half], matrices[:, :half, half:]
    across = side.transpose(0, 2, 1)
    solved = _solve(corner, np.concatenate([side, rights[:, :half]], axis=2))
    by_side, by_right = np.split(solved, [size - half], axis=2)
    lower = _solve(
        matrices[:, half:, half:] - across @ by_side, rights[:, half:] - across @ by_right
    )
    return np.concatenate([by_right - by_side @ lower, lower], axis=1)


def _sigmoid(log_odds: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give the chance that belongs to log-odds."""
    result: NDArray[np.float64] = 1 / (1 + np.exp(-log_odds))
    return result
