"""The geometry of the pages' drawings; templates turn it into SVG.

Horizontal places are given in percent of the drawing's width where it may stretch, and in
the drawing's own units where it may not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, log2, log10
from typing import Final

from thousand_referee.times import BUCKETS_PER_OCTAVE, TimeHistogram

_NICE: Final = (1, 2, 5, 10)


@dataclass(frozen=True, slots=True)
class Scale:
    """A linear scale with round `ticks`; `place` gives percent from its low end."""

    low: float
    high: float
    ticks: tuple[float, ...]

    def place(self, value: float) -> float:
        """Say where a value is, 0 to 100, to two digits."""
        return round(100 * (value - self.low) / (self.high - self.low), 2)


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of a histogram: across in percent, upwards in units, and what it stands for."""

    x: float
    width: float
    y: float
    height: float
    label: str


@dataclass(frozen=True, slots=True)
class Histogram:
    """Decision times on a logarithmic scale; `ticks` are places and their labels."""

    bars: tuple[Bar, ...]
    ticks: tuple[tuple[float, str], ...]
    marks: tuple[tuple[float, str], ...]


@dataclass(frozen=True, slots=True)
class Line:
    """A line through points, for an SVG polyline, and where it ends."""

    points: str
    end: tuple[float, float]


def scale_of(values: Iterable[float], ticks: int = 4) -> Scale:
    """Make a scale that has all values in it, with about so many round ticks."""
    known = [*values]
    low, high = min(known, default=0.0), max(known, default=1.0)
    if high - low < 1e-9:
        low, high = low - 1, high + 1
    step = nice_step((high - low) / ticks)
    first, last = floor(low / step), ceil(high / step)
    return Scale(
        first * step, last * step, tuple(round(n * step, 9) for n in range(first, last + 1))
    )


def nice_step(rough: float) -> float:
    """Round a step up to 1, 2 or 5 times a power of ten."""
    power: float = 10.0 ** floor(log10(rough))
    return next(factor * power for factor in _NICE if factor * power >= rough * 0.999)


def lines_of(
    series: Mapping[str, Sequence[tuple[float, float]]],
    across: Scale,
    up: Scale,
    width: float,
    height: float,
) -> dict[str, Line]:
    """Lay series of (x, y) out in a drawing of that size, y upwards."""

    def place(point: tuple[float, float]) -> tuple[float, float]:
        x, y = across.place(point[0]), up.place(point[1])
        return round(x * width / 100, 1), round(height - y * height / 100, 1)

    lines = {}
    for name, points in series.items():
        placed = [place(point) for point in points]
        if placed:
            lines[name] = Line(" ".join(f"{x},{y}" for x, y in placed), placed[-1])
    return lines


def histogram_of(times: TimeHistogram, height: float) -> Histogram:
    """Lay decision times out as bars, half an octave each; none without decisions.

    Places and widths are in percent, heights in units of `height`.
    """
    if not times.counts:
        return Histogram((), (), ())
    per_bar = BUCKETS_PER_OCTAVE // 2
    sums: dict[int, int] = {}
    for bucket, count in times.counts.items():
        sums[bucket // per_bar] = sums.get(bucket // per_bar, 0) + count
    first, last = min(sums) - 1, max(sums) + 2
    most, total = max(sums.values()), times.total

    def across(milliseconds: float) -> float:
        place = log2(max(1.0, milliseconds * 1000)) * BUCKETS_PER_OCTAVE / per_bar
        return round(100 * (place - first) / (last - first), 2)

    def bar(number: int, count: int) -> Bar:
        tall = max(1.0, height * count / most)
        low, high = (
            time_text(2 ** (end * per_bar / BUCKETS_PER_OCTAVE) / 1000)
            for end in (number, number + 1)
        )
        each = 100 / (last - first)
        return Bar(
            x=round((number - first) * each, 2),
            width=round(0.94 * each, 2),
            y=round(height - tall, 1),
            height=round(tall, 1),
            label=f"{low} to {high}: {count:,} ({count / total:.1%})",
        )

    ticks = [(across(10.0**power), time_text(10.0**power)) for power in range(-3, 6)]
    quantiles = ((name, times.quantile(share)) for share, name in ((0.5, "median"), (0.99, "p99")))
    return Histogram(
        bars=tuple(bar(number, count) for number, count in sorted(sums.items())),
        ticks=tuple((x, label) for x, label in ticks if 2 <= x <= 98),
        marks=tuple(
            (across(value), f"{name} {time_text(value)}")
            for name, value in quantiles
            if value is not None
        ),
    )


def time_text(milliseconds: float | None) -> str:
    """Give a time as people read it: ``42 µs``, ``0.23 ms``, ``3.8 ms``, ``1.2 s``."""
    if milliseconds is None:
        return "—"
    if milliseconds < 0.1:
        return f"{milliseconds * 1000:.0f} µs"
    if milliseconds >= 1000:
        return f"{milliseconds / 1000:.3g} s"
    return f"{milliseconds:.2g} ms" if milliseconds < 9.95 else f"{milliseconds:.0f} ms"
