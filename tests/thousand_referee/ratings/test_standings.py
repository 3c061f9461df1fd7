"""The standings: what is in the rows, and what they don't depend on."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_blocks import block_of

from simulated_games import simulate
from thousand_referee.ratings import GameRecord, Standings, standings
from thousand_referee.times import TimeHistogram

STRENGTHS = {"ann": 0.8, "bob": 0.2, "cat": 0.0, "dan": -1.0}


def simulated(blocks: int = 12, seed: int = 1) -> list[GameRecord]:
    generator = np.random.default_rng(seed)
    return simulate(STRENGTHS, blocks, generator, luck_index=0.6, suit_index=0.8)


def rate(games: list[GameRecord], names: str = "abc", anchor: str | None = None) -> Standings:
    return standings(games, names=list(names), anchor=anchor)


def blocks_of(trio: str, order: str, count: int, first: int = 0) -> list[GameRecord]:
    return [game for n in range(count) for game in block_of(trio, first + n, order)]


GAMES = simulated()
TABLE = standings(GAMES, names=list(STRENGTHS), resamples=200)


@settings(max_examples=15, deadline=None)
@given(st.randoms(use_true_random=False), st.permutations(list(STRENGTHS)))
def test_the_order_of_games_and_names_does_not_matter(shuffler: object, names: list[str]) -> None:
    games = list(GAMES)
    shuffler.shuffle(games)  # type: ignore[attr-defined]
    assert standings(games, names=names, resamples=200) == TABLE


def test_neither_does_the_hash_seed() -> None:
    script = (
        "from test_standings import *\n"
        "print(repr(standings(set(GAMES), names=set(STRENGTHS), resamples=200)))"
    )
    path = os.pathsep.join(p for p in sys.path if p)
    outputs = [
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("0", "1")
    ]
    assert outputs == [repr(TABLE)] * 2


def test_the_seed_moves_intervals_a_little_and_ratings_not_at_all() -> None:
    other = standings(GAMES, names=list(STRENGTHS), resamples=200, seed=1)
    for row, moved in zip(TABLE.rows, other.rows, strict=True):
        assert row.elo == moved.elo
        assert row.elo_low != moved.elo_low
        assert row.elo_low == pytest.approx(moved.elo_low, abs=30)


def test_the_rows_are_ranked_and_hold_together() -> None:
    assert [row.rank for row in TABLE.rows] == [1, 2, 3, 4]
    elos = [row.elo for row in TABLE.rows if row.elo is not None]
    assert elos == sorted(elos, reverse=True)
    assert np.mean(elos) == pytest.approx(1500)
    assert sum(row.win_share or 0 for row in TABLE.rows) * 3 / 4 == pytest.approx(1)
    assert np.mean([row.mean_place or 0 for row in TABLE.rows]) == pytest.approx(2)
    assert (TABLE.games, TABLE.blocks, TABLE.games_left_out) == (288, 48, 0)
    for row in TABLE.rows:
        assert (row.games, row.blocks) == (216, 36)
        assert row.elo is not None
        assert row.elo_low is not None
        assert row.elo_high is not None
        assert row.elo_low < row.elo < row.elo_high
        assert row.points_low is not None
        assert row.points_high is not None
        assert row.points_per_deal is not None
        assert row.points_low < row.points_per_deal < row.points_high


def test_averages_by_hand() -> None:
    games = [*blocks_of("abc", "bca", 1), *blocks_of("abc", "bac", 1, first=1)]
    table = rate(games)
    row = table.row("b")
    assert (row.win_share, row.mean_place, row.points_per_deal, row.faults) == (1, 1, 10, 12)
    assert (table.row("a").mean_place, table.row("c").points_per_deal) == (2.5, 20)
    assert table.difference("a", "c").score == 0.5


def test_incomplete_blocks_count_for_nothing() -> None:
    partial = [game for game in simulated(14) if game.block < 12 or game.trio[0] != "ann"]
    complete = [game for game in partial if game.block < 12 or "ann" not in game.trio]
    with_rest = standings(partial, names=list(STRENGTHS), resamples=200)
    assert with_rest.games_left_out == len(partial) - len(complete) == 3 * 2 * 4
    without = standings(complete, names=list(STRENGTHS), resamples=200)
    assert replace(with_rest, games_left_out=0) == without


def test_few_blocks_have_no_interval_never_a_zero_one() -> None:
    nine, ten = (
        standings(simulate({**STRENGTHS}, blocks, np.random.default_rng(2)), names=[*STRENGTHS])
        for blocks in (3, 4)
    )
    for row in nine.rows:
        assert row.blocks == 9
        ends = (row.elo_low, row.elo_high, row.points_low, row.points_high)
        assert ends == (None, None, None, None)
        assert not row.better_than_next
    assert all((d.low, d.high) == (None, None) for d in nine.differences)
    assert all(row.elo_low is not None for row in ten.rows)


def test_a_newcomer_with_few_blocks_leaves_the_others_their_intervals() -> None:
    games = simulated() + [
        game
        for game in simulate({"ann": 0, "bob": 0, "eve": 0}, 3, np.random.default_rng(3))
        if "eve" in game.trio
    ]
    table = standings([replace(g, block=g.block + 90) for g in games], names=[*STRENGTHS, "eve"])
    assert table.row("eve").elo_low is None
    assert table.row("eve").elo is not None
    assert table.row("ann").elo_low is not None
    assert table.difference("ann", "dan").is_clear
    assert table.difference("ann", "eve").low is None


def test_a_newcomer_is_told_from_those_it_met_until_it_met_more() -> None:
    """However many blocks it has with one pair, and however alike they are."""
    games = [game for trio in ("abc", "abd", "acd", "bcd") for game in blocks_of(trio, trio, 12)]
    newcomer = blocks_of("eab", "eab", 20)
    table = rate([*games, *newcomer], "abcde")
    assert all(row.elo_low is not None for row in table.rows)
    known = {name: table.difference("e", name).low is not None for name in "abcd"}
    assert known == {"a": True, "b": True, "c": False, "d": False}
    more = rate([*games, *newcomer, *blocks_of("ecd", "ecd", 1)], "abcde")
    assert all(each.low is not None for each in more.differences)


def test_a_version_and_the_next_with_the_same_two_opponents() -> None:
    """They keep their intervals; only of each other nothing can be said."""
    first, second = blocks_of("abx", "xab", 20), blocks_of("aby", "yab", 20)
    table = rate([*first, *second], "abxy")
    assert all(row.elo_low is not None for row in table.rows)
    assert table.difference("x", "y").low is None
    assert table.difference("x", "a").is_clear


def test_an_undefeated_bot_has_a_finite_rating_and_an_honest_interval() -> None:
    table = rate(blocks_of("abc", "abc", 10) + blocks_of("abc", "acb", 10, first=10))
    best = table.rows[0]
    assert best.name == "a"
    assert best.elo is not None
    assert best.elo_high is not None
    assert 1700 < best.elo < 3000
    assert table.difference("a", "b").is_clear
    lead = table.difference("a", "b")
    assert lead.low is not None
    assert lead.high is not None
    assert lead.high - lead.low > 200
    assert not table.difference("b", "c").is_clear


def test_bots_that_never_met_can_still_be_listed() -> None:
    table = rate(blocks_of("abc", "abc", 12) + blocks_of("def", "fed", 12), "abcdef")
    assert {row.name for row in table.rows[:2]} == {"a", "f"}
    apart = table.difference("a", "f")
    assert (apart.games, apart.score) == (0, None)
    assert apart.elo == pytest.approx(0, abs=1e-6)
    assert not apart.is_clear


def test_two_bots_that_play_alike_are_not_significantly_different() -> None:
    alike = {"ann": 0.0, "bob": 0.0, "cat": -2.0}
    table = standings(simulate(alike, 60, np.random.default_rng(4)), names=list(alike))
    first, second, third = table.rows
    assert {first.name, second.name} == {"ann", "bob"}
    assert not first.better_than_next
    assert second.better_than_next
    assert second.to_next == table.difference(second.name, third.name)
    assert third.to_next is None


def test_an_anchor_stands_at_1500_and_has_no_interval() -> None:
    free = standings(GAMES, names=list(STRENGTHS), resamples=200)
    anchored = standings(GAMES, names=list(STRENGTHS), anchor="cat", resamples=200)
    cat = anchored.row("cat")
    assert (cat.elo, cat.elo_low, cat.elo_high) == (1500, None, None)
    assert cat.points_low is not None
    for row in free.rows:
        other = anchored.row(row.name)
        assert row.elo is not None
        assert other.elo is not None
        assert other.elo - 1500 == pytest.approx(row.elo - (free.row("cat").elo or 0))
    lead = anchored.difference("ann", "cat")
    ann = anchored.row("ann")
    assert ann.elo_low == pytest.approx(1500 + (lead.low or 0))
    assert ann.elo_high == pytest.approx(1500 + (lead.high or 0))


def test_an_unknown_anchor_is_rejected() -> None:
    with pytest.raises(ValueError, match="anchor 'x' is not among the entries"):
        rate([], anchor="x")


def test_too_few_resamples_are_rejected() -> None:
    with pytest.raises(ValueError, match="99 resamples are too few"):
        standings([], names=["a"], resamples=99)


@pytest.mark.parametrize("anchor", [None, "a"])
def test_before_the_first_block_everyone_is_listed_without_a_rating(anchor: str | None) -> None:
    table = rate(block_of("abc", 0, "abc")[:5], anchor=anchor)
    assert [row.name for row in table.rows] == ["a", "b", "c"]
    assert {row.elo for row in table.rows} == {None}
    assert {row.points_per_deal for row in table.rows} == {None}
    assert (table.differences, table.games, table.games_left_out) == ((), 0, 5)


def test_no_entries_make_an_empty_table() -> None:
    assert rate([], "").rows == ()


def test_a_bot_without_blocks_comes_last_and_is_compared_with_nobody() -> None:
    table = rate(blocks_of("bcd", "dcb", 12), "abcd")
    assert [row.name for row in table.rows] == ["d", "c", "b", "a"]
    assert table.rows[2].to_next is None
    assert np.mean([row.elo or 0 for row in table.rows[:3]]) == pytest.approx(1500)
    with pytest.raises(KeyError):
        table.difference("a", "b")
    with pytest.raises(KeyError):
        table.difference("b", "b")
    with pytest.raises(KeyError):
        table.difference("b", "x")


def test_a_difference_can_be_seen_from_both_sides() -> None:
    names = [row.name for row in TABLE.rows]
    for a in names:
        for b in names:
            if a != b:
                there, back = TABLE.difference(a, b), TABLE.difference(b, a)
                assert (there.first, there.second, there.games) == (a, b, 144)
                assert there == back.reversed()
                assert there.elo == -back.elo
                assert there.score is not None
                assert 0 < there.score < 1


def test_decision_times_are_handed_on() -> None:
    histogram = TimeHistogram()
    for time_us in [1000] * 98 + [5000, 64_001]:
        histogram.add(time_us)
    table = standings(GAMES, names=list(STRENGTHS), times={"bob": histogram}, resamples=100)
    bob, cat = table.row("bob"), table.row("cat")
    assert bob.time_median_ms == pytest.approx(1, rel=0.0911)
    assert bob.time_p99_ms == pytest.approx(5, rel=0.0911)
    assert bob.time_worst_ms == 64.001
    assert (cat.time_median_ms, cat.time_p99_ms, cat.time_worst_ms) == (None, None, None)
