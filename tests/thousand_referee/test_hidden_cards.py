"""No bot can see what its seat can't: shown on the bytes that go to it.

A world is a deal with its history so far. Of one seat's view, other worlds are possible:
those in which the cards it can't see lie elsewhere and everything it saw happened all
the same. The referee plays both worlds; what it sends to the seat must be the same, byte
by byte, from the first message on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from match_maker import match_spec
from thousand.cards import CARDS, Card, cards_in
from thousand.codec import encode_response
from thousand.errors import RulesError
from thousand.messages import Answer
from thousand.rules import Action, Deal, Decision, Give, Play
from thousand.view import View
from thousand_referee.referee import Referee
from thousand_referee.table import Table

DEALER = 0
"""Who deals the first deal of every game."""

TRIES = 40
"""Shuffles of the hidden cards to try; most contradict what was seen."""


@dataclass(frozen=True)
class World:
    """The cards of a deal, and all that was done in it until now, forced actions included."""

    hands: tuple[tuple[Card, ...], ...]
    talon: tuple[Card, ...]
    actions: tuple[Action, ...]

    def deal(self) -> Deal:
        """Carry out all actions; `RulesError` if that can't be."""
        deal = Deal(DEALER, self.hands, self.talon)
        for action in self.actions:
            deal.apply(action)
        return deal


def any_world(random: Random) -> World:
    """Play a deal at random up to a decision that somebody has a choice in."""
    pack = random.sample(CARDS, 24)
    world = World((tuple(pack[:7]), tuple(pack[7:14]), tuple(pack[14:21])), tuple(pack[21:]), ())
    deal = world.deal()
    actions: list[Action] = []
    ends: list[int] = []
    while not deal.is_over:
        if deal.forced() is None:
            ends.append(len(actions))
        choices = deal.legal_actions()
        if deal.decision is Decision.BID:
            choices = choices[:2]
        announcements = [play for play in choices if isinstance(play, Play) and play.announce]
        actions.append(random.choice(announcements or choices))
        deal.apply(actions[-1])
    return World(world.hands, world.talon, tuple(actions[: random.choice(ends)]))


def other_worlds(world: World, random: Random) -> Iterator[World]:
    """Yield worlds that the seat whose decision it is can't tell from this one."""
    for _ in range(TRIES):
        other = shuffled(world, random)
        if other is None or other == world:
            continue
        try:
            other.deal()
        except (RulesError, ValueError):
            continue
        yield other


def shuffled(world: World, random: Random) -> World | None:
    """Shuffle what a seat can't see among the places it can't see; None if that went wrong."""
    deal = world.deal()
    seat = deal.seat
    first, second = ((seat + 1) % 3, (seat + 2) % 3)
    held = {other: list(cards_in(deal.hands[other])) for other in (first, second)}
    hands = list(world.hands)
    if deal.declarer is None:
        pool = [*held[first], *held[second], *world.talon]
        random.shuffle(pool)
        hands[first], hands[second] = tuple(pool[:7]), tuple(pool[7:14])
        return World(tuple(hands), tuple(pool[14:]), world.actions)

    known = set(deal.gifts) if seat == deal.declarer else set()
    pool = [card for other in held for card in held[other] if card not in known]
    random.shuffle(pool)
    whole: dict[int, set[Card]] = {}
    for other in (first, second):
        kept = [card for card in held[other] if card in known]
        drawn = [pool.pop() for _ in range(len(held[other]) - len(kept))]
        whole[other] = {*kept, *drawn, *played_by(deal, other)}
    if not deal.gifts:
        hands[first], hands[second] = tuple(whole[first]), tuple(whole[second])
        return World(tuple(hands), world.talon, world.actions)
    return with_gifts(world, deal, whole, random)


def with_gifts(
    world: World, deal: Deal, whole: dict[int, set[Card]], random: Random
) -> World | None:
    """Find what was dealt to two seats that held these cards once the gifts were given."""
    declarer, hands = deal.declarer, list(world.hands)
    assert declarer is not None
    gifts = {(declarer + 1) % 3: deal.gifts[0], (declarer + 2) % 3: deal.gifts[1]}
    if deal.seat != declarer:
        (other,) = gifts.keys() - {deal.seat}
        of_the_talon = whole[other] & set(world.talon)
        if len(of_the_talon) > 1:
            return None
        gifts[other] = random.choice(sorted(of_the_talon or whole[other]))
        ten = whole[declarer] | set(gifts.values())
        hands[declarer] = tuple(ten - set(world.talon))
    for other in whole.keys() - {declarer}:
        hands[other] = tuple(whole[other] - {gifts[other]})
    given = Give(gifts[(declarer + 1) % 3], gifts[(declarer + 2) % 3])
    actions = [given if isinstance(action, Give) else action for action in world.actions]
    return World(tuple(hands), world.talon, tuple(actions))


def played_by(deal: Deal, seat: int) -> list[Card]:
    return [
        card
        for index, card in enumerate(deal.played)
        if (deal.leads[index // 3] + index % 3) % 3 == seat
    ]


def sent_to(seat: int, world: World) -> list[bytes]:
    """Have the referee play a world; give every message to a seat, its last prompt included."""
    sent: list[bytes] = []
    with patch(
        "thousand_referee.table.deal_cards", lambda _seed, _deal: (world.hands, world.talon)
    ):
        referee = Referee(match_spec(Path("/nowhere")), lambda _line: None)
        while True:
            asked = None
            for each in range(3):
                response = referee.take(each, 0.0)
                if response is not None:
                    asked = each, response.prompts[0]
                    if each == seat:
                        sent.append(encode_response(response))
            assert asked is not None
            each, prompt = asked
            done = actions_before(prompt.view)
            if done == len(world.actions):
                assert each == seat
                return sent
            referee.hear(each, (Answer(prompt.id, world.actions[done]),), 0.0)


def actions_before(view: View) -> int:
    """Count the actions of a deal before this question."""
    before = {Decision.BID: 0, Decision.GIVE: 0, Decision.RAISE: 1, Decision.PLAY: 2}
    return len(view.bids) + before[view.decision] + len(view.played)


def compare(world: World, random: Random, most: int = 3) -> int:
    """Compare a world with some others; give how many there were."""
    seat = world.deal().seat
    seen = sent_to(seat, world)
    count = 0
    for other in other_worlds(world, random):
        assert sent_to(seat, other) == seen
        count += 1
        if count == most:
            break
    return count


def compare_many() -> None:
    for seed in range(300):
        random = Random(seed)
        compare(any_world(random), random)


@settings(max_examples=150, deadline=None, phases=(Phase.explicit, Phase.reuse, Phase.generate))
@given(st.integers(0, 2**64))
def test_what_a_bot_is_sent_does_not_depend_on_what_it_can_not_see(seed: int) -> None:
    random = Random(seed)
    compare(any_world(random), random)


def test_all_kinds_of_decisions_are_compared_before_and_behind_the_gifts() -> None:
    """The test above would be worth nothing if no other worlds were found."""
    compared: Counter[tuple[Decision | None, bool]] = Counter()
    for seed in range(500):
        random = Random(seed)
        world = any_world(random)
        deal = world.deal()
        compared[deal.decision, deal.seat == deal.declarer] += compare(world, random, most=1)
    assert set(compared) == {
        (Decision.BID, False),
        (Decision.GIVE, True),
        (Decision.RAISE, True),
        (Decision.PLAY, True),
        (Decision.PLAY, False),
    }
    assert min(compared.values()) >= 5


def leaked(**fields: Any) -> Any:
    """Make a `View.of` that shows more than it should."""
    honest = View.of.__func__  # type: ignore[attr-defined]

    def of(cls: type[View], deal: Deal, *arguments: Any, **options: Any) -> View:
        view = honest(cls, deal, *arguments, **options)
        shown = {name: show(deal) for name, show in fields.items()}
        return view._replace(**shown)

    return classmethod(of)


@pytest.mark.parametrize(
    "fields",
    [
        {"talon": lambda deal: deal.talon},
        {"gifts": lambda deal: deal.gifts},
        {"bank_ms": lambda deal: deal.hands[(deal.seat + 1) % 3] % 1000},
        {"points": lambda deal: [deal.hands[0] % 7, 0, 0]},
    ],
    ids=["talon", "gifts", "a hand", "a trace of a hand"],
)
def test_a_leak_would_be_found(fields: dict[str, Any]) -> None:
    with patch.object(View, "of", leaked(**fields)), pytest.raises(AssertionError):
        compare_many()


def test_a_count_of_what_all_seats_were_asked_would_be_found() -> None:
    """As numbers of prompts would be that seats share: they tell who had a choice."""
    honest = Table.count_asked

    def count_asked(table: Table) -> None:
        honest(table)
        table.asked_in_all = getattr(table, "asked_in_all", 0) + 1  # type: ignore[attr-defined]

    honest_view = Table.view

    def view(table: Table, bank_ms: int) -> View:
        return honest_view(table, getattr(table, "asked_in_all", 0))

    with (
        patch.object(Table, "count_asked", count_asked),
        patch.object(Table, "view", view),
        pytest.raises(AssertionError),
    ):
        compare_many()
