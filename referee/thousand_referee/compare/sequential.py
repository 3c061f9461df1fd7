"""A sequential test with three outcomes: better, worse, or no difference.

**What is tested.** One number for each block, its score: the share of the games between
the new and the old bot in it that the new one won, an equal place being half. Scores of
blocks are independent and alike, those of games are not, since they share cards. A
difference of e Elo is an expected score of ``1 / (1 + 10^(-e/400))``.

**Hypotheses.** The new bot is `elo1` better, or `elo1` worse, or there is no difference
(at most `elo0`). Two sequential probability ratio tests (Wald 1945) run side by side on
the same blocks, one of no difference against better, one against worse. The first that
leaves its bounds for its alternative decides; when both have settled on no difference,
that is the outcome. Sobel and Wald (1949) chose among three means in this way.

**Errors.** Of equal bots, at most `alpha` are called better or worse: each test has half of
it. Of bots that are `elo1` better, at most `beta` are not called so. The bounds are
``ln(2 / alpha)`` and ``ln(beta)``, Wald's on the safe side. They hold where the variance is
known; `tests/thousand_referee/compare` holds them against simulation.

**Likelihood ratio.** The mean of n scores is taken as normal, with the variance that the
scores show: the generalised SPRT in the form of Van den Bergh's notes, "A practical
introduction to the GSPRT" (and see Bartlett 1946, on ratios with estimated parameters)::

    LLR = n (s1 - s0) (2m - s0 - s1) / 2v

with the mean m and the variance v of n scores. Bots that are nearly the same score
exactly 0.5 in most blocks, and v starts at 0. So v counts `PRIOR_BLOCKS` imagined blocks
of the usual deviation `PRIOR_DEVIATION` in, and nothing is decided before `LEAST_BLOCKS`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import log, log10, sqrt
from typing import Final

PRIOR_BLOCKS: Final = 20
PRIOR_DEVIATION: Final = 0.2
LEAST_BLOCKS: Final = 32
_QUANTILE: Final = 1.96
_LIKELIEST: Final = 0.999
"""Scores beyond are taken for this, so that Elo stays finite."""


class Verdict(StrEnum):
    """What came out; the values are those of the JSON output."""

    BETTER = "better"
    WORSE = "worse"
    NO_DIFFERENCE = "no difference"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Plan:
    """What the test is to find out: Elo of the hypotheses, and how often it may err.

    ValueError unless ``0 <= elo0 < elo1`` and `alpha` and `beta` are between 0 and 0.5.
    """

    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not 0 <= self.elo0 < self.elo1:
            raise ValueError(f"elo0 must be from 0 to below elo1, not {self.elo0} of {self.elo1}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError(f"alpha and beta must be from 0 to 0.5, not {self.alpha}, {self.beta}")

    @property
    def bounds(self) -> tuple[float, float]:
        """Where a test ends: for no difference, and for its alternative."""
        return log(self.beta), log(2 / self.alpha)


@dataclass(frozen=True, slots=True)
class Estimate:
    """Elo of the new bot above the old one, with the ends of its 95% interval.

    The interval is that of a fixed number of blocks. After a test that stopped by itself
    it lies a little too far out.
    """

    elo: float
    low: float
    high: float


class SequentialTest:
    """Takes the scores of blocks, one by one, until `verdict` isn't undecided any more."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.verdict = Verdict.UNDECIDED
        self.blocks = 0
        self._sum = 0.0
        self._squares = 0.0
        self._better: float | None = None
        self._worse: float | None = None

    def add(self, score: float) -> Verdict:
        """Take the next block's score, from 0 to 1; after a verdict nothing changes."""
        if self.verdict is not Verdict.UNDECIDED:
            return self.verdict
        self.blocks += 1
        self._sum += score - 0.5
        self._squares += (score - 0.5) ** 2
        if self.blocks >= LEAST_BLOCKS:
            self._judge()
        return self.verdict

    @property
    def mean(self) -> float:
        """The mean score; 0.5 without blocks."""
        return 0.5 + self._sum / max(1, self.blocks)

    @property
    def ratios(self) -> tuple[float, float]:
        """The logarithms of the likelihood ratios of better and of worse to no difference."""
        return self._ratio(1), self._ratio(-1)

    @property
    def estimate(self) -> Estimate | None:
        """What the blocks so far say; None before there are two."""
        if self.blocks < 2:
            return None
        half = _QUANTILE * sqrt(self._variance() / self.blocks)
        mean = self.mean
        return Estimate(elo_of(mean), elo_of(mean - half), elo_of(mean + half))

    def _judge(self) -> None:
        """Note which of the two tests have ended, and what follows."""
        low, high = self.plan.bounds
        better, worse = self.ratios
        if self._better is None and not low < better < high:
            self._better = better
        if self._worse is None and not low < worse < high:
            self._worse = worse
        if self._better is not None and self._better >= high:
            self.verdict = Verdict.BETTER
        elif self._worse is not None and self._worse >= high:
            self.verdict = Verdict.WORSE
        elif self._better is not None and self._worse is not None:
            self.verdict = Verdict.NO_DIFFERENCE

    def _ratio(self, sign: int) -> float:
        """Give the LLR of the alternative on one side (see the module's text)."""
        if not self.blocks:
            return 0.0
        none, other = score_of(sign * self.plan.elo0), score_of(sign * self.plan.elo1)
        return (
            self.blocks * (other - none) * (2 * self.mean - none - other) / (2 * self._variance())
        )

    def _variance(self) -> float:
        deviations = self._squares - self._sum**2 / self.blocks
        imagined = PRIOR_BLOCKS * PRIOR_DEVIATION**2
        return (deviations + imagined) / (self.blocks - 1 + PRIOR_BLOCKS)


def score_of(elo: float) -> float:
    """Give the expected score of a bot that is so much better."""
    return float(1 / (1 + 10 ** (-elo / 400)))


def elo_of(score: float) -> float:
    """Give the difference in Elo that an expected score stands for."""
    score = min(max(score, 1 - _LIKELIEST), _LIKELIEST)
    return 400 * log10(score / (1 - score))


LARGEST_ELO: Final = elo_of(1.0)
"""Where the scale ends: what lies beyond can't be told from it."""
