"""Decision times: cheap to count, exact at the worst, near enough between."""

from __future__ import annotations

import json
from math import floor, log2
from statistics import quantiles

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thousand_referee.times import TimeHistogram

times_us = st.integers(min_value=0, max_value=10**9)


def histogram_of(times: list[int]) -> TimeHistogram:
    histogram = TimeHistogram()
    for time in times:
        histogram.add(time)
    return histogram


@given(times_us)
def test_a_bucket_is_a_quarter_of_an_octave(time: int) -> None:
    assert histogram_of([time]).counts == {floor(4 * log2(max(time, 1))): 1}


def test_octaves_begin_at_powers_of_two() -> None:
    for power in range(31):
        assert histogram_of([2**power]).counts == {4 * power: 1}
        if power > 2:
            assert histogram_of([2**power - 1]).counts == {4 * power - 1: 1}


@given(st.lists(times_us, min_size=1))
def test_the_worst_is_exact(times: list[int]) -> None:
    histogram = histogram_of(times)
    assert histogram.worst_us == max(times)
    assert histogram.worst_ms == max(times) / 1000
    assert histogram.total == len(times)


@given(st.lists(st.integers(min_value=1, max_value=10**9), min_size=1), st.floats(0, 1))
def test_a_quantile_is_within_half_a_bucket(times: list[int], share: float) -> None:
    ordered = sorted(times)
    reached = [time for n, time in enumerate(ordered, start=1) if n >= share * len(times)]
    found = histogram_of(times).quantile(share)
    assert found is not None
    assert reached[0] / 1.0911 <= found * 1000 <= reached[0] * 1.0911


def test_quantiles_of_many_times() -> None:
    times = [round(1000 * 1.001**n) for n in range(10_000)]
    histogram = histogram_of(times)
    percentiles = quantiles(times, n=100)
    assert histogram.quantile(0.5) == pytest.approx(percentiles[49] / 1000, rel=0.0911)
    assert histogram.quantile(0.99) == pytest.approx(percentiles[98] / 1000, rel=0.0911)


def test_no_quantile_is_above_the_worst() -> None:
    assert histogram_of([1024]).quantile(1.0) == 1.024


def test_without_decisions_there_is_nothing_to_say() -> None:
    empty = TimeHistogram()
    assert (empty.quantile(0.5), empty.worst_ms, empty.total) == (None, None, 0)


@pytest.mark.parametrize("share", [-0.01, 1.01, float("nan")])
def test_a_share_outside_0_to_1_is_rejected(share: float) -> None:
    with pytest.raises(ValueError, match="from 0 to 1"):
        histogram_of([5]).quantile(share)


@given(st.lists(times_us), st.lists(times_us))
def test_merging_is_counting_both(one: list[int], other: list[int]) -> None:
    merged = histogram_of(one)
    merged.merge(histogram_of(other))
    assert merged == histogram_of(one + other)


@given(st.lists(times_us))
def test_it_survives_json(times: list[int]) -> None:
    histogram = histogram_of(times)
    assert TimeHistogram.from_json(json.loads(json.dumps(histogram.to_json()))) == histogram


def test_its_json_form() -> None:
    assert histogram_of([3000, 1, 1]).to_json() == {
        "worst_us": 3000,
        "counts": {"0": 2, "46": 1},
    }


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"worst_us": 1},
        {"worst_us": "1", "counts": {}},
        {"worst_us": -1, "counts": {}},
        {"worst_us": 1, "counts": [1]},
        {"worst_us": 1, "counts": {"-1": 1}},
        {"worst_us": 1, "counts": {"x": 1}},
        {"worst_us": 1, "counts": {3: 1}},
        {"worst_us": 1, "counts": {"3": 0}},
        {"worst_us": 1, "counts": {"3": 1.5}},
    ],
)
def test_other_json_is_rejected(value: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="not a"):
        TimeHistogram.from_json(value)
