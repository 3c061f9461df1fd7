"""How ratings came about: the fit after each share of a tournament's games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from thousand_referee.ratings.blocks import collect_blocks
from thousand_referee.ratings.bootstrap import estimate
from thousand_referee.ratings.fit import ELO_PER_LOG_ODDS
from thousand_referee.ratings.game_table import GameTable
from thousand_referee.ratings.standings import MEAN_ELO

POINTS: Final = 12


@dataclass(frozen=True, slots=True)
class HistoryPoint:
    """The ratings from the first games of a tournament that made so many complete blocks.

    `elo` has the bots with a complete block among them; their mean is 1500.
    """

    blocks: int
    elo: dict[str, float]


def rating_history(games: GameTable, points: int = POINTS) -> tuple[HistoryPoint, ...]:
    """Rate the bots after each of `points` equal shares of the games, in the order given.

    Shares that complete no further block are left out. ValueError as `collect_blocks`.
    """
    found: list[HistoryPoint] = []
    for share in range(1, points + 1):
        # Whole blocks only: their games are played in a row, so the last ones may be cut.
        some = games.first(-(-len(games.rows) * share // points))
        blocks = collect_blocks(some, games.names)
        if blocks.count == (found[-1].blocks if found else 0):
            continue
        ratings = estimate(blocks).ratings[0]
        rated = np.flatnonzero(blocks.per_bot(np.ones_like(blocks.trios)))
        elo = MEAN_ELO + ELO_PER_LOG_ODDS * (ratings - ratings[rated].mean())
        found.append(
            HistoryPoint(blocks.count, {blocks.names[bot]: float(elo[bot]) for bot in rated})
        )
    return tuple(found)
