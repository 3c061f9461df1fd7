"""The bootstrap over blocks: what the figures would be with other cards.

The unit is the block. Its six games share their cards, so they are no independent
observations, and an interval that takes them for such is wrong in either direction: too
wide where luck cancels between the seatings, too narrow where a bot's way of playing suits
the cards or not (`tests/benchmarks/rating_coverage.py` shows both).

**Strata.** The schedule fixes who plays whom, so chance lies in the cards and not in the
trios. Each trio is a stratum, and blocks are drawn within it: n - 1 of its n blocks, with
replacement, each counting n / (n - 1), which makes the variance right for any n >= 2 (Rao
& Wu, "Resampling inference with complex survey data", J. Amer. Statist. Assoc. 83, 1988).
But few blocks make poor strata (in simulations with two to a trio, intervals held the truth
in 90 to 92%), so trios with fewer than five share one; that errs on the long side.

**Prior.** The virtual win and loss of each bot are weighted anew, too, by independent
exponential variables of mean 1 (as in Rubin, "The Bayesian bootstrap", Ann. Statist. 9,
1981). They hardly matter for a bot that has won and lost, but for one that never lost, of
which resampling games says nothing, they give the interval a sensible length.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

import numpy as np
from numpy.typing import NDArray

from thousand_referee.ratings.blocks import PAIRS, SEATINGS, Blocks
from thousand_referee.ratings.fit import fit_ratings

PRIOR_HALF: Final = 0.5
"""The prior: a draw, half a win and half a loss, with a virtual player of rating 0."""
SMALLEST_STRATUM: Final = 5
"""Trios with fewer blocks share a stratum."""
PAIRS_AT_ONCE: Final = 100_000
"""Fits are done in groups of about so many pairs of bots, which fit a processor's cache."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """Figures of the N bots: `ratings` (R, N) in log-odds, `points_per_deal` (R, N).

    R is the number of resamples, or 1. `points_per_deal` is NaN for a bot that has no
    block (in that resample).
    """

    ratings: NDArray[np.float64]
    points_per_deal: NDArray[np.float64]


def estimate(blocks: Blocks) -> Estimate:
    """Give the figures themselves (R = 1)."""
    prior = np.full((1, len(blocks.names)), PRIOR_HALF)
    start = np.zeros(len(blocks.names))
    return _estimate(blocks, [np.ones(blocks.count)], prior, prior, start)


def resample(blocks: Blocks, start: NDArray[np.float64], *, seed: int, resamples: int) -> Estimate:
    """Give the figures of `resamples` resamples; `start` (N,) are the ratings.

    Takes at least two blocks.
    """
    generator = np.random.default_rng(seed)
    shape = (2, resamples, len(blocks.names))
    prior_wins, prior_losses = PRIOR_HALF * generator.standard_exponential(shape)
    weights = _draw_weights(strata_of(blocks), generator, resamples)
    return _estimate(blocks, weights, prior_wins, prior_losses, start)


def strata_of(blocks: Blocks) -> NDArray[np.int64]:
    """Give the stratum of each block, (B,): its trio, or 0 for those of small trios."""
    is_new = np.ones(blocks.count, dtype=np.bool_)
    is_new[1:] = (blocks.trios[1:] != blocks.trios[:-1]).any(axis=1)
    trio = np.cumsum(is_new) - 1
    sizes = np.bincount(trio)
    own = sizes >= SMALLEST_STRATUM
    if sizes[~own].sum() == 1:  # nothing to be drawn against: the next smallest joins it
        own[np.where(own, sizes, blocks.count).argmin()] = False
    return np.where(own[trio], trio + 1, 0)


def _draw_weights(
    strata: NDArray[np.int64], generator: np.random.Generator, resamples: int
) -> Iterator[NDArray[np.float64]]:
    """Yield the weight of each block, (B,), resample by resample."""
    order = np.argsort(strata, kind="stable")
    _, starts, sizes = np.unique(strata[order], return_index=True, return_counts=True)
    first, size = np.repeat(starts, sizes - 1), np.repeat(sizes, sizes - 1)
    scale = np.empty(len(strata))
    scale[order] = np.repeat(sizes / (sizes - 1), sizes)
    for _ in range(resamples):
        drawn = order[first + (generator.random(len(first)) * size).astype(np.int64)]
        yield np.bincount(drawn, minlength=len(strata)) * scale


def _estimate(
    blocks: Blocks,
    weights: Iterable[NDArray[np.float64]],
    prior_wins: NDArray[np.float64],
    prior_losses: NDArray[np.float64],
    start: NDArray[np.float64],
) -> Estimate:
    """Give the figures with each block counted as often as its weight (B,) says."""
    bots = len(blocks.names)
    ratings, points_per_deal = np.full((2, *prior_wins.shape), np.nan)
    first, second = np.array(PAIRS).T
    pairs = _Sums.of(
        blocks.trios[:, first] * bots + blocks.trios[:, second],
        (blocks.half_wins / 2, SEATINGS - blocks.half_wins / 2),
    )
    ahead, behind = np.divmod(pairs.keys, bots)
    singles = _Sums.of(blocks.trios, (blocks.points, np.stack([blocks.deals] * 3, axis=1)))
    at_once = max(1, PAIRS_AT_ONCE // max(1, bots**2))
    remaining = iter(weights)
    for done in range(0, len(prior_wins), at_once):
        group = slice(done, min(done + at_once, len(prior_wins)))
        wins = np.zeros((group.stop - done, bots, bots))
        for row, weight in enumerate(islice(remaining, at_once)):
            wins[row, ahead, behind], wins[row, behind, ahead] = pairs.weighted(weight)
            points, deals = singles.weighted(weight)
            per_deal = points_per_deal[done + row]
            per_deal[singles.keys] = np.divide(points, deals, out=points * np.nan, where=deals > 0)
        ratings[group] = fit_ratings(wins, prior_wins[group], prior_losses[group], start)
    return Estimate(ratings=ratings, points_per_deal=points_per_deal)


@dataclass(frozen=True, slots=True)
class _Sums:
    """Sums by key of values that come in twos and threes: two kinds, three a block.

    `keys` (K,) are the keys that occur, ascending. The other arrays are sorted by key:
    `block` (3 B,) and `values` (2, 3 B); those of a key begin at its `starts` (K,).
    """

    keys: NDArray[np.int64]
    starts: NDArray[np.int64]
    block: NDArray[np.int64]
    values: NDArray[np.float64]

    @classmethod
    def of(cls, key: NDArray[np.int64], values: Sequence[NDArray[np.number]]) -> _Sums:
        """Sort values (two of (B, 3)) by key (B, 3)."""
        order = np.argsort(key, axis=None, kind="stable")
        keys, starts = np.unique(key.ravel()[order], return_index=True)
        by_key = np.array([kind.ravel()[order] for kind in values], dtype=np.float64)
        return cls(keys=keys, starts=starts, block=order // 3, values=by_key)

    def weighted(self, weight: NDArray[np.float64]) -> NDArray[np.float64]:
        """Give the sums with each block weighted, (2, K)."""
        sums: NDArray[np.float64] = np.add.reduceat(
            self.values * weight[self.block], self.starts, axis=1
        )
        return sums
