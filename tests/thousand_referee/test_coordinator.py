"""Whatever goes wrong while matches are played, those under way are finished and kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from match_maker import match_spec
from thousand_referee.coordinator import MAX_VOIDS, Drain, play_matches
from thousand_referee.errors import DataError, MatchVoid, RefereeError
from thousand_referee.matchlog.summary import MatchSummary
from thousand_referee.spec import MatchSpec


@dataclass
class SlowExecutor(Executor):
    """Finishes one match at every tick of the watcher, those begun first first."""

    under_way: list[tuple[MatchSpec, Future[Any]]] = field(default_factory=list)
    submitted: list[str] = field(default_factory=list)
    ends: Callable[[MatchSpec], Any] = lambda spec: spec.match

    def submit(self, fn: Any, spec: MatchSpec) -> Future[Any]:  # type: ignore[override]
        assert spec.match not in [each.match for each, _ in self.under_way]
        future = Future[Any]()
        self.under_way.append((spec, future))
        self.submitted.append(spec.match)
        return future

    def tick(self) -> None:
        if self.under_way:
            spec, future = self.under_way.pop(0)
            try:
                future.set_result(self.ends(spec))
            except RefereeError as error:
                future.set_exception(error)


@dataclass
class Recorder:
    """Notes what is finished; raises what it is given, at the method and the match named."""

    executor: SlowExecutor
    trouble: dict[tuple[str, str], Exception] = field(default_factory=dict)
    kept: list[str] = field(default_factory=list)
    ticks: int = 0

    def _note(self, method: str, match: str) -> None:
        if (method, match) in self.trouble:
            raise self.trouble.pop((method, match))

    def started(self, spec: MatchSpec) -> None:
        self._note("started", spec.match)

    def finished(self, spec: MatchSpec, summary: MatchSummary) -> None:
        assert summary == spec.match
        self._note("finished", spec.match)
        self.kept.append(spec.match)

    def voided(self, spec: MatchSpec, reason: str) -> None:
        self._note("voided", spec.match)

    def ticked(self) -> None:
        self.executor.tick()
        self.ticks += 1
        self._note("ticked", str(self.ticks))


def specs(folder: Path, count: int = 9) -> list[MatchSpec]:
    return [match_spec(folder, name=f"m{number}") for number in range(count)]


def failing_source(folder: Path, after: int, trouble: Exception) -> Iterator[MatchSpec]:
    yield from specs(folder)[:after]
    raise trouble


@pytest.mark.parametrize("trouble", [DataError("locked"), KeyError("a mistake")])
def test_a_source_that_fails_lets_the_matches_under_way_finish(
    tmp_path: Path, trouble: Exception
) -> None:
    executor = SlowExecutor()
    watcher = Recorder(executor)
    with pytest.raises(type(trouble)) as raised:
        play_matches(failing_source(tmp_path, 5, trouble), executor, 3, watcher, Drain())
    assert raised.value is trouble
    assert watcher.kept == executor.submitted == ["m0", "m1", "m2", "m3", "m4"]
    assert executor.under_way == []


@pytest.mark.parametrize(
    ("method", "match", "lost"),
    [("started", "m3", []), ("finished", "m1", ["m1"]), ("ticked", "2", [])],
)
def test_a_watcher_that_fails_does_so_too(
    tmp_path: Path, method: str, match: str, lost: list[str]
) -> None:
    executor = SlowExecutor()
    watcher = Recorder(executor, {(method, match): ValueError("no space")})
    with pytest.raises(ValueError, match="no space"):
        play_matches(specs(tmp_path), executor, 3, watcher, Drain())
    assert sorted([*lost, *watcher.kept]) == executor.submitted
    assert 3 <= len(executor.submitted) <= 4  # no more were begun
    assert executor.under_way == []


def test_a_match_that_fails_beyond_help_ends_the_run_after_the_others(tmp_path: Path) -> None:
    def ends(spec: MatchSpec) -> str:
        if spec.match == "m1":
            raise RefereeError("beyond help")
        return spec.match

    executor = SlowExecutor(ends=ends)
    watcher = Recorder(executor)
    with pytest.raises(RefereeError, match="beyond help"):
        play_matches(specs(tmp_path), executor, 3, watcher, Drain())
    assert watcher.kept == [match for match in executor.submitted if match != "m1"]
    assert len(watcher.kept) == 3


def test_the_first_trouble_is_told(tmp_path: Path) -> None:
    executor = SlowExecutor()
    watcher = Recorder(
        executor,
        {("finished", "m0"): ValueError("the first"), ("finished", "m2"): ValueError("another")},
    )
    with pytest.raises(ValueError, match="the first"):
        play_matches(specs(tmp_path), executor, 3, watcher, Drain())
    assert watcher.kept == ["m1"]


def test_a_match_is_not_void_for_ever(tmp_path: Path) -> None:
    def ends(spec: MatchSpec) -> str:
        if spec.match == "m0":
            raise MatchVoid("no luck")
        return spec.match

    executor = SlowExecutor(ends=ends)
    watcher = Recorder(executor)
    with pytest.raises(RefereeError, match=r"m0 was void 10 times, last because no luck"):
        play_matches(specs(tmp_path, 40), executor, 2, watcher, Drain())
    assert executor.submitted.count("m0") == MAX_VOIDS
    assert len(set(watcher.kept)) == len(watcher.kept) == len(set(executor.submitted)) - 1
