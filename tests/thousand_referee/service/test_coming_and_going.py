"""Nobody who enters and leaves an open tournament again and again takes results from others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from thousand_referee.open_schedule import OpenSchedule
from thousand_referee.schedule import PlannedMatch
from thousand_referee.service.supply import OpenPlan

HOUSE = ("a", "b", "c", "d")
GOAL = 20
VERSIONS = ("evil", "evil#2", "evil#3")


def complete_blocks(played: Iterable[PlannedMatch]) -> Counter[str]:
    """Count each entry's blocks of which all six matches were played: those that are rated."""
    ranges = Counter((match.trio, match.first_block) for match in played)
    assert max(ranges.values()) == 6
    return Counter(name for (trio, _), count in ranges.items() if count == 6 for name in trio)


def play_all(plan: OpenPlan) -> list[PlannedMatch]:
    played = []
    while (match := plan.next()) is not None:
        played.append(match)
    return played


def play_and_flip(plan: OpenPlan, after: int) -> list[PlannedMatch]:
    """Enter the other version whenever one has played so many matches of a range."""
    played: list[PlannedMatch] = []
    seen: Counter[object] = Counter()
    version = 0
    while (match := plan.next()) is not None:
        played.append(match)
        seen[match.trio, match.first_block] += 1
        if VERSIONS[version] in match.trio and seen[match.trio, match.first_block] == after:
            version = 1 - version
            plan.change([*HOUSE, VERSIONS[version]])
    return played


def test_one_author_can_not_empty_a_tournament_of_results() -> None:
    for after in range(1, 7):
        plan = OpenPlan(OpenSchedule(GOAL, 1), (), [*HOUSE, "evil"])
        played = play_and_flip(plan, after)
        complete = complete_blocks(played)
        assert all(complete[name] >= GOAL for name in HOUSE), (after, complete)
        assert len(played) < 400  # and at no great expense


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 9), st.sampled_from(VERSIONS)), max_size=25))
def test_whoever_stays_gets_all_blocks(changes: Sequence[tuple[int, str]]) -> None:
    """However the versions change, and whether the server remembers or starts again."""
    plan = OpenPlan(OpenSchedule(GOAL, 1), (), HOUSE)
    played: list[PlannedMatch] = []
    for matches, version in changes:
        played += [match for _ in range(matches) if (match := plan.next()) is not None]
        plan.change([*HOUSE, version])
    schedule = OpenSchedule(GOAL, 1)
    finished = [(match.trio, match.first_block, match.seating) for match in played]
    last = [*HOUSE, changes[-1][1]] if changes else HOUSE
    again = OpenPlan(schedule, schedule.resume(finished), last)
    for other in (plan, again):
        whole = [*played, *play_all(other)]
        assert len(set(whole)) == len(whole)
        complete = complete_blocks(whole)
        assert all(GOAL <= complete[name] <= GOAL + 10 for name in last), complete


def test_who_comes_back_plays_on_where_it_left() -> None:
    plan = OpenPlan(OpenSchedule(2, 1), (), ["a", "b", "c"])
    first = plan.next()
    plan.change(["a", "b"])
    assert plan.next() is None
    assert plan.games_left == 0
    plan.change(["a", "b", "c"])
    assert plan.games_left == 5 + 6
    rest = play_all(plan)
    assert first not in rest
    assert [(match.first_block, match.seating) for match in rest] == [
        *((0, seating) for seating in range(1, 6)),
        *((1, seating) for seating in range(6)),
    ]
