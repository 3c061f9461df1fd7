"""Nobody is accused without cause, a pair that helps each other is, and only that pair."""

from __future__ import annotations

import random
import sys
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "ratings"))

from table_talk import play_tournament

from simulated_games import simulate
from thousand_referee.audit.collusion import (
    FEWEST_BLOCKS,
    LEVEL,
    SMALLEST_HELP,
    CollusionReport,
    Margin,
    find_collusion,
)
from thousand_referee.ratings.blocks import collect_blocks
from thousand_referee.ratings.results import GameRecord

NAMES = ("anna", "boris", "clara", "dora")
NO_HELP_ALLOWED = dict.fromkeys(Margin, 0.0)
CARDS = {"luck_index": 0.6, "suit_index": 0.8}
"""How much the games of a block have in common: most of a game's outcome is its cards."""


def tournament(
    seed: int, blocks: int = 10, names: tuple[str, ...] = NAMES, helper: str = "", boost: float = 0
) -> list[GameRecord]:
    """Simulate a tournament of unequal bots; with `helper` there, anna is better by `boost`."""
    generator, games = np.random.default_rng(seed), []
    for trio in combinations(names, 3):
        strengths = {name: 0.4 * names.index(name) for name in trio}
        if "anna" in trio and helper in trio:
            strengths["anna"] += boost
        games += simulate(strengths, blocks, generator, **CARDS)
    return games


def find(games: list[GameRecord], allowed: dict[Margin, float] | None = None) -> CollusionReport:
    names = sorted({name for game in games for name in game.trio})
    return find_collusion(collect_blocks(games, names), allowed=allowed or SMALLEST_HELP)


@pytest.mark.study
def test_at_most_five_of_a_hundred_clean_tournaments_have_anyone_accused() -> None:
    count = 300
    accused = sum(bool(find(tournament(seed), NO_HELP_ALLOWED).accused) for seed in range(count))
    assert accused <= LEVEL * count


def test_the_chance_of_a_single_test_is_what_it_says() -> None:
    low = total = 0
    for seed in range(60):
        report = find(tournament(seed), NO_HELP_ALLOWED)
        total += report.tests
        low += sum(each.p < 0.02 for each in report.strongest)
    assert low / total < 0.03


@pytest.mark.parametrize("seed", range(5))
def test_a_helped_bot_and_its_helper_are_named_and_nobody_else(seed: int) -> None:
    report = find(tournament(seed, blocks=40, helper="boris", boost=1.8))
    assert [(each.helped, each.helper) for each in report.accused] == [("anna", "boris")]
    (found,) = report.accused
    assert found.corrected is not None
    assert found.p <= found.corrected <= LEVEL
    assert found.help > SMALLEST_HELP[found.margin]
    assert found.blocks == 2 * 40


@pytest.mark.study
def test_a_servant_in_real_games_is_found_out() -> None:
    fair = find(play_tournament(NAMES, 20, deals=6), NO_HELP_ALLOWED)
    assert fair.tests == 24
    assert fair.accused == ()
    served = play_tournament(NAMES, 80, deals=6, servant="boris", master="anna")
    report = find(served, NO_HELP_ALLOWED)
    assert [(each.helped, each.helper) for each in report.accused] == [("anna", "boris")]


def test_the_order_of_games_changes_nothing() -> None:
    games = tournament(1, helper="boris", boost=2.0)
    report = find(games)
    random.Random(1).shuffle(games)
    assert find(games) == report


def test_three_bots_or_few_blocks_say_nothing() -> None:
    assert find(tournament(1, names=NAMES[:3])) == CollusionReport((), (), 0)
    assert find(tournament(1, blocks=FEWEST_BLOCKS - 1)).tests == 0


def test_a_missing_trio_leaves_the_others_to_compare() -> None:
    games = [
        game
        for game in tournament(2, blocks=30, helper="boris", boost=2.5)
        if set(game.trio) != {"boris", "clara", "dora"}
    ]
    report = find(games)
    assert 0 < report.tests < 24
    assert (report.accused[0].helped, report.accused[0].helper) == ("anna", "boris")


def test_bots_that_never_differ_can_not_be_tested() -> None:
    games = [
        GameRecord(seats, block, (1, 1, 1), (10, 10, 10), 3)
        for trio in combinations(NAMES, 3)
        for block in range(FEWEST_BLOCKS)
        for a in range(3)
        for b in range(3)
        if a != b
        for seats in [(trio[a], trio[b], trio[3 - a - b])]
    ]
    assert find(games).tests == 0
