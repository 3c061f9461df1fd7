"""Whether bots are behind matches that came to nothing.

A void match costs nobody a point and is played again. A bot that can make its matches
void would do so when it loses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import comb
from typing import Final

from thousand_referee.voids import Void

REPEATED: Final = 3
"""A match that was void so often, or a bot's matches, are looked at."""

LEVEL: Final = 0.01
"""At most so many tournaments whose voids have nothing to do with bots have any named."""


def void_suspicions(voids: Sequence[Void], played: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield who may be behind voids, a line each; `played` has the bots of finished matches.

    A bot is named when more of the matches that were ever void are its own than luck
    explains, given in how many it sits at all (binomial, corrected for the number of
    bots). Bots that always sit together can't be told apart: then the match that was
    void again and again is named.
    """
    trios = {void.match: void.bots for void in voids}
    counts = Counter(name for bots in trios.values() for name in bots)
    names = {name for bots in played for name in bots} | counts.keys()
    named = set()
    for name, count in sorted(counts.items()):
        share = sum(name in bots for bots in played) / len(played) if played else 1.0
        chance = _tail(count, len(trios), share)
        if count >= REPEATED and chance * len(names) <= LEVEL:
            named.add(name)
            yield (
                f"{name} sat in {count} of the {len(trios)} matches that were void, and in "
                f"{100 * share:.0f}% of all: see why they were void"
            )
    again = Counter((void.match, void.bots) for void in voids)
    for (match, bots), count in sorted(again.items()):
        if count >= REPEATED and named.isdisjoint(bots):
            yield (
                f"match {match} was void {count} times: {', '.join(bots)} sat there; "
                "see why it was void"
            )


def _tail(least: int, of: int, share: float) -> float:
    """Give the chance of at least so many successes."""
    return sum(comb(of, k) * share**k * (1 - share) ** (of - k) for k in range(least, of + 1))
