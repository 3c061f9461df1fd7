"""Standings that are fitted in the background, and kept until matches change them.

The pages and the arena's API share them.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from concurrent.futures import TimeoutError as StillBusy
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Generic, Protocol, TypeVar

import msgspec
from sqlalchemy import Text, cast, select

from thousand_referee.errors import DataError
from thousand_referee.store import Store
from thousand_referee.store.engine import reading
from thousand_referee.store.schema import entries, matches, tournaments
from thousand_referee.times import TimeHistogram

if TYPE_CHECKING:  # it brings numpy along
    from thousand_referee.ratings.results import Standings

LEAST_SECONDS: Final = 3.0
"""Standings are fitted anew this often at most."""
RESTS: Final = 4.0
"""After work there is a rest so many times as long, so that it takes a fifth of a processor."""
PATIENCE: Final = 10.0
"""Who wants the latest waits for the end of a rest that is no longer than this (seconds)."""
LEAST_HISTORY_SECONDS: Final = 30.0
FIRST_WAIT_SECONDS: Final = 0.5
"""Who asks first waits so long for the fit; whoever comes meanwhile is told to come again."""

_decode_faults: Final = msgspec.json.Decoder(list[dict[str, int]]).decode

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A tournament's standings after so many matches; times and faults by bot."""

    matches: int
    standings: Standings
    times: Mapping[str, TimeHistogram]
    faults: Mapping[str, Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class History:
    """The ratings on the way: for each share of the games, complete blocks and Elo by bot."""

    points: tuple[tuple[int, Mapping[str, float]], ...]


def fit_snapshot(location: str, tournament: str) -> Snapshot:
    """Read a tournament from the store at a URL and rate it; DataError as for `Store`."""
    from thousand_referee.ratings import standings

    with Store.open(location, create=False) as store:
        stored = store.tournament(tournament)
        times = store.times_by_bot(tournament)
        table = standings(
            store.game_table(tournament),
            names=[entry.name for entry in stored.entries],
            times=times,
        )
        return Snapshot(stored.matches, table, times, faults_by_bot(store, tournament))


def fit_history(location: str, tournament: str) -> History:
    """Read a tournament from the store at a URL and rate it on the way; as `fit_snapshot`."""
    from thousand_referee.ratings.history import rating_history

    with Store.open(location, create=False) as store:
        games = store.game_table(tournament)
    return History(tuple((point.blocks, point.elo) for point in rating_history(games)))


def faults_by_bot(store: Store, tournament: str) -> dict[str, dict[str, int]]:
    """Count every entry's faults by kind, over all finished matches."""
    number = select(tournaments.c.id).where(tournaments.c.name == tournament).scalar_subquery()
    with reading(store.engine) as connection:
        listed = connection.execute(
            select(entries.c.id, entries.c.name).where(entries.c.tournament_id == number)
        )
        totals: dict[int, Counter[str]] = {row.id: Counter() for row in listed}
        seats = [matches.c[f"entry_{seat}"] for seat in range(3)]
        query = select(cast(matches.c.faults, Text), *seats).where(
            matches.c.tournament_id == number
        )
        for text, *entry_ids in connection.execute(query):
            if text == "[{}, {}, {}]":
                continue
            for entry, kinds in zip(entry_ids, _decode_faults(text), strict=True):
                totals[entry].update(kinds)
        names = connection.execute(
            select(entries.c.id, entries.c.name).where(entries.c.tournament_id == number)
        )
        return {row.name: dict(totals.get(row.id, {})) for row in names}


class _Entry(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def version(self) -> str: ...


class Tournament(Protocol):
    """What results depend on: who is entered in a tournament, and how many matches it has."""

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def matches(self) -> int: ...  # noqa: D102
    @property
    def entries(self) -> Sequence[_Entry]: ...  # noqa: D102


def _key_of(tournament: Tournament) -> Any:
    return tournament.matches, frozenset((each.name, each.version) for each in tournament.entries)


def _covers(known: Any, wanted: Any) -> bool:
    """Whether what depends on `known` has all that `wanted` has, or more."""
    return known is not None and known[0] >= wanted[0] and known[1] >= wanted[1]


@dataclass(slots=True)
class _Kept(Generic[T]):
    """What is kept of one tournament: the latest result, for which key, and who is at work.

    `begun` counts works. `rested` is when the next one may begin, `not_before` when one that
    nobody waits for may.
    """

    value: T | None = None
    key: Any = None
    work: Future[T] | None = None
    work_key: Any = None
    not_before: float = -1.0
    rested: float = -1.0
    begun: int = 0


class Fitted(Generic[T]):
    """Results of a slow function of a tournament, kept by what they depend on.

    A result that is out of date is given until the new one is there. Threads may share it.
    """

    def __init__(
        self,
        executor: Executor,
        location: str,
        function: Callable[[str, str], T],
        least_seconds: float,
        clock: Callable[[], float] = time.monotonic,
        told: Callable[[float], None] | None = None,
    ) -> None:
        """Run `function(location, tournament)` by `executor`, at most every `least_seconds`.

        What takes long is done less often still: see `RESTS`. `told` is called with the
        seconds that each took.
        """
        self._told = told
        self._executor = executor
        self._location = location
        self._function = function
        self._least_seconds = least_seconds
        self._clock = clock
        self._kept: dict[str, _Kept[T]] = {}
        self._lock = threading.Lock()

    async def latest(self, row: Tournament) -> T:
        """Give the result, waiting for it in no thread; DataError if it can't be had.

        However many wait, the work is done once. It may be older than the last match only
        where the rest between works is longer than `PATIENCE`.
        """
        key = _key_of(row)
        tries = 2  # a process that was killed is made anew
        begun: int | None = None
        while True:
            with self._lock:
                kept = self._kept.setdefault(row.name, _Kept())
                begun = kept.begun if begun is None else begun
                try:
                    self._collect(kept)
                except DataError as error:
                    tries -= 1
                    if not isinstance(error.__cause__, BrokenExecutor) or not tries:
                        raise
                rest = 0.0 if kept.value is None else kept.rested - self._clock()
                # What began since then is new enough, whoever asked for it.
                is_new = _covers(kept.key, key) or kept.begun > begun
                if kept.value is not None and kept.work is None and (is_new or rest >= PATIENCE):
                    return kept.value
                if kept.work is None and rest <= 0:
                    self._begin(kept, key, row.name)
                work = kept.work
            if work is None:
                await asyncio.sleep(rest)
            else:
                await _done(work)

    def get(self, row: Tournament, wait_seconds: float = FIRST_WAIT_SECONDS) -> T | None:
        """Give the result, or None if there is none yet; DataError if that can't be had.

        Only who asks first waits, and only so long.
        """
        key = _key_of(row)
        with self._lock:
            kept = self._kept.setdefault(row.name, _Kept())
            self._collect(kept)
            is_first = kept.value is None and kept.work is None
            rested = self._clock() >= kept.not_before
            if kept.key != key and kept.work is None and (rested or is_first):
                self._begin(kept, key, row.name)
            work = kept.work
        if is_first and work is not None:
            try:
                work.exception(timeout=wait_seconds)
            except StillBusy:
                return None
            with self._lock:
                self._collect(kept)
        return kept.value

    def _begin(self, kept: _Kept[T], key: Any, tournament: str) -> None:
        """Set to work, and see to a rest afterwards."""
        began = self._clock()
        kept.begun += 1
        kept.work_key, kept.not_before = key, began + self._least_seconds

        def rest(_work: Future[T]) -> None:
            now = self._clock()
            kept.rested = now + RESTS * (now - began)
            kept.not_before = max(kept.not_before, kept.rested)
            if self._told is not None:
                self._told(now - began)

        kept.work = self._executor.submit(self._function, self._location, tournament)
        kept.work.add_done_callback(rest)

    def _collect(self, kept: _Kept[T]) -> None:
        """Take over what the work came to, if it is done."""
        work = kept.work
        if work is None or not work.done():
            return
        kept.work = None
        error = work.exception()
        if error is None:
            kept.value, kept.key = work.result(), kept.work_key
        elif kept.value is None:
            if isinstance(error, DataError):
                raise error
            raise DataError(f"the standings can't be computed ({error!r}); try again") from error


async def _done(work: Future[Any]) -> None:
    """Wait for work that others wait for, too: it goes on if this one is cancelled."""
    done = asyncio.Event()
    loop = asyncio.get_running_loop()

    def tell(_work: Future[Any]) -> None:
        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(done.set)

    work.add_done_callback(tell)
    await done.wait()
