"""The schedule of an open tournament, where entries come and go while it is played.

Its unit is a *range*: `games_per_match` consecutive blocks of one trio, six matches, one
for each seating. Which range comes next follows from who is entered, and from what each
trio has begun so far:

1. Whoever has played the fewest blocks plays. When even that is `blocks_per_entry` or
   more, nothing is left to do until somebody enters.
2. The second is the one whom the first has met in the fewest blocks.
3. The third is the one whom both have met in the fewest blocks, added up.

Ties go to whoever has played fewer blocks (the third: whose trio has), then by name. So
newcomers catch up fast, and spread over all others while they do: every range has two
seats for those whom they have met least. A trio's ranges are numbered from block 0, with
the ids and seeds of the full schedule.

A range that an entry left when it retired is *abandoned*: its number stays used, but its
blocks count for nobody, so the others play them elsewhere. It counts again, and is played
on, when all three are back. So an entry that comes and goes takes no results from anybody.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from itertools import combinations
from typing import Final

from thousand_referee.schedule import SEATINGS, PlannedMatch, Trio

_MATCHES: Final = len(SEATINGS)


class OpenSchedule:
    """What was begun of an open tournament, and what comes next.

    Attributes:
        blocks: how many blocks each entry has begun, retired ones too, without abandoned ones.
    """

    def __init__(self, blocks_per_entry: int, games_per_match: int) -> None:
        self._goal = blocks_per_entry
        self._games = games_per_match
        self._ranges: Counter[Trio] = Counter()
        self._met: Counter[tuple[str, str]] = Counter()
        self.blocks: Counter[str] = Counter()

    def resume(self, finished: Iterable[tuple[Trio, int, int]]) -> Iterator[PlannedMatch]:
        """Take over what was played before; yield what is missing of the ranges begun.

        `finished` are matches: the sorted trio, the first block, the seating. All ranges
        count; those of trios that don't all play any more are to be abandoned.
        """
        seatings: dict[tuple[int, Trio], set[int]] = {}
        for trio, first_block, seating in finished:
            seatings.setdefault((first_block, trio), set()).add(seating)
        # A range counts although an earlier one of its trio has no match yet: that was begun.
        for first_block, trio in sorted(seatings):
            while self._ranges[trio] * self._games <= first_block:
                begun = self._ranges[trio] * self._games
                self._begin(trio)
                seatings.setdefault((begun, trio), set())
        for first_block, trio in sorted(seatings):
            for seating in range(_MATCHES):
                if seating not in seatings[first_block, trio]:
                    yield PlannedMatch(trio, seating, first_block, self._games)

    def begin(self, names: Collection[str]) -> tuple[PlannedMatch, ...]:
        """Begin the next range among `names`; its six matches, or none if nothing is to do."""
        trio = self._choose(sorted(names, key=str.encode))
        if trio is None:
            return ()
        first_block = self._ranges[trio] * self._games
        self._begin(trio)
        return tuple(
            PlannedMatch(trio, seating, first_block, self._games) for seating in range(_MATCHES)
        )

    def abandon(self, trio: Trio) -> None:
        """Let a range of this trio, which was begun, count no more."""
        self._count(trio, -self._games)

    def take_up(self, trio: Trio) -> None:
        """Let a range of this trio, which was abandoned, count again."""
        self._count(trio, self._games)

    def blocks_left(self, names: Collection[str]) -> int:
        """Estimate how many blocks are still to be begun among `names`."""
        if len(names) < 3:
            return 0
        missing = [max(0, self._goal - self.blocks[name]) for name in names]
        return max(*missing, -(-sum(missing) // 3))

    def _choose(self, names: list[str]) -> Trio | None:
        if len(names) < 3:
            return None
        first = min(names, key=lambda name: self.blocks[name])
        if self.blocks[first] >= self._goal:
            return None
        others = [name for name in names if name != first]
        second = min(others, key=lambda name: (self._meetings(first, name), self.blocks[name]))
        others.remove(second)
        third = min(
            others,
            key=lambda name: (
                self._meetings(first, name) + self._meetings(second, name),
                self._ranges[_sorted(first, second, name)],
                self.blocks[name],
            ),
        )
        return _sorted(first, second, third)

    def _begin(self, trio: Trio) -> None:
        self._ranges[trio] += 1
        self._count(trio, self._games)

    def _count(self, trio: Trio, blocks: int) -> None:
        for name in trio:
            self.blocks[name] += blocks
        for pair in combinations(trio, 2):
            self._met[pair] += blocks

    def _meetings(self, one: str, other: str) -> int:
        pair = (one, other) if one.encode() < other.encode() else (other, one)
        return self._met[pair]


def _sorted(*names: str) -> Trio:
    first, second, third = sorted(names, key=str.encode)
    return first, second, third
