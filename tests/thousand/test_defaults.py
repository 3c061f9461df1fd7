"""The action that is taken for a bot that takes none."""

from __future__ import annotations

from hypothesis import given

from sdk_samples import GAME, deals
from thousand.cards import Card
from thousand.defaults import default_action
from thousand.rules import Bid, Deal, Decision, Give, Play, Raise
from thousand.testing import position
from thousand.view import View


def test_forehand_opens_with_100() -> None:
    assert default_action(position(Decision.BID, "AS TS KS QS 9H JH 9C")) == Bid(100)


def test_others_pass() -> None:
    view = position(Decision.BID, "AS TS KS QS 9H JH 9C", bids=[100])
    assert default_action(view) == Bid(None)


def test_the_two_cheapest_cards_are_given() -> None:
    view = position(Decision.GIVE, "AS TS KS QS JS AH TH JH AC TC")
    assert default_action(view) == Give(Card.parse("JS"), Card.parse("JH"))


def test_gifts_break_no_marriage_if_that_can_be_helped() -> None:
    view = position(Decision.GIVE, "AS TS KS QS AH TH KH QH AC TC")
    assert default_action(view) == Give(Card.parse("TS"), Card.parse("TC"))


def test_a_lone_half_of_a_marriage_is_given() -> None:
    view = position(Decision.GIVE, "AS TS KS AH TH QH AC TC AD TD")
    assert default_action(view) == Give(Card.parse("QH"), Card.parse("KS"))


def test_the_contract_is_kept() -> None:
    view = position(Decision.RAISE, "AS TS KS QS 9H JH 9C TC", bids=[110, None, None])
    assert default_action(view) == Raise(110)


def test_the_cheapest_legal_card_is_played() -> None:
    view = position(Decision.PLAY, "TH KH AC 9S JS AD TD", played="AS 9H QS")
    assert view.seat == 1
    assert default_action(view) == Play(Card.parse("9S"))
    view = position(Decision.PLAY, "TH KH AC 9D JD AD TD QC", played="AH")
    assert default_action(view) == Play(Card.parse("KH"))


def test_nothing_is_announced() -> None:
    view = position(Decision.PLAY, "KH QH TS KS AH AC TC", played="AS JS QS")
    assert view.announceable
    assert default_action(view) == Play(Card.parse("QH"))


@given(deals())
def test_it_is_always_legal(deal: Deal) -> None:
    deal.apply(default_action(View.of(deal, GAME)))
