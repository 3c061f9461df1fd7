"""Actions are values, and sets of them can be spelled out."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest
from deal_strategies import EVERY_ACTION, cards
from hypothesis import given
from hypothesis import strategies as st

from thousand.cards import CARDS, Card, mask_of
from thousand.rules import Action, Decision, Give, Play, plays_in
from thousand.rules.actions import gives_in

card_sets = st.sets(st.sampled_from(CARDS), max_size=10)


def test_decisions_have_the_numbers_of_the_protocol() -> None:
    assert {decision.name: decision.value for decision in Decision} == {
        "BID": 1,
        "GIVE": 2,
        "RAISE": 3,
        "PLAY": 4,
    }


@pytest.mark.parametrize("action", [EVERY_ACTION[0], EVERY_ACTION[500], *EVERY_ACTION[-2:]])
def test_an_action_never_changes(action: Action) -> None:
    with pytest.raises(FrozenInstanceError):
        action.__setattr__(action.__match_args__[0], None)


def test_a_play_is_written_as_its_card_and_an_announcement_with_a_mark() -> None:
    king = Card.parse("KH")
    assert str(Play(king)) == "KH"
    assert str(Play(king, announce=True)) == "KH!"


@given(card_sets)
def test_gifts_are_any_two_different_cards_either_way_round(hand: set[Card]) -> None:  # rule 12
    gives = gives_in(mask_of(hand))
    assert set(gives) == {Give(left, right) for left in hand for right in hand if left != right}
    assert len(gives) == len(hand) * (len(hand) - 1)


@given(card_sets, card_sets)
def test_an_announcing_play_is_one_more_choice(playable: set[Card], wed: set[Card]) -> None:
    assert plays_in(mask_of(playable), mask_of(wed)) == (  # rule 17
        *(Play(card) for card in sorted(playable)),
        *(Play(card, announce=True) for card in sorted(wed)),
    )


def test_nothing_can_be_announced_unless_said() -> None:
    assert plays_in(mask_of(cards("KH QH"))) == tuple(Play(card) for card in cards("QH KH"))
