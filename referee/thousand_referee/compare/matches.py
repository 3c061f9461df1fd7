"""The matches of a comparison, and what their games say of the new bot.

A comparison plays one block after another. A block is played by the new bot, the old one
and a third, with the same cards in every seating, and once with each third bot. Where the
third is the old bot's twin, a seating with the two exchanged would be the same again: so
of the six seatings there are three then, and the new bot is scored against both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Final

from thousand.rules import block_seed
from thousand_referee.matchlog.summary import MatchSummary
from thousand_referee.schedule import bot_seed
from thousand_referee.spec import BotVersion, FaultLimits, MatchSpec, TimeLimits

BATCH: Final = 16
"""Blocks in a match: enough to make the start of processes cheap."""

_SEATINGS: Final = tuple(permutations(range(3)))
_ROTATIONS: Final = ((0, 1, 2), (2, 0, 1), (1, 2, 0))
"""By seat, who sits there: 0 the new bot, 1 the old one, 2 the third."""


@dataclass(frozen=True, slots=True)
class Contest:
    """Who plays: the new bot, the old one, and the third ones, under different names.

    Without `thirds`, `twin` is the third.
    """

    new: BotVersion
    old: BotVersion
    twin: BotVersion
    thirds: tuple[BotVersion, ...]

    @property
    def trios(self) -> tuple[tuple[BotVersion, BotVersion, BotVersion], ...]:
        """New, old and third bot, for each third."""
        return tuple((self.new, self.old, third) for third in self.thirds or (self.twin,))

    @property
    def seatings(self) -> tuple[tuple[int, ...], ...]:
        """The seatings of each block: by seat, the place in the trio of who sits there."""
        return _SEATINGS if self.thirds else _ROTATIONS

    @property
    def games_per_block(self) -> int:
        """Games of one block with every third bot."""
        return len(self.trios) * len(self.seatings)

    def score(self, names: Sequence[str], places: Sequence[int]) -> float:
        """Score the new bot in a game against the old one, and its twin: 0 to 1.

        `names` and `places` are by seat.
        """
        place_of = dict(zip(names, places, strict=True))
        own = place_of[self.new.name]
        others = [place_of[name] for name in (self.old.name, self.twin.name) if name in place_of]
        return sum(1.0 if own < place else 0.5 if own == place else 0.0 for place in others) / len(
            others
        )


def planned_matches(
    contest: Contest,
    *,
    name: str,
    seed: str,
    blocks: int,
    tables: int,
    time: TimeLimits,
    log_dir: str,
    output_dir: str,
) -> Iterator[MatchSpec]:
    """Yield the matches for so many blocks in order; `name` begins their ids.

    Cards and bots' seeds follow from `seed` alone. A seat's seed is the same in all seatings,
    so that equal bots score alike even if they, or the third, draw lots.
    """
    for first_block in range(0, blocks, BATCH):
        numbers = range(first_block, min(first_block + BATCH, blocks))
        for third, trio in enumerate(contest.trios):
            for seating, places in enumerate(contest.seatings):
                first, second, last = (trio[place] for place in places)
                part = f"t{third}-b{first_block:05d}"
                names = [bot.name for bot in trio]
                lots = [bot_seed(seed, f"compare {part}", seat).hex() for seat in range(3)]
                yield MatchSpec(
                    match=f"{name}-{part}-s{seating}",
                    tournament="",
                    bots=(first, second, last),
                    first_block=first_block,
                    block_seeds=tuple(block_seed(seed, names, number).hex() for number in numbers),
                    bot_seeds=(lots[0], lots[1], lots[2]),
                    tables=tables,
                    time=time,
                    faults=FaultLimits(),
                    log_dir=log_dir,
                    output_dir=output_dir,
                )


class BlockScores:
    """Collects games in any order, and gives the scores of blocks in theirs.

    So what is decided depends on the seed alone, not on which match is faster.
    """

    def __init__(self, contest: Contest) -> None:
        self._contest = contest
        self._scores: dict[int, list[float]] = {}
        self._next = 0

    def add(self, summary: MatchSummary) -> None:
        """Take the games of a match."""
        names = [bot.name for bot in summary.bots]
        for game in summary.games:
            score = self._contest.score(names, game.places)
            self._scores.setdefault(game.block, []).append(score)

    def take(self) -> Iterator[float]:
        """Yield the scores of the next blocks that are complete."""
        while len(scores := self._scores.get(self._next, [])) == self._contest.games_per_block:
            del self._scores[self._next]
            self._next += 1
            # Added up in order: the same figures make the same sum, to the bit.
            yield sum(sorted(scores)) / len(scores)
