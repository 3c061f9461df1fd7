"""Balanced schedules: not all trios of many entries, but every pair equally often.

Every entry plays `blocks_per_entry` blocks, or one more or one fewer where the numbers
don't divide, and the numbers of blocks in which two pairs meet differ by one at most:
`triples` has the design and its source. All six seatings are played as always.

What a trio plays is what it would play in the full schedule: its blocks are numbered from
0, and ids and seeds are the same. Where entries are many and their blocks few, a trio plays
one block, and its matches have one game; that is the price of meeting everybody.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from thousand_referee.schedule import SEATINGS, PlannedMatch, Trio, sorted_names
from thousand_referee.triples import balanced_triples


@dataclass(frozen=True, slots=True)
class BalancedSchedule:
    """All matches of a balanced tournament in order, made one by one as they are asked for.

    `blocks` has the number of blocks of every trio that plays, in an order in which the
    entries' blocks grow evenly. As in the full schedule all trios play their first range
    of blocks before any plays its second.
    """

    names: tuple[str, ...]
    blocks: Mapping[Trio, int]
    games_per_match: int

    @property
    def games(self) -> int:
        """The number of games in all matches."""
        return len(SEATINGS) * sum(self.blocks.values())

    def __len__(self) -> int:
        """Give the number of matches."""
        return len(SEATINGS) * sum(
            -(-count // self.games_per_match) for count in self.blocks.values()
        )

    def __iter__(self) -> Iterator[PlannedMatch]:
        for first_block in range(0, max(self.blocks.values()), self.games_per_match):
            for trio, count in self.blocks.items():
                games = min(self.games_per_match, count - first_block)
                if games > 0:
                    for seating in range(len(SEATINGS)):
                        yield PlannedMatch(trio, seating, first_block, games)


def balanced_schedule(
    names: Collection[str], blocks_per_entry: int, games_per_match: int
) -> BalancedSchedule:
    """Plan a balanced tournament; the order of `names` doesn't matter.

    ValueError for fewer than three names, a name twice, or numbers below 1.
    """
    ordered = sorted_names(names)
    if blocks_per_entry < 1 or games_per_match < 1:
        raise ValueError(
            f"no matches with {blocks_per_entry} blocks per entry, "
            f"{games_per_match} games per match"
        )
    return BalancedSchedule(
        names=ordered,
        blocks={
            (ordered[first], ordered[second], ordered[third]): count
            for (first, second, third), count in balanced_triples(
                len(ordered), blocks_per_entry
            ).items()
        },
        games_per_match=games_per_match,
    )
