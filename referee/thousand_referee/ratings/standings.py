"""The standings of a tournament: Bradley–Terry ratings with intervals, and plain averages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from thousand_referee.ratings.blocks import PAIRS, SEATINGS, Blocks, collect_blocks
from thousand_referee.ratings.bootstrap import Estimate, estimate, resample, strata_of
from thousand_referee.ratings.fit import ELO_PER_LOG_ODDS
from thousand_referee.ratings.game_table import GameTable
from thousand_referee.ratings.intervals import intervals
from thousand_referee.ratings.results import Difference, GameRecord, Standings, StandingsRow
from thousand_referee.times import TimeHistogram

MEAN_ELO: Final = 1500.0
FEWEST_BLOCKS: Final = 10
"""A bot with fewer complete blocks gets no interval."""
FEWEST_RESAMPLES: Final = 100


def standings(
    games: GameTable | Iterable[GameRecord],
    *,
    names: Sequence[str],
    times: Mapping[str, TimeHistogram] | None = None,
    anchor: str | None = None,
    seed: int = 0,
    resamples: int = 1000,
) -> Standings:
    """Rate the bots `names` from the games of complete blocks.

    Every game counts as three pairwise outcomes, by its places (an equal place is half a
    win each), in a Bradley–Terry model with a weak prior: one draw of each bot with a
    virtual mean player. Ratings are on the Elo scale, their mean over the bots with a
    complete block at 1500, or the bot `anchor` at 1500 (without a complete block it
    stands where the virtual player does). Intervals are 95%, from `resamples` bootstrap
    resamples over blocks, for bots with at least 10 complete blocks; an interval of a
    difference is one of the difference itself, from the same resamples, for two bots that
    met or both played in more than one trio. See `fit`, `bootstrap` and `intervals` for
    method and sources.

    The same games in any order give the same standings, to the bit. ValueError for games
    that can't be (see `collect_blocks`), for an anchor that isn't in `names`, and for
    fewer than 100 resamples.
    """
    blocks = collect_blocks(games, names)
    if resamples < FEWEST_RESAMPLES:
        raise ValueError(f"{resamples} resamples are too few: take {FEWEST_RESAMPLES} or more")
    if anchor is not None and anchor not in blocks.names:
        raise ValueError(f"the anchor {anchor!r} is not among the entries")
    figures = _Figures.of(blocks, anchor, seed=seed, resamples=resamples)
    rated = np.flatnonzero(figures.blocks_per_bot)
    ranked = sorted(rated.tolist(), key=lambda bot: (-figures.elo[bot], bot))
    differences = figures.differences(ranked)
    to_next = {first.first: first for first in reversed(differences)}
    unrated = np.flatnonzero(figures.blocks_per_bot == 0).tolist()
    rows = tuple(
        figures.row(bot, rank, (times or {}).get(blocks.names[bot]), to_next)
        for rank, bot in enumerate([*ranked, *unrated], start=1)
    )
    return Standings(
        rows=rows,
        differences=tuple(differences),
        games=blocks.count * SEATINGS,
        blocks=blocks.count,
        games_left_out=blocks.games_left_out,
    )


@dataclass(frozen=True, slots=True)
class _Figures:
    """Everything there is to say about the N bots, by number, on the Elo scale.

    `resampled_elo` and `resampled_points` are (R, N), or None where no bot has blocks
    enough for an interval. `degrees` (N,) are the degrees of freedom for intervals, and
    `trios` (N,) counts the trios of each bot.
    """

    blocks: Blocks
    blocks_per_bot: NDArray[np.int64]
    trios: NDArray[np.int64]
    degrees: NDArray[np.int64]
    anchor: int | None
    elo: NDArray[np.float64]
    points: NDArray[np.float64]
    resampled_elo: NDArray[np.float64] | None
    resampled_points: NDArray[np.float64] | None
    met: NDArray[np.int64]
    half_wins: NDArray[np.int64]

    @classmethod
    def of(cls, blocks: Blocks, anchor: str | None, *, seed: int, resamples: int) -> _Figures:
        """Fit, and fit the resamples."""
        blocks_per_bot = blocks.per_bot(np.ones_like(blocks.trios))
        number = None if anchor is None else blocks.names.index(anchor)

        def on_elo_scale(ratings: NDArray[np.float64]) -> NDArray[np.float64]:
            origin = [number] if number is not None else np.flatnonzero(blocks_per_bot)
            shift = ratings[:, origin].mean(axis=1, keepdims=True) if blocks.count else 0.0
            scaled: NDArray[np.float64] = MEAN_ELO + ELO_PER_LOG_ODDS * (ratings - shift)
            return scaled

        found = estimate(blocks)
        again: Estimate | None = None
        if blocks_per_bot.max(initial=0) >= FEWEST_BLOCKS:
            again = resample(blocks, found.ratings[0], seed=seed, resamples=resamples)
        met, half_wins = _head_to_head(blocks)
        return cls(
            blocks=blocks,
            blocks_per_bot=blocks_per_bot,
            trios=_trios_per_bot(blocks),
            degrees=blocks_per_bot - _strata_per_bot(blocks),
            anchor=number,
            elo=on_elo_scale(found.ratings)[0],
            points=found.points_per_deal[0],
            resampled_elo=None if again is None else on_elo_scale(again.ratings),
            resampled_points=None if again is None else again.points_per_deal,
            met=met,
            half_wins=half_wins,
        )

    def differences(self, ranked: Sequence[int]) -> list[Difference]:
        """Compare each bot with all ranked below it."""
        found = []
        for place, bot in enumerate(ranked):
            below = np.array(ranked[place + 1 :], dtype=np.int64)
            ends = self._difference_ends(bot, below)
            for other, (low, high) in zip(below.tolist(), ends, strict=True):
                met = int(self.met[bot, other])
                difference = Difference(
                    first=self.blocks.names[bot],
                    second=self.blocks.names[other],
                    elo=float(self.elo[bot] - self.elo[other]),
                    low=low,
                    high=high,
                    games=met,
                    score=float(self.half_wins[bot, other]) / 2 / met if met else None,
                )
                found.append(difference)
        return found

    def _difference_ends(
        self, bot: int, below: NDArray[np.int64]
    ) -> list[tuple[float, float] | tuple[None, None]]:
        """Give the interval of a bot's lead over each of the others.

        Between two that never met, one of which knows two opponents only, the lead rests
        on the model alone, which the bootstrap can't see.
        """
        ends: list[tuple[float, float] | tuple[None, None]] = [(None, None)] * len(below)
        fewest = np.minimum(self.blocks_per_bot[bot], self.blocks_per_bot[below])
        tied = (self.met[bot, below] > 0) | (np.minimum(self.trios[bot], self.trios[below]) > 1)
        enough = np.flatnonzero((fewest >= FEWEST_BLOCKS) & tied)
        if self.resampled_elo is not None and len(enough):
            others = below[enough]
            leads = self.resampled_elo[:, [bot]] - self.resampled_elo[:, others]
            degrees = np.minimum(self.degrees[bot], self.degrees[others])
            lows, highs = intervals(self.elo[bot] - self.elo[others], leads, degrees)
            for place, low, high in zip(enough, lows, highs, strict=True):
                ends[place] = (float(low), float(high))
        return ends

    def _ends(
        self,
        bot: int,
        found: NDArray[np.float64],
        resampled: NDArray[np.float64] | None,
    ) -> tuple[float, float] | tuple[None, None]:
        """Give the interval of one bot's figure."""
        if resampled is None or self.blocks_per_bot[bot] < FEWEST_BLOCKS:
            return None, None
        (low,), (high,) = intervals(found[[bot]], resampled[:, [bot]], self.degrees[[bot]])
        return float(low), float(high)

    def row(
        self, bot: int, rank: int, times: TimeHistogram | None, to_next: Mapping[str, Difference]
    ) -> StandingsRow:
        """Give a bot's row."""
        name = self.blocks.names[bot]
        blocks = int(self.blocks_per_bot[bot])
        games = blocks * SEATINGS
        resampled_elo = None if bot == self.anchor else self.resampled_elo
        elo_low, elo_high = self._ends(bot, self.elo, resampled_elo)
        points_low, points_high = self._ends(bot, self.points, self.resampled_points)
        return StandingsRow(
            rank=rank,
            name=name,
            elo=float(self.elo[bot]) if blocks else None,
            elo_low=elo_low,
            elo_high=elo_high,
            games=games,
            blocks=blocks,
            win_share=self._total(self.blocks.sixths, bot) / 6 / games if blocks else None,
            mean_place=self._total(self.blocks.places, bot) / games if blocks else None,
            points_per_deal=float(self.points[bot]) if blocks else None,
            points_low=points_low,
            points_high=points_high,
            faults=self._total(self.blocks.faults, bot),
            time_median_ms=times.quantile(0.5) if times else None,
            time_p99_ms=times.quantile(0.99) if times else None,
            time_worst_ms=times.worst_ms if times else None,
            to_next=to_next.get(name),
        )

    def _total(self, values: NDArray[np.int64], bot: int) -> int:
        """Sum a bot's entries of a (B, 3) array."""
        return int(values[self.blocks.trios == bot].sum())


def _trios_per_bot(blocks: Blocks) -> NDArray[np.int64]:
    """Count the trios that each bot has blocks in, (N,)."""
    trios = np.unique(blocks.trios, axis=0)
    return np.bincount(trios.ravel(), minlength=len(blocks.names)).astype(np.int64)


def _strata_per_bot(blocks: Blocks) -> NDArray[np.int64]:
    """Count the strata that each bot has blocks in, (N,)."""
    strata = np.repeat(strata_of(blocks), 3)
    pairs = np.unique(np.stack([blocks.trios.ravel(), strata], axis=1), axis=0)
    return np.bincount(pairs[:, 0], minlength=len(blocks.names)).astype(np.int64)


def _head_to_head(blocks: Blocks) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Count the games of each pair, and the row's half wins over the column: (N, N) each."""
    bots = len(blocks.names)
    met, half_wins = np.zeros((2, bots, bots), dtype=np.int64)
    for pair, (one, other) in enumerate(PAIRS):
        first, second = blocks.trios[:, one], blocks.trios[:, other]
        won = blocks.half_wins[:, pair]
        np.add.at(half_wins, (first, second), won)
        np.add.at(half_wins, (second, first), 2 * SEATINGS - won)
        np.add.at(met, (first, second), SEATINGS)
        np.add.at(met, (second, first), SEATINGS)
    return met, half_wins
