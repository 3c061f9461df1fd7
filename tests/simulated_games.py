"""Simulated tournaments whose true ratings are known, though games of a block are not independent.

A seat's performance in a game is its bot's strength plus Gumbel noise, and places go by
performance; bot i is then ahead of bot j with chance 1 / (1 + exp(s_j - s_i)) exactly, as
in the Bradley–Terry model. Two parts of the noise are common to a block: the luck of the
cards, by seat, and how the cards suit a bot, wherever it sits. They enter as positive stable
variables: if E is standard exponential and S positive stable with index a, (E / S)^a is
standard exponential again, and minus its logarithm Gumbel (Kanter, "Stable densities under
change of scale and total variation inequalities", Ann. Probab. 3, 1975, for drawing S).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

from thousand_referee.ratings import GameRecord

SEATINGS = tuple(permutations(range(3)))
POINTS = 100


def simulate(
    strengths: Mapping[str, float],
    blocks: int,
    generator: np.random.Generator,
    *,
    luck_index: float = 1.0,
    suit_index: float = 1.0,
) -> list[GameRecord]:
    """Play `blocks` blocks of every trio.

    `luck_index` and `suit_index`, above 0 and up to 1, say how much the games of a block
    have in common, by seat and by bot: 1 nothing, near 0 everything. A seat's points per
    deal are `POINTS / 2` for each of the others that it is ahead of.
    """
    trios = list(combinations(sorted(strengths), 3))
    count = len(trios) * blocks
    strength = np.repeat([[strengths[name] for name in trio] for trio in trios], blocks, axis=0)
    luck = _log_stable(generator, luck_index, (count, 3))
    suit = _log_stable(generator, suit_index, (count, 3))
    own = -np.log(generator.standard_exponential((count, 6, 3)))
    seats = np.argsort(SEATINGS, axis=1)  # of each bot of the trio, in each seating
    noise = suit_index * (suit[:, np.newaxis] + luck_index * (luck[:, seats] + own))
    performance = strength[:, np.newaxis] + noise
    places = 1 + (performance[..., np.newaxis, :] > performance[..., np.newaxis]).sum(axis=-1)
    deals = generator.integers(8, 16, (count, 6))
    points = (POINTS // 2 * (3 - places) * deals[..., np.newaxis]).tolist()
    all_places, all_deals = places.tolist(), deals.tolist()
    games = []
    for row in range(count):
        trio = trios[row // blocks]
        for seating, (a, b, c) in enumerate(SEATINGS):
            at, won = all_places[row][seating], points[row][seating]
            games.append(
                GameRecord(
                    trio=(trio[a], trio[b], trio[c]),
                    block=row % blocks,
                    places=(at[a], at[b], at[c]),
                    points=(won[a], won[b], won[c]),
                    deals=all_deals[row][seating],
                )
            )
    return games


def true_elo(strengths: Mapping[str, float]) -> dict[str, float]:
    """Give the ratings that the model has, mean 1500."""
    mean = sum(strengths.values()) / len(strengths)
    scale = 400 / np.log(10)
    return {name: 1500 + scale * (strength - mean) for name, strength in strengths.items()}


def true_points(strengths: Mapping[str, float]) -> dict[str, float]:
    """Give the mean points per deal that the model has, over all trios of a bot."""
    return {
        name: POINTS
        * np.mean([1 / (1 + np.exp(s - own)) for other, s in strengths.items() if other != name])
        for name, own in strengths.items()
    }


def with_blocks_shuffled(
    games: list[GameRecord], generator: np.random.Generator
) -> list[GameRecord]:
    """Number each seating's games anew, so that the games of a block share nothing.

    What standings make of this are intervals that take games for independent.
    """
    by_seating: dict[tuple[str, str, str], list[GameRecord]] = {}
    for game in games:
        by_seating.setdefault(game.trio, []).append(game)
    return [
        replace(game, block=int(block))
        for same in by_seating.values()
        for game, block in zip(same, generator.permutation(len(same)), strict=True)
    ]


def _log_stable(
    generator: np.random.Generator, index: float, shape: tuple[int, ...]
) -> NDArray[np.float64]:
    """Draw logarithms of positive stable variables; 0 for index 1."""
    angle = generator.uniform(0, np.pi, shape)
    wait = generator.standard_exponential(shape)
    result: NDArray[np.float64] = (
        np.log(np.sin(index * angle))
        - np.log(np.sin(angle)) / index
        + (1 / index - 1) * np.log(np.sin((1 - index) * angle) / wait)
        if index < 1
        else np.zeros(shape)
    )
    return result
