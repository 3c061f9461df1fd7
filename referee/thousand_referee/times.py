"""How long a bot's decisions took: a histogram that is cheap to add to and can be merged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import log2
from typing import Final

BUCKETS_PER_OCTAVE: Final = 4


@dataclass(slots=True)
class TimeHistogram:
    """The charged times of a bot's decisions, on a logarithmic scale.

    `counts` maps a bucket to its number of decisions: bucket b holds the times from
    2^(b/4) up to 2^((b+1)/4) microseconds, and bucket 0 everything shorter too. A
    bucket is 19% wide, so a quantile, given as the bucket's middle, is off by at most
    9.1%. `worst_us` is the longest time, exactly; 0 if there was none.
    """

    counts: dict[int, int] = field(default_factory=dict)
    worst_us: int = 0

    def add(self, microseconds: int, decisions: int = 1) -> None:
        """Count decisions that took this long each."""
        bucket = int(BUCKETS_PER_OCTAVE * log2(microseconds)) if microseconds > 1 else 0
        counts = self.counts
        counts[bucket] = counts.get(bucket, 0) + decisions
        if microseconds > self.worst_us:
            self.worst_us = microseconds

    def merge(self, other: TimeHistogram) -> None:
        """Add all decisions of another histogram to this one."""
        counts = self.counts
        for bucket, count in other.counts.items():
            counts[bucket] = counts.get(bucket, 0) + count
        self.worst_us = max(self.worst_us, other.worst_us)

    @property
    def total(self) -> int:
        """The number of decisions counted."""
        return sum(self.counts.values())

    @property
    def worst_ms(self) -> float | None:
        """The longest time in milliseconds, exactly; None without decisions."""
        return self.worst_us / 1000 if self.counts else None

    def quantile(self, share: float) -> float | None:
        """Give the time in milliseconds that this share of the decisions stayed within.

        It is the (geometric) middle of the bucket in question, but never above the
        worst. None without decisions; ValueError for a share outside 0 to 1.
        """
        if not 0 <= share <= 1:
            raise ValueError(f"a quantile is a share from 0 to 1, not {share}")
        missing = share * self.total
        for bucket in sorted(self.counts):
            missing -= self.counts[bucket]
            if missing <= 0:
                middle_us: float = 2 ** ((bucket + 0.5) / BUCKETS_PER_OCTAVE)
                return min(middle_us, self.worst_us) / 1000
        return None

    def to_json(self) -> dict[str, object]:
        """Give it as plain values: `{"worst_us": 1234, "counts": {"40": 7}}`."""
        counts = {str(bucket): self.counts[bucket] for bucket in sorted(self.counts)}
        return {"worst_us": self.worst_us, "counts": counts}

    @classmethod
    def from_json(cls, value: Mapping[str, object]) -> TimeHistogram:
        """Build it from what `to_json` gave; ValueError if that isn't what it is."""
        worst_us, counts = value.get("worst_us"), value.get("counts")
        if not isinstance(worst_us, int) or worst_us < 0 or not isinstance(counts, Mapping):
            raise ValueError(f"not a histogram of decision times: {value!r}")
        histogram = cls(worst_us=worst_us)
        for bucket, count in counts.items():
            if not (isinstance(bucket, str) and bucket.isdecimal()):
                raise ValueError(f"not a bucket of decision times: {bucket!r}")
            if not isinstance(count, int) or count < 1:
                raise ValueError(f"not a number of decisions: {count!r} (bucket {bucket})")
            histogram.counts[int(bucket)] = count
        return histogram
