"""Verifying all logs of a tournament, and that the store says what they say."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Final, NamedTuple

from thousand_referee.errors import LogError
from thousand_referee.matchlog.verify import verify_log
from thousand_referee.matchlog.writer import FINISHED_SUFFIX
from thousand_referee.store.match_records import GameFigures, MatchRecord, figures_of

_FEW: Final = 24
"""So many logs are verified sooner than more processes are started."""


class LogToCheck(NamedTuple):
    """A log, the seed of its tournament, and what the store has of its games."""

    path: str
    seed: str | None
    games: tuple[GameFigures, ...]


def check_logs(records: Sequence[MatchRecord], logs: Path, seed: str | None) -> Iterator[str]:
    """Yield what is wrong with the logs of these matches, a line each, in their order.

    Many logs are spread over the processors. A match without a log is wrong, too.
    """
    work = [LogToCheck(str(logs / each.log), seed, each.games) for each in records]
    if len(work) <= _FEW:
        yield from _wrong(map(check_log, work))
        return
    workers = min(os.cpu_count() or 1, len(work) // _FEW + 1)
    # Spawned, since gRPC may be in use here.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context) as pool:
        yield from _wrong(pool.map(check_log, work, chunksize=8))


def check_log(work: LogToCheck) -> str | None:
    """Verify one log against the rules, the seed and the store; None if all is well."""
    try:
        summary = verify_log(Path(work.path), work.seed)
    except LogError as error:
        return str(error)
    if figures_of(summary) != work.games:
        return (
            f"{work.path}: the log is right, but the store has other figures of its games; "
            "make it anew by thousand store rebuild"
        )
    return None


def logs_without_match(records: Iterable[MatchRecord], folder: Path) -> list[str]:
    """Give the finished logs in a tournament's folder that are no entered match's."""
    known = {Path(each.log).name for each in records}
    found = sorted(path.name for path in folder.glob(f"*{FINISHED_SUFFIX}"))
    return [name for name in found if name not in known]


def _wrong(outcomes: Iterable[str | None]) -> Iterator[str]:
    return (outcome for outcome in outcomes if outcome is not None)
