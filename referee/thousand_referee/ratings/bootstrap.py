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

from collections.abc import Iterable, Iterator
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
FEW_RUNS: Final = 3
"""Trios with so many blocks each, on average, are summed one by one first, to save time."""
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
    sums = _Sums.of(blocks)
    ahead, behind = np.divmod(sums.pairs, bots)
    at_once = max(1, PAIRS_AT_ONCE // max(1, bots**2))
    remaining = iter(weights)
    for done in range(0, len(prior_wins), at_once):
        group = slice(done, min(done + at_once, len(prior_wins)))
        wins = np.zeros((group.stop - done, bots, bots))
        for row, weight in enumerate(islice(remaining, at_once)):
            won, games, points, deals = sums.weighted(weight)
            wins[row, ahead, behind], wins[row, behind, ahead] = won, games - won
            np.divide(points, deals, out=points_per_deal[done + row], where=deals > 0)
        ratings[group] = fit_ratings(wins, prior_wins[group], prior_losses[group], start)
    return Estimate(ratings=ratings, points_per_deal=points_per_deal)


@dataclass(frozen=True, slots=True)
class _Sums:
    """Sums over blocks, by pair and by bot, as a thousand resamples need them.

    `pairs` (K,) are the pairs that met, first bot times N plus second. `columns` (8, B)
    are what is summed of each block: wins of each pair's first bot, points of each bot,
    games, and deals. Where trios have many blocks each, those of a trio, which stand in a
    row, are summed first; they begin at `runs` (T,). `pair_of` and `bot_of` (3, T) say
    what the sums of a trio (or block) then belong to.
    """

    bots: int
    pairs: NDArray[np.int64]
    columns: NDArray[np.float64]
    runs: NDArray[np.int64] | None
    pair_of: NDArray[np.int64]
    bot_of: NDArray[np.int64]

    @classmethod
    def of(cls, blocks: Blocks) -> _Sums:
        """Prepare the sums of all blocks."""
        bots = len(blocks.names)
        first, second = np.array(PAIRS).T
        keys = blocks.trios[:, first] * bots + blocks.trios[:, second]
        pairs = np.unique(keys)
        is_new = np.ones(blocks.count, dtype=np.bool_)
        is_new[1:] = (blocks.trios[1:] != blocks.trios[:-1]).any(axis=1)
        runs = np.flatnonzero(is_new)
        chosen = runs if FEW_RUNS * len(runs) < blocks.count else np.arange(blocks.count)
        return cls(
            bots=bots,
            pairs=pairs,
            columns=np.stack(
                [
                    *blocks.half_wins.T / 2,
                    *blocks.points.T,
                    np.full(blocks.count, SEATINGS),
                    blocks.deals,
                ]
            ).astype(np.float64),
            runs=runs if chosen is runs else None,
            pair_of=np.searchsorted(pairs, keys[chosen].T).ravel(),
            bot_of=blocks.trios[chosen].T.ravel(),
        )

    def weighted(self, weight: NDArray[np.float64]) -> tuple[NDArray[np.float64], ...]:
        """Give the sums with each block weighted: wins and games (K,), points and deals (N,)."""
        rows: NDArray[np.float64] = self.columns * weight
        if self.runs is not None:
            rows = np.add.reduceat(rows, self.runs, axis=1)
        won = _by_key(self.pair_of, rows[0:3].ravel(), len(self.pairs))
        games = _by_key(self.pair_of, np.tile(rows[6], 3), len(self.pairs))
        points = _by_key(self.bot_of, rows[3:6].ravel(), self.bots)
        deals = _by_key(self.bot_of, np.tile(rows[7], 3), self.bots)
        return np.minimum(won, games), games, points, deals


def _by_key(keys: NDArray[np.int64], values: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    """Sum values by key, 0 to `size` - 1."""
    return np.bincount(keys, values, size).astype(np.float64, copy=False)
