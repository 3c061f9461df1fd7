"""How often 95% intervals hold the truth, over simulated tournaments of many kinds.

    python tests/benchmarks/rating_coverage.py [TOURNAMENTS]

For each kind, the share of intervals that hold the truth, in percent: of ratings, of rating
differences, of points per deal, and of ratings when games are (wrongly) taken for
independent (with one block to a trio, that makes no difference here). 95 is right. With n
tournaments of N bots the shares are uncertain by about 2 * sqrt(0.05 * 0.95 / (n N)): 0.7
for 1000 tournaments of 4 bots.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np

TESTS = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "thousand_referee" / "ratings"))

from test_coverage import differences_held, points_held, ratings_held  # noqa: E402

from simulated_games import simulate, with_blocks_shuffled  # noqa: E402
from thousand_referee.ratings import standings  # noqa: E402

RESAMPLES = 400


class Kind(NamedTuple):
    """A kind of tournament: `spread` is from the worst bot to the best, in log-odds."""

    bots: int
    spread: float
    blocks_per_trio: int
    luck_index: float
    suit_index: float


KINDS = (
    Kind(3, 1.0, 10, 0.6, 0.8),
    Kind(3, 1.0, 40, 0.6, 0.8),
    Kind(4, 1.4, 4, 0.6, 0.8),
    Kind(4, 1.4, 12, 1.0, 1.0),
    Kind(4, 1.4, 12, 0.3, 1.0),
    Kind(4, 1.4, 12, 1.0, 0.6),
    Kind(4, 1.4, 100, 0.6, 0.8),
    Kind(4, 4.0, 12, 0.6, 0.8),
    Kind(6, 2.0, 1, 0.6, 0.8),
    Kind(6, 2.0, 2, 0.6, 0.8),
    Kind(6, 2.0, 5, 0.6, 0.8),
    Kind(10, 3.0, 1, 0.6, 0.8),
    Kind(3, 6.0, 30, 0.6, 0.8),
)


def coverage(kind: Kind, tournaments: int) -> tuple[float, float, float, float]:
    """Give the four shares, in percent."""
    strengths = {
        f"bot{number}": strength
        for number, strength in enumerate(np.linspace(0, kind.spread, kind.bots).tolist())
    }
    generator = np.random.default_rng(0)
    held: tuple[list[bool], ...] = ([], [], [], [])
    for seed in range(tournaments):
        games = simulate(
            strengths,
            kind.blocks_per_trio,
            generator,
            luck_index=kind.luck_index,
            suit_index=kind.suit_index,
        )
        table = standings(games, names=list(strengths), seed=seed, resamples=RESAMPLES)
        shuffled = with_blocks_shuffled(games, generator)
        blind = standings(shuffled, names=list(strengths), seed=seed, resamples=RESAMPLES)
        held[0].extend(ratings_held(table, strengths))
        held[1].extend(differences_held(table, strengths))
        held[2].extend(points_held(table, strengths))
        held[3].extend(ratings_held(blind, strengths))
    ratings, differences, points, ignorant = (100 * float(np.mean(one)) for one in held)
    return ratings, differences, points, ignorant


def main(tournaments: int) -> None:
    """Print a line for each kind."""
    print("bots spread blocks/trio luck suit | ratings differences points | blocks ignored")
    for kind in KINDS:
        ratings, differences, points, ignorant = coverage(kind, tournaments)
        print(
            f"{kind.bots:4} {kind.spread:6} {kind.blocks_per_trio:11} {kind.luck_index:4} "
            f"{kind.suit_index:4} | {ratings:7.1f} {differences:11.1f} {points:6.1f} | "
            f"{ignorant:14.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500)
