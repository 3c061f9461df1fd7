"""Which matches a tournament consists of, in which order, and what each is made of.

This is the full schedule, of all trios (or all with a challenger); `balanced` has the
other one, and the same ids and seeds.

Everything here follows from the tournament's settings alone, so another machine, or
this one after a restart, gets the same matches. A block range is `games_per_match`
consecutive blocks (the last one may be shorter). The order is: by block range, in it by
trio, in it by seating; so all trios get their first blocks complete before any gets
its second range, and six matches in a row complete the blocks of one trio.

A trio's names are in ascending order of their UTF-8 bytes. Its seating s, 0 to 5, is the
s-th permutation of the trio in lexicographic order, read as seats 0, 1 and 2.

**Match id**: ``TOURNAMENT-TRIO-bBLOCK-sSEATING``, say ``demo-3fa9c1d25e6f7a8b-b00020-s3``.
TRIO is the first 16 hex digits of ``SHA-256(A | 0 | B | 0 | C)``, BLOCK the first block
with at least five digits. An id doesn't depend on the other entries.

**Bot seed**: the first 16 bytes of
``SHA-256("thousand bot 1" | 0 | tournament seed | 0 | match id | 0 | seat)``,
the seat a decimal digit, texts in UTF-8, 0 for one zero byte.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import combinations, permutations
from math import comb
from typing import Final, TypeAlias

from thousand.rules import block_seed
from thousand_referee.spec import BotVersion, FaultLimits, MatchSpec, TimeLimits

SEATINGS: Final = tuple(permutations(range(3)))
"""By seating, the place in the sorted trio of who sits at seats 0, 1 and 2."""

Trio: TypeAlias = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class PlannedMatch:
    """One sorted trio in one seating (0 to 5), for `games` blocks from `first_block`."""

    trio: Trio
    seating: int
    first_block: int
    games: int

    @property
    def seats(self) -> Trio:
        """The names by seat."""
        first, second, third = SEATINGS[self.seating]
        return self.trio[first], self.trio[second], self.trio[third]

    def id_in(self, tournament: str) -> str:
        """Give the match's id in the tournament of that name."""
        return match_id(tournament, self.trio, self.first_block, self.seating)


@dataclass(frozen=True, slots=True)
class Schedule:
    """All matches of a tournament in order, made one by one as they are asked for.

    `names` are sorted. With `challengers`, only the trios with at least one of them play.
    """

    names: tuple[str, ...]
    challengers: frozenset[str]
    blocks: int
    games_per_match: int

    def trios(self) -> Iterator[Trio]:
        """Yield the trios that play, in order."""
        for trio in combinations(self.names, 3):
            if not self.challengers or not self.challengers.isdisjoint(trio):
                yield trio

    @property
    def trio_count(self) -> int:
        """The number of trios that play."""
        others = len(self.names) - len(self.challengers)
        return comb(len(self.names), 3) - (comb(others, 3) if self.challengers else 0)

    @property
    def games(self) -> int:
        """The number of games in all matches."""
        return self.trio_count * len(SEATINGS) * self.blocks

    def __len__(self) -> int:
        """Give the number of matches."""
        ranges = -(-self.blocks // self.games_per_match)
        return self.trio_count * len(SEATINGS) * ranges

    def __iter__(self) -> Iterator[PlannedMatch]:
        for first_block in range(0, self.blocks, self.games_per_match):
            games = min(self.games_per_match, self.blocks - first_block)
            for trio in self.trios():
                for seating in range(len(SEATINGS)):
                    yield PlannedMatch(trio, seating, first_block, games)


def schedule(
    names: Collection[str], challengers: Collection[str], blocks: int, games_per_match: int
) -> Schedule:
    """Plan a tournament; the order of `names` doesn't matter.

    ValueError for fewer than three names, a name twice, a challenger who isn't among
    them, or numbers below 1.
    """
    ordered = sorted_names(names)
    if not set(challengers) <= set(names):
        raise ValueError(f"challengers {challengers!r} are not all among {names!r}")
    if blocks < 1 or games_per_match < 1:
        raise ValueError(f"no matches with {blocks} blocks, {games_per_match} games per match")
    return Schedule(
        names=ordered,
        challengers=frozenset(challengers),
        blocks=blocks,
        games_per_match=games_per_match,
    )


def sorted_names(names: Collection[str]) -> tuple[str, ...]:
    """Give names in ascending order of their bytes; ValueError unless three or more differ."""
    if len(set(names)) != len(names) or len(names) < 3:
        raise ValueError(f"a schedule needs three or more different names, not {names!r}")
    return tuple(sorted(names, key=str.encode))


def remaining(
    planned: Iterable[PlannedMatch], tournament: str, finished: Collection[str]
) -> Iterator[PlannedMatch]:
    """Yield, in order, the matches whose ids are not in `finished` (best a set)."""
    return (match for match in planned if match.id_in(tournament) not in finished)


def match_id(tournament: str, trio: Sequence[str], first_block: int, seating: int) -> str:
    """Give a match's id (see the module's text); the order of `trio` doesn't matter.

    It is a safe file name when the tournament's name is one. Sixteen digits keep two of
    a few million trios from sharing an id.
    """
    names = sorted(name.encode() for name in trio)
    digest = sha256(b"\0".join(names)).hexdigest()[:16]
    return f"{tournament}-{digest}-b{first_block:05d}-s{seating}"


def bot_seed(tournament_seed: str, match: str, seat: int) -> bytes:
    """Give the 16 bytes that the bot at `seat` draws its lots from in that match."""
    parts = ("thousand bot 1", tournament_seed, match, str(seat))
    return sha256(b"\0".join(part.encode() for part in parts)).digest()[:16]


def match_spec(
    planned: PlannedMatch,
    *,
    tournament: str,
    seed: str,
    bots: Mapping[str, BotVersion],
    tables: int,
    time: TimeLimits,
    faults: FaultLimits,
    log_dir: str,
    output_dir: str,
) -> MatchSpec:
    """Make a planned match ready to play; KeyError if `bots` (by name) lacks one of the trio.

    `seed` is the tournament's. The folders are handed on as they are.
    """
    match = planned.id_in(tournament)
    first, second, third = (bots[name] for name in planned.seats)
    blocks = range(planned.first_block, planned.first_block + planned.games)
    return MatchSpec(
        match=match,
        tournament=tournament,
        bots=(first, second, third),
        first_block=planned.first_block,
        block_seeds=tuple(block_seed(seed, planned.trio, block).hex() for block in blocks),
        bot_seeds=(
            bot_seed(seed, match, 0).hex(),
            bot_seed(seed, match, 1).hex(),
            bot_seed(seed, match, 2).hex(),
        ),
        tables=tables,
        time=time,
        faults=faults,
        log_dir=log_dir,
        output_dir=output_dir,
    )
