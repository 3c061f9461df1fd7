from __future__ import annotations

from collections import Counter
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from thousand_referee.open_schedule import OpenSchedule
from thousand_referee.schedule import PlannedMatch


def names_of(count: int, prefix: str = "bot") -> list[str]:
    return [f"{prefix}{number:02d}" for number in range(count)]


def play_all(schedule: OpenSchedule, names: list[str]) -> list[PlannedMatch]:
    """Play until nothing is left to do."""
    played: list[PlannedMatch] = []
    while matches := schedule.begin(names):
        played += matches
    return played


def meetings(played: list[PlannedMatch]) -> Counter[tuple[str, str]]:
    return Counter(
        pair for match in played if match.seating == 0 for pair in combinations(match.trio, 2)
    )


@settings(max_examples=40, deadline=None)
@given(st.integers(3, 14), st.integers(1, 40))
def test_everybody_plays_equally_often_against_everybody(count: int, goal: int) -> None:
    names = names_of(count)
    schedule = OpenSchedule(goal, 1)
    played = play_all(schedule, names)
    assert {schedule.blocks[name] - goal for name in names} <= {0, 1, 2}
    met = meetings(played)
    each = [met[pair] for pair in combinations(names, 2)]
    assert max(each) - min(each) <= 3
    assert len({match.id_in("t") for match in played}) == len(played)
    seatings = Counter((match.trio, match.first_block) for match in played)
    assert set(seatings.values()) == {6}


def test_fewer_than_three_wait() -> None:
    assert OpenSchedule(10, 2).begin(["a", "b"]) == ()


def test_a_newcomer_catches_up_and_nobody_waits_long() -> None:
    """Three newcomers meet ten who have played 60 blocks each."""
    old, new = names_of(10), names_of(3, "new")
    schedule = OpenSchedule(60, 1)
    play_all(schedule, old)
    last_seen = dict.fromkeys(old, 0)
    longest = 0
    played: list[PlannedMatch] = []
    while matches := schedule.begin([*old, *new]):
        played += matches
        now = len(played) // 6
        for name in matches[0].trio:
            if name in last_seen:
                longest = max(longest, now - last_seen[name])
                last_seen[name] = now
    assert all(60 <= schedule.blocks[name] <= 62 for name in new)
    assert longest <= 15  # of some 75 ranges; ten take turns at what the newcomers leave
    met = meetings(played)
    for newcomer in new:
        each = [met[tuple(sorted((newcomer, name)))] for name in old]  # type: ignore[index]
        assert max(each) - min(each) <= 2


def test_a_retired_entry_plays_no_more() -> None:
    names = names_of(5)
    schedule = OpenSchedule(20, 2)
    for _ in range(6):
        schedule.begin(names)
    later = play_all(schedule, names[1:])
    assert later
    assert all("bot00" not in match.trio for match in later)


@settings(max_examples=40, deadline=None)
@given(st.integers(3, 7), st.integers(1, 3), st.integers(1, 12), st.data())
def test_what_is_played_after_a_stop_is_what_would_have_been_played(
    count: int, games: int, goal: int, data: st.DataObject
) -> None:
    """Whatever was finished in time, nothing is lost and nothing played twice."""
    names = names_of(count)
    whole = play_all(OpenSchedule(goal, games), names)
    stop = data.draw(st.integers(0, len(whole)))
    lost = data.draw(st.sets(st.integers(max(0, stop - 8), stop), max_size=4))
    finished = [match for place, match in enumerate(whole[:stop]) if place not in lost]
    again = OpenSchedule(goal, games)
    missing = list(again.resume([(each.trio, each.first_block, each.seating) for each in finished]))
    rest = [*missing, *play_all(again, names)]
    assert len(set(rest)) == len(rest)
    assert set(finished).isdisjoint(rest)
    assert {again.blocks[name] >= goal for name in names} == {True}
    if not lost:
        assert set(finished) | set(rest) == set(whole)
