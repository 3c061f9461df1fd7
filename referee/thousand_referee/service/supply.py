"""What an arena's tournament is to play next, as its entries come and go."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from thousand_referee.open_schedule import OpenSchedule
from thousand_referee.schedule import PlannedMatch, Trio
from thousand_referee.spec import MatchSpec


class Plan(Protocol):
    """The matches of a tournament, as they come."""

    def next(self) -> PlannedMatch | None:
        """Give the next match to start; None if there is none as things are."""

    @property
    def games_left(self) -> int:
        """How many games are in the matches that were not given yet, about."""


class FixedPlan:
    """The matches that are left of a schedule."""

    def __init__(self, left: Iterable[PlannedMatch]) -> None:
        self._left = deque(left)
        self.games_left = sum(match.games for match in self._left)

    def next(self) -> PlannedMatch | None:
        """Give the next match."""
        if not self._left:
            return None
        match = self._left.popleft()
        self.games_left -= match.games
        return match


class OpenPlan:
    """An open tournament's matches among whoever is entered at the moment.

    `missing` are the matches that are left of the ranges that `schedule` has begun.
    """

    def __init__(
        self, schedule: OpenSchedule, missing: Iterable[PlannedMatch], names: Iterable[str]
    ) -> None:
        self._schedule = schedule
        self._begun = deque(missing)
        self._abandoned: list[PlannedMatch] = []
        self.change(names)

    def change(self, names: Iterable[str]) -> None:
        """Go on among others: ranges of those who left are abandoned until they are back."""
        self._names = frozenset(names)
        before = _ranges_of(self._abandoned)
        left = [*self._abandoned, *self._begun]
        self._begun = deque(match for match in left if self._names.issuperset(match.trio))
        self._abandoned = [match for match in left if not self._names.issuperset(match.trio)]
        now = _ranges_of(self._abandoned)
        for trio, _ in now - before:
            self._schedule.abandon(trio)
        for trio, _ in before - now:
            self._schedule.take_up(trio)

    def next(self) -> PlannedMatch | None:
        """Give the next match."""
        if not self._begun:
            self._begun.extend(self._schedule.begin(self._names))
        return self._begun.popleft() if self._begun else None

    @property
    def games_left(self) -> int:
        """How many games are left, about."""
        blocks = self._schedule.blocks_left(self._names)
        return sum(match.games for match in self._begun) + 6 * blocks


def _ranges_of(matches: Iterable[PlannedMatch]) -> set[tuple[Trio, int]]:
    return {(match.trio, match.first_block) for match in matches}


class Supply:
    """Gives a tournament's matches ready to play, one for each slot it gets.

    It ends when there is nothing to do now; asked again later it may have more.
    `look` is called before each, and says whether any match is to be started at all.

    Attributes:
        is_empty: whether, at the last try, there was a slot but nothing to do.
    """

    def __init__(
        self,
        plan: Plan,
        make: Callable[[PlannedMatch], MatchSpec],
        *,
        look: Callable[[], bool],
        take_slot: Callable[[], bool],
        give_back: Callable[[], None],
    ) -> None:
        self.plan = plan
        self.is_empty = False
        self._make = make
        self._look = look
        self._take_slot = take_slot
        self._give_back = give_back

    def __iter__(self) -> Iterator[MatchSpec]:
        return self

    def __next__(self) -> MatchSpec:
        if not (self._look() and self._take_slot()):
            raise StopIteration
        planned = self.plan.next()
        self.is_empty = planned is None
        if planned is None:
            self._give_back()
            raise StopIteration
        return self._make(planned)
