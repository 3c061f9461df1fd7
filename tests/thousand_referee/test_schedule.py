from __future__ import annotations

import pickle
from collections import Counter
from hashlib import sha256
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thousand.rules import block_seed
from thousand_referee.schedule import (
    PlannedMatch,
    Schedule,
    match_id,
    match_spec,
    remaining,
    schedule,
)
from thousand_referee.spec import BotVersion, FaultLimits, TimeLimits

NAMES = st.lists(st.text("abAB19 é", min_size=1, max_size=4), min_size=3, max_size=5, unique=True)


@st.composite
def schedules(draw: st.DrawFn) -> Schedule:
    names = draw(NAMES)
    challengers = draw(st.sets(st.sampled_from(names)))
    return schedule(names, challengers, draw(st.integers(1, 9)), draw(st.integers(1, 4)))


@settings(deadline=None)
@given(schedules())
def test_every_trio_plays_every_block_once_in_each_seating(planned: Schedule) -> None:
    played = Counter(
        (match.seats, match.first_block + game) for match in planned for game in range(match.games)
    )
    expected = {
        (seats, block)
        for trio in combinations(planned.names, 3)
        if not planned.challengers or planned.challengers & set(trio)
        for seats in permutations(trio)
        for block in range(planned.blocks)
    }
    assert set(played) == expected
    assert set(played.values()) == {1}
    assert planned.games == len(expected)


@settings(deadline=None)
@given(schedules())
def test_its_length_is_known_without_making_it(planned: Schedule) -> None:
    assert len(planned) == sum(1 for _ in planned)
    assert planned.trio_count == sum(1 for _ in planned.trios())


@settings(deadline=None)
@given(schedules())
def test_ids_are_unique_and_file_names(planned: Schedule) -> None:
    ids = [match.id_in("cup") for match in planned]
    assert len(set(ids)) == len(ids)
    assert all(len(text) == len("cup-0123456789abcdef-b00000-s0") for text in ids)


@settings(deadline=None)
@given(schedules(), st.randoms())
def test_the_order_of_the_entries_does_not_matter(planned: Schedule, random: object) -> None:
    names = list(planned.names)
    random.shuffle(names)  # type: ignore[attr-defined]
    again = schedule(names, planned.challengers, planned.blocks, planned.games_per_match)
    assert list(again) == list(planned)


@settings(deadline=None)
@given(schedules(), st.integers(1, 3))
def test_more_blocks_continue_a_schedule_of_whole_ranges(planned: Schedule, more: int) -> None:
    whole = planned.blocks * planned.games_per_match
    short = schedule(planned.names, planned.challengers, whole, planned.games_per_match)
    longer = schedule(planned.names, planned.challengers, whole + more, planned.games_per_match)
    shared = list(longer)[: len(short)]
    assert shared == list(short)


@settings(deadline=None)
@given(schedules())
def test_blocks_fill_evenly(planned: Schedule) -> None:
    """At any time trios differ by at most one range, and one trio at most is in between."""
    games: Counter[tuple[str, ...]] = Counter(dict.fromkeys(planned.trios(), 0))
    for match in planned:
        games[match.trio] += match.games
        assert max(games.values()) - min(games.values()) <= 6 * planned.games_per_match
        started = [count for count in games.values() if count % (6 * planned.games_per_match)]
        if match.first_block + planned.games_per_match <= planned.blocks:
            assert len(started) <= 1


@settings(deadline=None)
@given(schedules(), st.data())
def test_what_remains_is_the_schedule_less_the_finished(
    planned: Schedule, data: st.DataObject
) -> None:
    matches = list(planned)
    finished = set(data.draw(st.lists(st.sampled_from(matches))))
    left = remaining(planned, "cup", {match.id_in("cup") for match in finished})
    assert list(left) == [match for match in matches if match not in finished]


def test_a_new_entry_changes_no_id() -> None:
    before = {match.id_in("cup"): match for match in schedule("abc", "", 4, 2)}
    after = {match.id_in("cup"): match for match in schedule("zabc", "", 4, 2)}
    assert before.items() <= after.items()
    assert len(after) == 4 * len(before)


def test_a_gauntlet_leaves_the_others_to_themselves() -> None:
    planned = schedule("abcdef", "a", 1, 1)
    assert len(planned) == 10 * 6
    assert all("a" in match.trio for match in planned)


def test_a_large_schedule_is_made_lazily() -> None:
    planned = schedule([f"bot {number}" for number in range(1000)], (), 99_999, 20)
    assert len(planned) == 166_167_000 * 6 * 5000
    assert next(iter(planned)) == PlannedMatch(("bot 0", "bot 1", "bot 10"), 0, 0, 20)


def test_seatings_are_in_lexicographic_order() -> None:
    seats = ["".join(match.seats) for match in schedule("cab", "", 1, 1)]
    assert seats == ["abc", "acb", "bac", "bca", "cab", "cba"]


@pytest.mark.parametrize(
    ("names", "challengers", "blocks", "games"),
    [("ab", "", 1, 1), ("aab", "", 1, 1), ("abc", "d", 1, 1), ("abc", "", 0, 1), ("abc", "", 1, 0)],
)
def test_impossible_schedules(names: str, challengers: str, blocks: int, games: int) -> None:
    with pytest.raises(ValueError, match=r"."):
        schedule(names, challengers, blocks, games)


def test_a_match_id_is_what_is_laid_down() -> None:
    digest = sha256(b"B\0a\0\xc3\xa9").hexdigest()
    assert match_id("demo", ("é", "a", "B"), 20, 3) == f"demo-{digest[:16]}-b00020-s3"


def test_a_match_spec_holds_the_seeds_laid_down() -> None:
    planned = PlannedMatch(("a", "b", "c"), 3, 20, 2)
    spec = match_spec(
        planned,
        tournament="demo",
        seed="7",
        bots={name: BotVersion(name, "0" * 16, f"/{name}", ("run",)) for name in "abcd"},
        tables=16,
        time=TimeLimits(),
        faults=FaultLimits(),
        log_dir="/logs",
        output_dir="/output",
    )
    assert [bot.name for bot in spec.bots] == ["b", "c", "a"]
    assert spec.match == planned.id_in("demo")
    assert (spec.first_block, spec.games, spec.tables) == (20, 2, 16)
    assert spec.block_seeds == tuple(block_seed("7", "abc", block).hex() for block in (20, 21))
    assert spec.bot_seeds == tuple(
        sha256(f"thousand bot 1\0{'7'}\0{spec.match}\0{seat}".encode()).hexdigest()[:32]
        for seat in range(3)
    )
    assert pickle.loads(pickle.dumps(spec)) == spec
