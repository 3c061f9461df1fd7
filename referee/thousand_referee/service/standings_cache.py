"""Standings, computed in a process of their own and kept until more was played."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from thousand_referee.store import Store

if TYPE_CHECKING:  # it brings numpy along
    from thousand_referee.ratings.results import Standings

PATIENCE: Final = 4.0
"""A fit is done again after so many times as long as it took, at the earliest."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """Standings, how many matches they rest on, and how long they took."""

    table: Standings
    matches: int
    seconds: float
    at: float


def fit(location: str | Path, tournament: str) -> tuple[Standings, int]:
    """Rate a tournament; give also how many matches had been finished, or one or two more."""
    from thousand_referee.ratings import standings

    with Store.open(location, create=False) as store:
        stored = store.tournament(tournament)
        names = [entry.name for entry in stored.entries]
        times = store.times_by_bot(tournament)
        return standings(store.game_table(tournament), names=names, times=times), stored.matches


class StandingsCache:
    """Gives standings that are not much older than the last match, whoever asks how often."""

    def __init__(
        self, location: str | Path, worker: Executor, fitted: Callable[[float], None]
    ) -> None:
        self._location = location
        self._worker = worker
        self._fitted = fitted
        self._known: dict[str, Fitted] = {}
        self._locks: dict[str, asyncio.Lock] = {}

    async def get(self, tournament: str, matches: int) -> Fitted:
        """Give standings of a tournament that has finished so many matches.

        DataError if there is no such tournament.
        """
        async with self._locks.setdefault(tournament, asyncio.Lock()):
            known = self._known.get(tournament)
            if known is not None:
                is_young = time.monotonic() - known.at < PATIENCE * known.seconds
                if known.matches >= matches or is_young:
                    return known
            began = time.monotonic()
            table, counted = await self._fit(tournament)
            now = time.monotonic()
            self._known[tournament] = known = Fitted(table, counted, now - began, now)
            self._fitted(known.seconds)
            return known

    async def _fit(self, tournament: str) -> tuple[Standings, int]:
        """Let the worker fit; once more if its process was killed."""
        try:
            return await asyncio.wrap_future(self._worker.submit(fit, self._location, tournament))
        except BrokenExecutor:
            return await asyncio.wrap_future(self._worker.submit(fit, self._location, tournament))
