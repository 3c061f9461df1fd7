"""The sequential test of `thousand compare`: its errors are held against simulation."""

from __future__ import annotations

from random import Random
from statistics import median

import pytest

from compare_simulation import MODELS, Scores, normal, simulate, six_coins
from thousand_referee.compare.sequential import (
    LEAST_BLOCKS,
    Plan,
    SequentialTest,
    Verdict,
    elo_of,
    score_of,
)

RUNS = 2000
ERRORS = 0.05
THREE_SIGMA = 3 * (ERRORS * (1 - ERRORS) / RUNS) ** 0.5


@pytest.mark.study
@pytest.mark.parametrize("scores", MODELS.values(), ids=MODELS)
def test_equal_bots_are_called_better_or_worse_in_five_percent_of_runs_at_most(
    scores: Scores,
) -> None:
    verdicts, _ = simulate(Plan(elo1=30), scores, 0, RUNS)
    wrong = verdicts[Verdict.BETTER] + verdicts[Verdict.WORSE]
    assert wrong / RUNS <= ERRORS + THREE_SIGMA
    assert verdicts[Verdict.UNDECIDED] == 0


def test_the_default_plan_errs_as_rarely_and_is_even_handed() -> None:
    verdicts, _ = simulate(Plan(), normal(0.17), 0, 600)
    assert (verdicts[Verdict.BETTER] + verdicts[Verdict.WORSE]) / 600 <= ERRORS
    assert verdicts[Verdict.BETTER] > 0
    assert verdicts[Verdict.WORSE] > 0


def test_thirty_elo_are_found_in_the_number_of_blocks_that_is_stated() -> None:
    verdicts, blocks = simulate(Plan(), normal(0.17), 30, 500)
    assert verdicts[Verdict.BETTER] / 500 >= 0.98
    assert 100 <= median(blocks) <= 140
    assert blocks[475] <= 320


def test_a_worse_bot_is_found_as_soon_as_a_better_one() -> None:
    plan = Plan()
    better, worse = SequentialTest(plan), SequentialTest(plan)
    random = Random(1)
    while better.verdict is Verdict.UNDECIDED:
        score = six_coins(random, score_of(40))
        better.add(score)
        worse.add(1 - score)
    assert better.verdict is Verdict.BETTER
    assert worse.verdict is Verdict.WORSE
    assert better.blocks == worse.blocks
    assert better.ratios == pytest.approx(worse.ratios[::-1])


def test_bots_that_play_alike_don_t_differ() -> None:
    test = SequentialTest(Plan())
    while test.add(0.5) is Verdict.UNDECIDED:
        pass
    assert test.verdict is Verdict.NO_DIFFERENCE
    assert test.blocks < 200


def test_nothing_is_decided_before_the_least_number_of_blocks() -> None:
    test = SequentialTest(Plan())
    for _ in range(LEAST_BLOCKS - 1):
        assert test.add(1.0) is Verdict.UNDECIDED
    assert test.add(1.0) is Verdict.BETTER


def test_after_a_verdict_nothing_changes() -> None:
    test = SequentialTest(Plan())
    for _ in range(LEAST_BLOCKS):
        test.add(1.0)
    before = test.blocks, test.mean, test.estimate
    assert test.add(0.0) is Verdict.BETTER
    assert (test.blocks, test.mean, test.estimate) == before


def test_the_estimate_holds_the_truth_in_its_middle() -> None:
    random = Random(5)
    test = SequentialTest(Plan(alpha=1e-9, beta=1e-9))  # it takes all blocks
    for _ in range(400):
        test.add(random.gauss(score_of(50), 0.17))
    estimate = test.estimate
    assert estimate is not None
    assert estimate.low < 50 < estimate.high
    assert estimate.high - estimate.low < 40


def test_a_first_block_has_no_estimate() -> None:
    test = SequentialTest(Plan())
    assert test.estimate is None
    test.add(1.0)
    assert test.estimate is None


@pytest.mark.parametrize("elo", [-200.0, 0.0, 30.0])
def test_elo_and_score_say_the_same(elo: float) -> None:
    assert elo_of(score_of(elo)) == pytest.approx(elo)


def test_elo_of_a_clean_sweep_is_finite() -> None:
    assert 1000 < elo_of(1.0) < 1300
    assert elo_of(0.0) == pytest.approx(-elo_of(1.0))


@pytest.mark.parametrize(
    "wrong", [{"elo0": -1}, {"elo0": 20}, {"elo1": 0}, {"alpha": 0}, {"beta": 0.5}]
)
def test_a_plan_that_makes_no_sense_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="must be from"):
        Plan(**wrong)
