"""Scoring over deals: contracts, the barrel, the end of the game (rules 20 to 31)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from thousand.rules.deal import Outcome

TARGET: Final = 1000
LAST_DEAL: Final = 200
BARREL: Final = 880
BARREL_DEALS: Final = 3
BARREL_CONTRACT: Final = 120
BARREL_LOSS: Final = 120


@dataclass(frozen=True, slots=True)
class Game:
    """The state of a game between two deals.

    `scores` are by seat. `barrel` holds, by seat, how many of the three deals are
    used, or None for who is not on the barrel. `deals` counts the deals settled.
    `declarer` is that of the last deal; it decides a shared finish (rule 29).
    """

    scores: tuple[int, int, int] = (0, 0, 0)
    barrel: tuple[int | None, int | None, int | None] = (None, None, None)
    deals: int = 0
    declarer: int | None = None

    @property
    def dealer(self) -> int:
        """The dealer of the next deal (rule 6)."""
        return self.deals % 3

    @property
    def is_over(self) -> bool:
        """Whether someone has 1000, or deal 200 was played (rules 29 and 30)."""
        return self.deals >= LAST_DEAL or max(self.scores) >= TARGET

    @property
    def winners(self) -> tuple[int, ...]:
        """The winning seats of a game that is over, else none (rules 29 and 30)."""
        if not self.is_over:
            return ()
        if self.declarer is not None and self.scores[self.declarer] >= TARGET:
            return (self.declarer,)
        best = max(self.scores)
        return tuple(seat for seat in range(3) if self.scores[seat] == best)

    def settle(self, outcome: Outcome) -> Game:
        """Give the state after a deal with this outcome (rules 20 to 28)."""
        if self.is_over:
            raise ValueError("the game is over; no deal can be settled")
        settled = [self._settle_seat(seat, outcome) for seat in range(3)]
        (first, second, third), (one, two, three) = zip(*settled, strict=True)
        return Game((first, second, third), (one, two, three), self.deals + 1, outcome.declarer)

    def _settle_seat(self, seat: int, outcome: Outcome) -> tuple[int, int | None]:
        """Give one seat's new score and barrel count."""
        score, used = self.scores[seat], self.barrel[seat]
        is_declarer = seat == outcome.declarer
        made = outcome.points[seat] >= outcome.contract
        if used is None:
            if is_declarer:
                score += outcome.contract if made else -outcome.contract
            else:
                score += round_to_five(outcome.points[seat])
            return (BARREL, 0) if BARREL <= score < TARGET else (score, None)
        if is_declarer and not made:
            return BARREL - outcome.contract, None
        if is_declarer and outcome.contract >= BARREL_CONTRACT:
            return BARREL + outcome.contract, None
        if used + 1 == BARREL_DEALS:
            return BARREL - BARREL_LOSS, None
        return BARREL, used + 1

    def places(self, out: Iterable[int] = ()) -> tuple[int, int, int]:
        """Give each seat's place of a game that is over (rule 31).

        Seats in `out` (excluded by the referee) come last together. Equal scores
        share a place: 1, 2, 2 or 1, 1, 3.
        """
        excluded = frozenset(out)
        winners = frozenset(self.winners)
        ranks = [
            (False, False, 0) if seat in excluded else (True, seat in winners, self.scores[seat])
            for seat in range(3)
        ]
        first, second, third = (1 + sum(other > rank for other in ranks) for rank in ranks)
        return first, second, third


def round_to_five(points: int) -> int:
    """Round to the nearest multiple of 5: 17 to 15, 18 to 20 (rule 21)."""
    return (points + 2) // 5 * 5
