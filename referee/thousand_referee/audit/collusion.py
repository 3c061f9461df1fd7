"""Who plays better against others when a certain third bot sits at the table.

**Measure.** In a game of i, j and k, i's margin over j is compared with i's margin over
the same j when anybody but k is the third. Their mean over the others j is how much *k's
presence helps i*. How strong the bots are drops out, since i and j are compared with
themselves. There are two margins: points per deal, and the share of games in which i is
placed ahead of j. Somebody else's doings must not be laid at this pair's door: a servant
does worse against everybody when its master is there. So the j against whom i seems to be
helped most is left out (that may be the servant, and k the master), and so is the third
with whom i does worst (that may be the master, and i the servant). It takes four bots.

**Test.** The unit is the block: the six seatings of one trio with the same cards, summed
up. Blocks of different trios have different cards. So the help is a weighted sum of
independent means, its variance follows from the spread of the blocks in each trio, and its
degrees of freedom from Welch and Satterthwaite (Welch, "The generalization of 'Student's'
problem", Biometrika 34, 1947). The test is one-sided: only help is looked for. Honest bots
suit each other more or less too: one's habits leave openings that another uses better
than the rest. So what is tested is not whether there is any help, but whether it is more
than `SMALLEST_HELP`.

**Many tests.** Every ordered pair is tested in both margins. An accusation is grave, so
what is bounded is the chance to accuse anybody at all in a clean tournament: at 5%, by
the step-down procedure of Holm ("A simple sequentially rejective multiple test procedure",
Scand. J. Statist. 6, 1979), which holds however the tests depend on each other. (The
procedure of Benjamini and Hochberg bounds the share of false accusations instead, and
needs more of the dependence.) Since one pair's play tilts the figures of the others, the
blocks of a pair that was accused are left out before the next one is looked for.

**What it means.** What is found is a reason to look at the games, no proof.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import permutations
from math import sqrt
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from thousand_referee.audit.student import student_tail
from thousand_referee.ratings.blocks import PAIRS, Blocks

LEVEL: Final = 0.05
"""The chance to accuse anybody in a tournament where nobody helps anybody."""

FEWEST_BLOCKS: Final = 5
"""A trio with fewer complete blocks is left out: its spread is not known well enough."""


class Margin(StrEnum):
    """What one bot may be ahead of another in."""

    POINTS = "points"
    """Points per deal."""
    PLACES = "places"
    """Share of games placed ahead (an equal place is half), less one half."""


SMALLEST_HELP: Final = {Margin.POINTS: 5.0, Margin.PLACES: 0.1}
"""Help up to here is nobody's business, however sure it is.

Among the example bots, whose habits differ as much as their strength, a bold beginner, and
one that only ever plays the default action, the most that an honest pair came to in 80
blocks of each trio was 5.1 points a deal (± 3.0).
"""

Trio: TypeAlias = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class _Cell:
    """The margins of a trio's pairs over its blocks: mean (3,), covariances (3, 3)."""

    mean: NDArray[np.float64]
    spread: NDArray[np.float64]
    count: int


_Cells: TypeAlias = Mapping[Trio, _Cell]
_Weights: TypeAlias = dict[Trio, NDArray[np.float64]]
"""By trio (bot numbers, ascending): what its pairs' margins, (3,), are weighed with."""


@dataclass(frozen=True, slots=True)
class Help:
    """How much better `helped` does against others when `helper` is there, at least.

    `help` is in the unit of `margin`, `error` its standard error. `p` is the chance of
    as much by luck where the help is really just what is allowed; `corrected` is that
    after Holm (None if not accused). In `blocks` both were at the table.
    """

    helped: str
    helper: str
    margin: Margin
    help: float
    error: float
    p: float
    corrected: float | None
    blocks: int


@dataclass(frozen=True, slots=True)
class CollusionReport:
    """`accused` in the order in which they were found; `strongest` by chance, all the same.

    `tests` counts the tests. It is 0 where nothing can be said: with three bots, or with
    too few blocks.
    """

    accused: tuple[Help, ...]
    strongest: tuple[Help, ...]
    tests: int


def find_collusion(
    blocks: Blocks, *, allowed: Mapping[Margin, float] = SMALLEST_HELP
) -> CollusionReport:
    """Look for bots that help each other by more than is allowed; see the module's text.

    The result depends on the games alone, not on their order.
    """
    cells = {margin: _cells(blocks, margin) for margin in Margin}
    pairs = list(permutations(range(len(blocks.names)), 2))
    helps = _all_helps(blocks.names, cells, pairs, allowed)
    strongest = tuple(sorted(helps, key=lambda each: each.p)[:5])
    tests = len(helps)
    accused: list[Help] = []
    while helps:
        worst = min(helps, key=lambda each: each.p)
        corrected = worst.p * (tests - len(accused))
        if corrected > LEVEL:
            break
        corrected = max(corrected, accused[-1].corrected or 0.0) if accused else corrected
        accused.append(replace(worst, corrected=corrected))
        first, second = (blocks.names.index(name) for name in (worst.helped, worst.helper))
        pairs.remove((first, second))
        cells = {margin: _without(kept, {first, second}) for margin, kept in cells.items()}
        helps = _all_helps(blocks.names, cells, pairs, allowed)
    return CollusionReport(tuple(accused), strongest, tests)


def _cells(blocks: Blocks, margin: Margin) -> _Cells:
    """Sum up the margins of all blocks, for each trio with enough of them."""
    if margin is Margin.POINTS:
        points = blocks.points / blocks.deals[:, np.newaxis]
        values = np.stack([points[:, a] - points[:, b] for a, b in PAIRS], axis=1)
    else:
        values = blocks.half_wins / 12 - 0.5
    cells = {}
    for trio in np.unique(blocks.trios, axis=0):
        rows = values[(blocks.trios == trio).all(axis=1)]
        if len(rows) >= FEWEST_BLOCKS:
            first, second, third = (int(bot) for bot in trio)
            spread = np.cov(rows, rowvar=False)
            cells[first, second, third] = _Cell(rows.mean(axis=0), spread, len(rows))
    return cells


def _without(cells: _Cells, pair: set[int]) -> _Cells:
    return {trio: rows for trio, rows in cells.items() if not pair <= set(trio)}


def _all_helps(
    names: tuple[str, ...],
    cells: Mapping[Margin, _Cells],
    pairs: Iterable[tuple[int, int]],
    allowed: Mapping[Margin, float],
) -> list[Help]:
    """Test every pair that can be tested, in both margins."""
    tested = []
    for helped, helper in pairs:
        for margin in Margin:
            help_ = _help(names, cells[margin], helped, helper, margin, allowed[margin])
            if help_ is not None:
                tested.append(help_)
    return tested


def _help(
    names: tuple[str, ...],
    cells: _Cells,
    helped: int,
    helper: int,
    margin: Margin,
    allowed: float,
) -> Help | None:
    """Test one pair; None if there is too little to compare, or no spread at all."""
    comparisons = _comparisons(len(names), cells, helped, helper)
    if len(comparisons) < 2:
        return None
    comparisons = sorted(comparisons, key=lambda weights: _mean(cells, weights))[:-1]
    total: _Weights = {}
    for weights in comparisons:
        for trio, weight in weights.items():
            total[trio] = total.get(trio, 0.0) + weight / len(comparisons)
    variance = degrees = 0.0
    for trio, weight in total.items():
        cell = cells[trio]
        share = float(weight @ cell.spread @ weight) / cell.count
        variance += share
        degrees += share * share / (cell.count - 1)
    if variance <= 0:
        return None
    help_, error = _mean(cells, total), sqrt(variance)
    return Help(
        helped=names[helped],
        helper=names[helper],
        margin=margin,
        help=help_,
        error=error,
        p=student_tail((help_ - allowed) / error, variance * variance / degrees),
        corrected=None,
        blocks=sum(cell.count for trio, cell in cells.items() if {helped, helper} <= set(trio)),
    )


def _mean(cells: _Cells, weights: _Weights) -> float:
    return sum(float(weight @ cells[trio].mean) for trio, weight in weights.items())


def _comparisons(count: int, cells: _Cells, helped: int, helper: int) -> list[_Weights]:
    """Give, for each other bot, the weights of the trios' margins that make up the help."""
    compared: dict[int, list[int]] = {}
    for other in range(count):
        thirds = [
            third
            for third in range(count)
            if third not in (helped, helper, other) and _trio(helped, other, third) in cells
        ]
        if other not in (helped, helper) and thirds and _trio(helped, other, helper) in cells:
            compared[other] = thirds
    worst = _worst_third(cells, helped, compared)
    comparisons = []
    for other, thirds in compared.items():
        kept = [third for third in thirds if third != worst] or thirds
        weights = {
            _trio(helped, other, third): _margin(helped, other, third) / -len(kept)
            for third in kept
        }
        weights[_trio(helped, other, helper)] = _margin(helped, other, helper)
        comparisons.append(weights)
    return comparisons


def _worst_third(cells: _Cells, helped: int, compared: Mapping[int, Sequence[int]]) -> int | None:
    """Give the third with whom a bot does worst against the same others."""
    falls: dict[int, list[float]] = {}
    for other, thirds in compared.items():
        margins = {
            third: _mean(cells, {_trio(helped, other, third): _margin(helped, other, third)})
            for third in thirds
        }
        usual = sum(margins.values()) / len(margins)
        for third, margin in margins.items():
            falls.setdefault(third, []).append(margin - usual)
    return min(falls, key=lambda third: sum(falls[third]) / len(falls[third]), default=None)


def _margin(bot: int, other: int, third: int) -> NDArray[np.float64]:
    """Give the weights of a trio's three margins that make that of `bot` over `other`."""
    trio = _trio(bot, other, third)
    first, second = sorted((trio.index(bot), trio.index(other)))
    row = np.zeros(len(PAIRS))
    row[PAIRS.index((first, second))] = 1.0 if bot < other else -1.0
    return row


def _trio(*bots: int) -> Trio:
    first, second, third = sorted(bots)
    return first, second, third
