"""Many games as one array: a million of them are 56 megabytes, and read in a second or two."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

import numpy as np
from numpy.typing import NDArray

from thousand_referee.ratings.results import GameRecord

COLUMNS: Final = 14


@dataclass(frozen=True, slots=True)
class GameTable:
    """G games, one in each of the `rows` (G, 14), all integers.

    The columns are: bots by seat, as places in `names`; block; places, points, by seat;
    deals; faults by seat.
    """

    names: tuple[str, ...]
    rows: NDArray[np.int32]

    @classmethod
    def of(cls, games: Iterable[GameRecord], names: Sequence[str]) -> GameTable:
        """Put records into a table; ValueError for a bot that isn't in `names`."""
        numbers = {name: number for number, name in enumerate(names)}
        return cls(tuple(names), _array(_row(game, numbers) for game in games))

    @classmethod
    def of_ids(
        cls, rows: Iterable[Sequence[int]], names: Mapping[int, str], ordered: Sequence[str]
    ) -> GameTable:
        """Put rows into a table that have bots by ids of any size; `names` has them by id."""
        table = _array(rows)
        ids = np.array(sorted(names), dtype=np.int64)
        numbers = np.array([ordered.index(names[bot]) for bot in ids.tolist()], dtype=np.int32)
        table[:, :3] = numbers[np.searchsorted(ids, table[:, :3])] if len(table) else 0
        return cls(tuple(ordered), table)

    def sorted_by_name(self) -> GameTable:
        """Give the same games with the names in order."""
        order = sorted(range(len(self.names)), key=lambda number: self.names[number])
        numbers = np.empty(len(order), dtype=np.int32)
        numbers[order] = np.arange(len(order), dtype=np.int32)
        rows = self.rows.copy()
        rows[:, :3] = numbers[rows[:, :3]] if len(rows) else 0
        return GameTable(tuple(self.names[number] for number in order), rows)

    def first(self, games: int) -> GameTable:
        """Give the first so many games."""
        return GameTable(self.names, self.rows[:games])


def _array(rows: Iterable[Sequence[int]]) -> NDArray[np.int32]:
    values = array("i")
    values.extend(chain.from_iterable(rows))
    return np.frombuffer(values, dtype=np.int32).reshape(-1, COLUMNS)


def _row(game: GameRecord, numbers: Mapping[str, int]) -> tuple[int, ...]:
    try:
        bots = [numbers[name] for name in game.trio]
    except KeyError as missing:
        raise ValueError(
            f"block {game.block} of {' · '.join(game.trio)}: "
            f"bot {missing.args[0]!r} is not among the entries"
        ) from None
    return (*bots, game.block, *game.places, *game.points, game.deals, *game.faults)
