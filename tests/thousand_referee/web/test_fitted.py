"""Results kept in the background, values that may be a moment old, and how far things are."""

from __future__ import annotations

import threading
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from thousand_referee.errors import DataError
from thousand_referee.fits import Fitted
from thousand_referee.times import TimeHistogram
from thousand_referee.web.brief_cache import BriefCache
from thousand_referee.web.charts import histogram_of, scale_of, time_text
from thousand_referee.web.links import Links
from thousand_referee.web.progress import duration_text, progress_of
from thousand_referee.web.queries import EntryRow, TournamentRow


class ByHand:
    """An executor whose work is done when the test says so."""

    def __init__(self) -> None:
        self.asked: list[Future[Any]] = []

    def submit(self, function: Any, /, *arguments: Any) -> Future[Any]:
        self.asked.append(Future())
        return self.asked[-1]


class Clock:
    """Shows what the test says."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def row_of(matches: int = 1, **changes: Any) -> TournamentRow:
    entries = tuple(EntryRow(name, f"v-{name}", "", False, False) for name in "abc")
    values: dict[str, Any] = {
        "id": 1,
        "name": "t",
        "config": {"blocks": 10, "games_per_match": 1},
        "phase": None,
        "entries": entries,
        "matches": matches,
        "games": matches,
        "first_started": "2026-01-01T00:00:00+00:00",
        "last_started": "2026-01-01T00:10:00+00:00",
        "recent_started": "2026-01-01T00:00:00+00:00",
        "recent_count": matches,
    }
    return TournamentRow(**values | changes)


def test_a_result_is_given_until_there_is_a_newer_one() -> None:
    hand, clock = ByHand(), Clock()
    fitted: Fitted[str] = Fitted(hand, "", lambda _where, name: name, 3, clock)  # type: ignore[arg-type]
    assert fitted.get(row_of(1), 0.01) is None
    assert fitted.get(row_of(1), 0.01) is None
    hand.asked[0].set_result("one")
    assert fitted.get(row_of(1)) == "one"
    assert fitted.get(row_of(2)) == "one"
    assert len(hand.asked) == 1, "only every three seconds"
    clock.now = 3
    assert fitted.get(row_of(2)) == "one"
    assert fitted.get(row_of(3)) == "one"
    assert len(hand.asked) == 2, "only one at a time"
    hand.asked[1].set_result("two")
    assert fitted.get(row_of(2)) == "two"
    clock.now = 100
    assert fitted.get(row_of(2)) == "two"
    assert len(hand.asked) == 2, "nothing has changed"


def test_what_takes_long_is_followed_by_a_longer_rest() -> None:
    hand, clock = ByHand(), Clock()
    fitted: Fitted[str] = Fitted(hand, "", lambda _where, name: name, 3, clock)  # type: ignore[arg-type]
    fitted.get(row_of(1), 0.01)
    clock.now = 10
    hand.asked[0].set_result("one")
    clock.now = 49
    assert fitted.get(row_of(2)) == "one"
    assert len(hand.asked) == 1
    clock.now = 50
    assert fitted.get(row_of(2)) == "one"
    assert len(hand.asked) == 2
    hand.asked[1].set_result("two")
    assert fitted.get(row_of(2)) == "two"


def test_what_fails_is_told_and_tried_again() -> None:
    hand = ByHand()
    fitted: Fitted[str] = Fitted(hand, "", lambda _where, name: name, 3, Clock())  # type: ignore[arg-type]
    assert fitted.get(row_of(), 0.01) is None
    hand.asked[0].set_exception(ArithmeticError("no"))
    with pytest.raises(DataError, match="can't be computed"):
        fitted.get(row_of(), 0.01)
    assert fitted.get(row_of(), 0.01) is None
    hand.asked[1].set_result("one")
    assert fitted.get(row_of(2)) == "one"
    hand.asked.clear()


def test_many_who_want_a_value_make_it_once() -> None:
    cache, made = BriefCache[int](10), []
    gate = threading.Event()

    def make() -> int:
        gate.wait(5)
        made.append(1)
        return len(made)

    with ThreadPoolExecutor(8) as threads:
        values = [threads.submit(cache.get, "key", make) for _ in range(8)]
        gate.set()
        assert {value.result() for value in values} == {1}


def test_who_comes_while_a_value_is_made_anew_gets_the_old_one() -> None:
    clock = Clock()
    cache = BriefCache[str](1, clock)
    assert cache.get("key", lambda: "old") == "old"
    clock.now = 2
    inside: list[str] = []

    def make() -> str:
        with ThreadPoolExecutor(1) as other:
            inside.append(other.submit(cache.get, "key", lambda: "never").result())
        return "new"

    assert cache.get("key", make) == "new"
    assert inside == ["old"]


def test_a_value_that_cannot_be_made_is_made_next_time() -> None:
    cache = BriefCache[int](10)
    with pytest.raises(ZeroDivisionError):
        cache.get("key", lambda: 1 // 0)
    assert cache.get("key", lambda: 7) == 7


@pytest.mark.parametrize(
    ("changes", "after_s", "state", "left_s"),
    [
        ({"matches": 0, "games": 0}, 0, "empty", None),
        ({"matches": 0, "games": 0, "phase": "open"}, 0, "open", None),
        ({"matches": 60, "games": 60}, 0, "complete", None),
        ({"matches": 31, "games": 31, "recent_count": 31}, 10, "playing", 580),
        ({"matches": 31, "games": 31, "recent_count": 31}, 900, "paused", None),
        ({"matches": 31, "games": 31, "phase": "closed"}, 0, "closed", None),
        ({"config": {"mode": "open", "games_per_match": 1}}, 10, "playing", None),
        ({"phase": "open", "matches": 9, "config": {"mode": "open"}}, 9_000, "at rest", None),
        ({"config": {}}, 10, "playing", None),
        ({"last_started": "rubbish"}, 10, "paused", None),
    ],
)
def test_how_far_a_tournament_is(
    changes: dict[str, Any], after_s: int, state: str, left_s: float | None
) -> None:
    now = datetime(2026, 1, 1, 0, 10, tzinfo=UTC) + timedelta(seconds=after_s)
    progress = progress_of(row_of(**changes), now)
    assert (progress.state, progress.seconds_left) == (state, left_s)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.2, "1 s"), (89, "89 s"), (600, "10 min"), (12_000, "3 h 20 min"), (200_000, "2 days")],
)
def test_durations_as_people_say_them(seconds: float, text: str) -> None:
    assert duration_text(seconds) == text


def test_times_as_people_read_them() -> None:
    times = [None, 0.042, 0.234, 3.84, 9.97, 99.9, 151, 1234]
    told = ["—", "42 µs", "0.23 ms", "3.8 ms", "10 ms", "100 ms", "151 ms", "1.23 s"]
    assert [*map(time_text, times)] == told


def test_a_scale_holds_all_values_between_round_ticks() -> None:
    scale = scale_of([1234.0, 1871.5])
    assert scale.ticks == (1200, 1400, 1600, 1800, 2000)
    assert (scale.place(1200), scale.place(2000)) == (0, 100)
    assert scale_of([]).ticks
    assert scale_of([1500.0]).place(1500) == 50


def test_a_histogram_counts_every_decision() -> None:
    times = TimeHistogram()
    for microseconds in (1, 50, 100, 100, 5_000, 2_000_000):
        times.add(microseconds)
    drawn = histogram_of(times, 100)
    assert sum(int(bar.label.split(": ")[1].split(" ")[0]) for bar in drawn.bars) == 6
    assert max(bar.height for bar in drawn.bars) == 100
    assert all(0 <= bar.x < bar.x + bar.width <= 100 for bar in drawn.bars)
    assert histogram_of(TimeHistogram(), 100).bars == ()


def test_links_lead_to_a_server_or_to_files() -> None:
    assert Links().bot("a #2") == "/bots/a%20%232"
    page = Links(folder=("tournaments", "t"))
    assert page.home() == "../../index.html"
    assert page.match("t", "m") == "../../tournaments/t/matches/m/index.html"
    assert page.static("arena.css") == "../../static/arena.css"
    assert Links().matches("t", bot="a&b", before=7) == "/tournaments/t/matches?bot=a%26b&before=7"
