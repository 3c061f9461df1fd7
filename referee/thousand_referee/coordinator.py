"""Playing many matches: hand them to an executor, collect results, replay the void."""

from __future__ import annotations

import signal
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import contextmanager
from types import FrameType
from typing import Final, Protocol

from thousand_referee.errors import BotChanged, MatchVoid, NotBegun, RefereeError
from thousand_referee.executor import LocalExecutor
from thousand_referee.match import play_match
from thousand_referee.matchlog.summary import MatchSummary
from thousand_referee.spec import MatchSpec

MAX_VOIDS: Final = 10
"""A match that was void so often says that something is wrong with this machine."""

TICK_SECONDS: Final = 0.25


class Watcher(Protocol):
    """Who wants to know how it goes: progress for people, entries for the store.

    What it raises ends the run, when the matches under way are finished.
    """

    def started(self, spec: MatchSpec) -> None:
        """A match was handed to the executor."""

    def finished(self, spec: MatchSpec, summary: MatchSummary) -> None:
        """A match is complete."""

    def voided(self, spec: MatchSpec, reason: str) -> None:
        """A match came to nothing, for no bot's doing; it will be played again."""

    def ticked(self) -> None:
        """Some time has passed."""


class Drain:
    """Whether to stop after the matches that are under way."""

    def __init__(self) -> None:
        self.is_wanted = False


def play_matches(
    specs: Iterable[MatchSpec], executor: Executor, jobs: int, watcher: Watcher, drain: Drain
) -> bool:
    """Play matches, `jobs` at a time, in order; give whether all were played.

    A match whose process was killed, or that was void, is played again. What ends the run
    is `RefereeError` when one is void `MAX_VOIDS` times, `DataError` when the data folder
    fails, `BotChanged` when a bot's files change, and whatever `specs`, the executor or the
    watcher raise: then the matches under way are let finish first, what is finished is
    kept, and the first such error is raised. With a `LocalExecutor`, those that wait for
    their turn don't count as under way.
    """
    waiting = deque[MatchSpec]()
    source = iter(specs)
    running: dict[Future[MatchSummary], MatchSpec] = {}
    voids = Counter[str]()
    trouble: Exception | None = None
    while True:
        try:
            while len(running) < jobs and trouble is None and not drain.is_wanted:
                spec = waiting.popleft() if waiting else next(source, None)
                if spec is None:
                    break
                running[executor.submit(play_match, spec)] = spec
                watcher.started(spec)
        except Exception as error:  # noqa: BLE001
            trouble = error
        if not running:
            break
        if (drain.is_wanted or trouble is not None) and isinstance(executor, LocalExecutor):
            executor.begin_no_more()
        done, _ = wait(running, timeout=TICK_SECONDS, return_when=FIRST_COMPLETED)
        for future in done:
            spec = running.pop(future)
            try:
                if not _is_finished(future, spec, watcher, voids):
                    waiting.append(spec)
            except Exception as error:  # noqa: BLE001
                trouble = trouble or error
        try:
            watcher.ticked()
        except Exception as error:  # noqa: BLE001
            trouble = trouble or error
    if trouble is not None:
        raise trouble
    return not drain.is_wanted


def _is_finished(
    future: Future[MatchSummary], spec: MatchSpec, watcher: Watcher, voids: Counter[str]
) -> bool:
    """Tell the watcher how a match ended; False if it is to be played again."""
    try:
        watcher.finished(spec, future.result())
    except NotBegun:
        return False
    except BotChanged as error:
        watcher.voided(spec, str(error))
        raise
    except (MatchVoid, BrokenExecutor) as error:
        reason = str(error) if isinstance(error, MatchVoid) else "its process was killed"
        watcher.voided(spec, reason)
        voids[spec.match] += 1
        if voids[spec.match] == MAX_VOIDS:
            raise RefereeError(
                f"match {spec.match} was void {MAX_VOIDS} times, last because {reason}; "
                "see to the machine, then run again to resume"
            ) from None
        return False
    return True


@contextmanager
def draining(on_first: Callable[[], None], on_second: Callable[[], None]) -> Iterator[Drain]:
    """Let the first Ctrl-C or SIGTERM drain, and call `on_second` for the next.

    Only in the main thread. The former handlers are back afterwards.
    """
    drain = Drain()

    def handle(_number: int, _frame: FrameType | None) -> None:
        if drain.is_wanted:
            on_second()
        drain.is_wanted = True
        on_first()

    former = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield drain
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)
