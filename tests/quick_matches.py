"""Matches that take no time: made-up results of the very bots and blocks that were asked for."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import replace
from typing import Any

from store_maker import summary_of
from thousand_referee.matchlog.records import BotLine
from thousand_referee.matchlog.summary import MatchSummary
from thousand_referee.schedule import SEATINGS, PlannedMatch
from thousand_referee.spec import MatchSpec


def planned_of(spec: MatchSpec) -> PlannedMatch:
    """Give the planned match that a spec was made of."""
    seats = [bot.name for bot in spec.bots]
    first, second, third = trio = sorted(seats, key=str.encode)
    places = [trio.index(name) for name in seats]
    seating = SEATINGS.index((places[0], places[1], places[2]))
    return PlannedMatch((first, second, third), seating, spec.first_block, len(spec.block_seeds))


class QuickExecutor(Executor):
    """Finishes a match when it is submitted; `before` may raise what it is to fail with."""

    def __init__(self, before: Callable[[MatchSpec], None] = lambda _: None) -> None:
        self.played: list[PlannedMatch] = []
        self._before = before

    def submit(self, fn: Any, spec: MatchSpec) -> Future[MatchSummary]:  # type: ignore[override]
        future = Future[MatchSummary]()
        try:
            self._before(spec)
        except Exception as error:  # noqa: BLE001
            future.set_exception(error)
            return future
        planned = planned_of(spec)
        self.played.append(planned)
        first, second, third = (BotLine(bot.name, bot.version) for bot in spec.bots)
        summary = summary_of(planned, spec.tournament)
        future.set_result(replace(summary, bots=(first, second, third)))
        return future
