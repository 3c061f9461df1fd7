"""Fair time: the referee's own lag is noticed, and taken out."""

from __future__ import annotations

import asyncio

import pytest

from thousand_referee.lag import BEAT_SECONDS, TOLERANCE_SECONDS, FairTime


class Monotonic:
    """A clock that stands until it is told to go on."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def passed(time: FairTime, monotonic: Monotonic, seconds: float) -> float:
    """Give the fair time that passes while the referee does not look for so long."""
    before = time.now()
    monotonic.now += seconds
    return time.now() - before


def test_fair_time_is_the_monotonic_clock_while_the_referee_is_on_time() -> None:
    monotonic = Monotonic()
    assert passed(FairTime(monotonic), monotonic, BEAT_SECONDS) == pytest.approx(BEAT_SECONDS)


def test_a_missed_appointment_is_not_charged() -> None:
    monotonic = Monotonic()
    time = FairTime(monotonic)
    assert passed(time, monotonic, 3.0) == pytest.approx(BEAT_SECONDS)
    assert time.worst_lag == pytest.approx(3.0 - BEAT_SECONDS)


def test_a_lag_counts_once() -> None:
    monotonic = Monotonic()
    time = FairTime(monotonic)
    passed(time, monotonic, 3.0)
    assert passed(time, monotonic, BEAT_SECONDS) == pytest.approx(BEAT_SECONDS)


def test_timers_that_are_a_little_late_do_not_slow_the_clock() -> None:
    monotonic = Monotonic()
    time = FairTime(monotonic)
    late = BEAT_SECONDS + 0.9 * TOLERANCE_SECONDS
    assert passed(time, monotonic, late) == pytest.approx(late)
    assert time.worst_lag == 0


def test_the_beat_tells_the_fair_time_again_and_again() -> None:
    async def some_beats() -> list[float]:
        told: list[float] = []
        beat = asyncio.create_task(FairTime().beat(told.append))
        await asyncio.sleep(10 * BEAT_SECONDS)
        beat.cancel()
        return told

    told = asyncio.run(some_beats())
    assert len(told) > 1
    assert told == sorted(set(told))


def test_a_referee_that_was_stopped_finds_the_time_nearly_where_it_was() -> None:
    """The very thing `beat` is for: the loop is blocked, then looks again."""
    monotonic = Monotonic()

    async def blocked() -> float:
        time = FairTime(monotonic)
        told: list[float] = []
        beat = asyncio.create_task(time.beat(told.append))
        await asyncio.sleep(0)
        before = time.now()
        monotonic.now += 60
        await asyncio.sleep(2 * BEAT_SECONDS)
        beat.cancel()
        return told[0] - before

    assert asyncio.run(blocked()) < 0.05
