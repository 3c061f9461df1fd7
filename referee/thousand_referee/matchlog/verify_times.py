"""Verifying the histograms of charged time in a log's end line."""

from __future__ import annotations

from typing import Any, Final

from thousand_referee.matchlog.replay import Mismatch, shown
from thousand_referee.times import BUCKETS_PER_OCTAVE, TimeHistogram

_DEAL_ROUNDING_MS: Final = 0.051
"""A deal line's times are rounded to 0.1 ms at worst."""

_DECISION_ROUNDING_MS: Final = 0.001
"""A decision's time is rounded to the microsecond."""


def check_times(
    seat: int, value: dict[str, Any], asked: int, ms: float, deals: int, is_faultless: bool
) -> None:
    """Check a seat's histogram against its deal lines, or raise `Mismatch`.

    `asked` and `ms` are the sums of those lines. Every decision of a faultless seat is
    counted; of others, those that a crash cut short are not.
    """
    name = f"times[{seat}]"
    try:
        histogram = TimeHistogram.from_json(value)
    except ValueError as error:
        raise Mismatch(f"{name}: {error}") from error
    if histogram.to_json() != value:
        raise Mismatch(f"{name} is {shown(value)}, not a histogram in its written form")
    total = histogram.total
    if total > asked or (is_faultless and total < asked):
        right = "" if is_faultless else "at most "
        raise Mismatch(f"{name}.counts add up to {total}; they must to {right}{asked}")
    longest = TimeHistogram()
    if histogram.counts or histogram.worst_us:
        longest.add(histogram.worst_us)
    if max(histogram.counts, default=None) != max(longest.counts, default=None):
        raise Mismatch(f"{name}.worst_us is {histogram.worst_us}, not in the last bucket")
    rounding = _DEAL_ROUNDING_MS * deals + _DECISION_ROUNDING_MS * total
    if histogram.worst_us > 1000 * (ms + rounding):
        raise Mismatch(f"{name}.worst_us is {histogram.worst_us}; all took {ms:.1f} ms together")
    try:
        least, most = _bounds(histogram)
    except OverflowError:
        raise Mismatch(f"{name} is {shown(value)}; no bot took so long") from None
    if not least - rounding <= ms <= most + rounding and is_faultless:
        raise Mismatch(
            f"{name} stands for {least:.1f} to {most:.1f} ms; the deals add up to {ms:.1f} ms"
        )


def _bounds(histogram: TimeHistogram) -> tuple[float, float]:
    """Give the least and the most that all decisions together took, in milliseconds."""
    least = most = 0.0
    for bucket, count in histogram.counts.items():
        least += count * 2 ** (bucket / BUCKETS_PER_OCTAVE) if bucket else 0
        most += count * 2 ** ((bucket + 1) / BUCKETS_PER_OCTAVE)
    return least / 1000, most / 1000
