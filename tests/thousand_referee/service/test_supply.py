from __future__ import annotations

from collections import Counter
from typing import Any

from thousand_referee.open_schedule import OpenSchedule
from thousand_referee.schedule import PlannedMatch
from thousand_referee.service.slots import Slots
from thousand_referee.service.supply import FixedPlan, OpenPlan, Supply

TRIO = ("a", "b", "c")
MATCHES = [PlannedMatch(TRIO, seating, 0, 2) for seating in range(6)]


def test_slots_are_shared_by_who_wants_them() -> None:
    slots = Slots(4)
    assert [slots.take("one") for _ in range(5)] == [True] * 4 + [False]
    assert not slots.take("two")
    for _ in range(8):  # whenever a slot gets free, both try: they take turns until it is even
        slots.give_back("one" if slots.take("one") else "nobody")
        slots.give_back("one")
        assert slots.take("two") or slots.take("one")
    assert slots.take("three") is False
    slots.give_back("two", all_of_them=True)
    assert slots.take("three")


def test_nobody_is_starved() -> None:
    """Three tournaments want all they can get; one slot gets free at a time."""
    slots = Slots(3)
    running: list[str] = []
    started: Counter[str] = Counter()
    for _ in range(60):
        for name in ("one", "two", "three"):
            while slots.take(name):
                running.append(name)
                started[name] += 1
        slots.give_back(running.pop(0))
    assert max(started.values()) - min(started.values()) <= 3


def supply_of(plan: Any, look: Any = lambda: True, slots: int = 2) -> Supply:
    shared = Slots(slots)
    return Supply(
        plan,
        lambda planned: planned,  # type: ignore[arg-type, return-value]
        look=look,
        take_slot=lambda: shared.take("t"),
        give_back=lambda: shared.give_back("t"),
    )


def test_a_supply_ends_for_want_of_slots_and_of_matches() -> None:
    supply = supply_of(FixedPlan(MATCHES[:3]), slots=2)
    assert list(supply) == MATCHES[:2]
    assert not supply.is_empty
    supply._give_back()
    assert list(supply) == MATCHES[2:3]
    supply._give_back()
    assert list(supply) == []
    assert supply.is_empty
    assert list(supply_of(FixedPlan(MATCHES), look=lambda: False)) == []


def test_who_retires_plays_none_of_the_matches_that_were_begun() -> None:
    plan = OpenPlan(OpenSchedule(4, 2), (), ["a", "b", "c", "d"])
    first = plan.next()
    assert first is not None
    gone = first.trio[0]
    plan.change({"a", "b", "c", "d"} - {gone})
    while (match := plan.next()) is not None:
        assert gone not in match.trio
    assert plan.games_left == 0


def test_games_left_count_down() -> None:
    plan = FixedPlan(MATCHES)
    left = [plan.games_left]
    while plan.next():
        left.append(plan.games_left)
    assert left == [12, 10, 8, 6, 4, 2, 0]
