"""From game records to the complete blocks, as arrays in an order of their own."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from thousand_referee.ratings.game_table import GameTable
from thousand_referee.ratings.results import GameRecord

SEATINGS: Final = 6
PAIRS: Final = ((0, 1), (0, 2), (1, 2))
"""The pairs of a trio, as places in it; where a block has three of something by pair."""


@dataclass(frozen=True, slots=True)
class Blocks:
    """The B complete blocks, sorted by trio and block number.

    `names` are all N bots, sorted; a bot's number is its place there. The arrays have
    one row for each block: `trios` (B, 3) bot numbers, ascending; then sums over the
    block's six games, by place in the trio: `points`, `places`, `faults` and `sixths`
    (of a win: 6 alone, 3 or 2 shared), all (B, 3); `half_wins` (B, 3) by pair, 2 for
    each game with the pair's first bot ahead and 1 for an equal place, so 0 to 12;
    and `deals` (B,). `games_left_out` counts the games of incomplete blocks.
    """

    names: tuple[str, ...]
    trios: NDArray[np.int64]
    half_wins: NDArray[np.int64]
    points: NDArray[np.int64]
    deals: NDArray[np.int64]
    sixths: NDArray[np.int64]
    places: NDArray[np.int64]
    faults: NDArray[np.int64]
    games_left_out: int

    @property
    def count(self) -> int:
        """The number of complete blocks, B."""
        return len(self.trios)

    def per_bot(self, values: NDArray[np.int64]) -> NDArray[np.int64]:
        """Sum a (B, 3) array by bot: (N,)."""
        sums = np.zeros(len(self.names), dtype=np.int64)
        np.add.at(sums, self.trios, values)
        return sums


def collect_blocks(games: GameTable | Iterable[GameRecord], names: Sequence[str]) -> Blocks:
    """Sort games into blocks, and keep those with all six seatings; `names` are all bots.

    The result doesn't depend on the order of `games` or of `names`. ValueError for a
    name that isn't in `names` or is there twice, for a bot at two seats of a game, for
    places or deals that no game has, and for two games of one seating in one block.
    """
    ordered = tuple(sorted(names))
    if len(set(ordered)) < len(ordered):
        twice = next(a for a, b in itertools.pairwise(ordered) if a == b)
        raise ValueError(f"bot {twice!r} is listed twice among the entries")
    if not isinstance(games, GameTable):
        games = GameTable.of(games, ordered)
    elif sorted(games.names) != list(ordered):
        raise ValueError(f"the games are of {games.names!r}, not of {names!r}")
    table = games.sorted_by_name().rows

    by_seat = table[:, 0:3]
    seats = np.argsort(by_seat, axis=1)
    trios = np.take_along_axis(by_seat, seats, axis=1)
    blocks = table[:, 3]
    order = np.lexsort((seats[:, 1], seats[:, 0], blocks, *trios.T[::-1]))
    table, seats, trios, blocks = table[order], seats[order], trios[order], blocks[order]
    _reject_impossible(table, trios, ordered)

    new_block = np.ones(len(table), dtype=np.bool_)
    new_block[1:] = (trios[1:] != trios[:-1]).any(axis=1) | (blocks[1:] != blocks[:-1])
    again = ~new_block
    again[1:] &= (seats[1:] == seats[:-1]).all(axis=1)
    if again.any():
        raise ValueError(
            f"{_describe(table[again.argmax()], ordered)} is there twice; "
            "a block has one game of each seating"
        )
    starts = np.flatnonzero(new_block)
    sizes = np.diff(starts, append=len(table))
    complete = np.repeat(sizes == SEATINGS, sizes)
    table, seats, trios = table[complete], seats[complete], trios[complete]

    def by_bot(first_column: int) -> NDArray[np.int64]:
        columns = table[:, first_column : first_column + 3]
        return np.take_along_axis(columns, seats, axis=1).astype(np.int64)

    def summed(by_game: NDArray[np.int64]) -> NDArray[np.int64]:
        sums: NDArray[np.int64] = by_game.reshape(-1, SEATINGS, 3).sum(axis=1)
        return sums

    places = by_bot(4)
    won = places == 1
    winners = np.maximum(won.sum(axis=1, keepdims=True), 1)
    return Blocks(
        names=ordered,
        trios=trios[::SEATINGS].astype(np.int64),
        half_wins=summed(
            np.stack([1 + np.sign(places[:, b] - places[:, a]) for a, b in PAIRS], axis=1)
        ),
        points=summed(by_bot(7)),
        deals=table[:, 10].astype(np.int64).reshape(-1, SEATINGS).sum(axis=1),
        sixths=summed(won * (6 // winners)),
        places=summed(places),
        faults=summed(by_bot(11)),
        games_left_out=len(complete) - len(table),
    )


def _reject_impossible(
    table: NDArray[np.int32], trios: NDArray[np.int32], names: tuple[str, ...]
) -> None:
    """Raise ValueError for the first game (in sorted order) that can't have been."""
    places = table[:, 4:7]
    for wrong, what in (
        ((trios[:, 1:] == trios[:, :-1]).any(axis=1), "has one bot at two seats"),
        ((places < 1).any(axis=1) | (places > 3).any(axis=1), "has places outside 1 to 3"),
        ((places != 1).all(axis=1), "has nobody at place 1"),
        (table[:, 10] < 1, "has no deals"),
    ):
        if wrong.any():
            raise ValueError(f"{_describe(table[wrong.argmax()], names)} {what}")


def _describe(row: NDArray[np.int32], names: tuple[str, ...]) -> str:
    """Name the game in a row of the table, for a message."""
    return f"block {row[3]}, seating {' · '.join(names[number] for number in row[:3])}:"
