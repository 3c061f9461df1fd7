"""Verifying all logs of a tournament, and that the store says what they say."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from thousand_referee.errors import LogError
from thousand_referee.matchlog.reader import read_log
from thousand_referee.matchlog.verify import verify_log
from thousand_referee.matchlog.writer import FINISHED_SUFFIX
from thousand_referee.store.match_records import GameFigures, MatchRecord, figures_of

_FEW: Final = 24
"""So many logs are verified sooner than more processes are started."""


_SETTINGS: Final = ("time", "faults")
"""The settings of a tournament that every log repeats."""


class LogToCheck(NamedTuple):
    """A log, its tournament's seed and settings, and what the store has of its games."""

    path: str
    seed: str | None
    games: tuple[GameFigures, ...]
    settings: Mapping[str, Any]


def check_logs(
    records: Sequence[MatchRecord],
    logs: Path,
    seed: str | None,
    config: Mapping[str, Any] | None = None,
    checked: Callable[[int, int], None] = lambda _done, _total: None,
) -> Iterator[str]:
    """Yield what is wrong with the logs of these matches, a line each, in their order.

    Many logs are spread over the processors. A match without a log is wrong, too, and
    one that was played under other limits than the tournament's `config` has. `checked`
    is told how many of how many are done.
    """
    settings = {key: (config or {}).get(key, {}) for key in _SETTINGS}
    work = [LogToCheck(str(logs / each.log), seed, each.games, settings) for each in records]
    if len(work) <= _FEW:
        yield from _wrong(map(check_log, work), len(work), checked)
        return
    workers = min(os.cpu_count() or 1, len(work) // _FEW + 1)
    # Spawned, since gRPC may be in use here.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context) as pool:
        yield from _wrong(pool.map(check_log, work, chunksize=8), len(work), checked)


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
    others = _other_settings(Path(work.path), work.settings)
    if others:
        return f"{work.path}: was played under other limits than the tournament's: {others}"
    return None


def _other_settings(path: Path, settings: Mapping[str, Any]) -> str:
    """Say which settings of a log aren't those of the tournament; nothing if all are."""
    _, header = next(read_log(path))
    logged = msgspec.to_builtins(header)
    return ", ".join(
        f"{key}.{name} {logged[key].get(name)} instead of {value}"
        for key in _SETTINGS
        for name, value in settings[key].items()
        if logged[key].get(name) != value
    )


def logs_without_match(records: Iterable[MatchRecord], folder: Path) -> list[str]:
    """Give the finished logs in a tournament's folder that are no entered match's."""
    known = {Path(each.log).name for each in records}
    found = sorted(path.name for path in folder.glob(f"*{FINISHED_SUFFIX}"))
    return [name for name in found if name not in known]


def _wrong(
    results: Iterable[str | None], total: int, checked: Callable[[int, int], None]
) -> Iterator[str]:
    for done, result in enumerate(results, start=1):
        if result is not None:
            yield result
        checked(done, total)
