"""Positions set up for tests: as told, filled up to a real deal, or refused with the reason."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given

from sdk_samples import deals
from thousand.cards import Card, Suit
from thousand.rules import Deal, Decision, Game
from thousand.testing import position
from thousand.view import View

HAND = "AS TS KS QS 9H JH 9C"


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card.parse(word) for word in text.split())


def test_the_first_bid() -> None:
    view = position(Decision.BID, HAND)
    assert (view.seat, view.dealer, view.deal) == (1, 0, 1)
    assert set(view.hand) == set(cards(HAND))
    assert view.legal_bids == tuple(range(100, 165, 5))


def test_a_later_bid_in_a_later_deal() -> None:
    game = Game((880, 100, 200), (1, None, None), deals=5)
    view = position(Decision.BID, HAND, bids=[110, None, 150], game=game)
    assert view.dealer == 2
    assert view.bids == ((0, 110), (1, None), (2, 150))
    assert view.seat == 0
    assert view.scores == (880, 100, 200)
    assert view.barrel == (1, None, None)
    assert view.legal_bids == (None, 155, 160)


def test_gifts_with_a_talon() -> None:
    view = position(Decision.GIVE, HAND + " AH TH TC", talon="9C AH TS")
    assert view.is_declarer
    assert view.talon == cards("9C AH TS")
    assert len(view.legal_gifts) == 10


def test_a_raise_with_gifts() -> None:
    view = position(Decision.RAISE, HAND + " TC", gifts="AD KD", bids=[100, 120, None, None])
    assert view.seat == 2
    assert view.gifts == cards("AD KD")
    assert view.legal_raises == tuple(range(120, 165, 5))


def test_a_gift_of_card_number_0() -> None:
    view = position(Decision.PLAY, "9S 9C JC AH TH JH 9D JD", played="AC", gifts="9S")
    assert view.gifts == cards("9S")
    view = position(Decision.RAISE, HAND + " TC", gifts="9D 9S")
    assert view.gifts == cards("9D 9S")


def test_a_talon_card_that_the_declarer_gave_to_the_other_defender() -> None:
    """The ten of spades is with seat 0, since seat 1, the declarer, has no spades left."""
    played = "AC 9C JC  TC QC KC  9H AH TH  AS 9S 9D"
    view = position(Decision.PLAY, "QS KS AD KD", played=played, talon="AC TC TS")
    assert view.seat == 2
    assert Card.parse("TS") in view.unseen


def test_a_lead_by_the_declarer() -> None:
    view = position(Decision.PLAY, "KH QH 9S TS KS QC AC", played="AS JS QS", contract=160)
    assert view.contract == 160
    assert view.points == (0, 16, 0)
    assert view.announceable == cards("QH KH")


def test_a_defender_who_must_follow() -> None:
    view = position(Decision.PLAY, "9C JC AH TH JH 9D JD QD", played="AC", gifts="QD")
    assert view.seat == 2
    assert view.declarer == 1
    assert view.gifts == cards("QD")
    assert view.cards == cards("9C JC")


def test_an_announcement_by_another_seat() -> None:
    view = position(Decision.PLAY, "9C JC AH TH JH 9D JD", played="AS 9S JS  KD!")
    assert view.trump is Suit.DIAMONDS
    assert view.points == (0, 13 + 80, 0)
    assert view.cards == cards("9D JD")


def test_seats_that_could_not_follow_have_none_of_the_suit() -> None:
    view = position(Decision.PLAY, "9C JC AH TH JH 9D", played="AS 9H JS  TS KH 9S")
    assert view.seat == 1


@pytest.mark.parametrize(
    ("decision", "hand", "told", "problem"),
    [
        (Decision.BID, "AS TS", {}, "seat 1 is asked with 7 cards in hand, not 2"),
        (Decision.GIVE, HAND, {}, "seat 1 is asked with 10 cards in hand, not 7"),
        (Decision.PLAY, HAND, {}, "seat 1 is asked with 8 cards in hand, not 7"),
        (Decision.BID, "AS AS KS QS 9H JH 9C", {}, "AS is named twice"),
        (Decision.PLAY, HAND + " TC", {"played": "AS"}, "AS is named twice"),
        (Decision.BID, "AS TS KS QS 9H JH XX", {}, "'XX' is not a card"),
        (Decision.PLAY, HAND + " TC", {"played": "AD?"}, "'AD?' is not a card"),
        (Decision.BID, HAND, {"bids": [100, None, None]}, "don't lead to the bid"),
        (Decision.GIVE, HAND + " TC 9D JD", {"bids": [100]}, "don't lead to the give"),
        (Decision.BID, HAND, {"bids": [90]}, "a bid of 90 is not among the legal bids"),
        (Decision.BID, HAND, {"bids": [None]}, "a pass is not among the legal bids"),
        (Decision.BID, HAND, {"talon": "AH TH JD"}, "talon comes after the bid"),
        (Decision.GIVE, HAND + " TC 9D JD", {"gifts": "AH TH"}, "gifts comes after the give"),
        (Decision.RAISE, HAND + " TC", {"contract": 120}, "contract comes after the raise"),
        (Decision.RAISE, HAND + " TC", {"played": "AD"}, "played comes after the raise"),
        (Decision.RAISE, HAND + " TC", {"gifts": "AD"}, "seat 1 knows 2 of the gifts, not 1"),
        (Decision.RAISE, HAND + " TC", {"gifts": "AS AD"}, "AS can't be a gift"),
        (Decision.RAISE, HAND + " TC", {"talon": "AD KD QD"}, "can't be of the talon"),
        (Decision.GIVE, HAND + " TC 9D JD", {"talon": "AS"}, "three hands of 7 cards"),
        (
            Decision.PLAY,
            "AS TS KS QS 9H JH 9C",
            {"played": "AC JC AD AH TH"},
            "AD is not among the playable 9C",
        ),
        (Decision.PLAY, HAND + " TC", {"contract": 400}, "a contract of 400 is not among"),
    ],
)
def test_what_can_not_be_is_refused(
    decision: Decision, hand: str, told: dict[str, Any], problem: str
) -> None:
    with pytest.raises(ValueError, match="no deal was found for this position") as caught:
        position(decision, hand, **told)
    assert problem in str(caught.value)


def set_up_again(view: View) -> View:
    """Set up the position of a view from what it says."""
    announced = {3 * trick for trick, flag in enumerate(view.announced) if flag}
    played = [f"{card}{'!' * (n in announced)}" for n, card in enumerate(view.played)]
    game = Game(view.scores, view.barrel, view.deal - 1)  # type: ignore[arg-type]
    return position(
        view.decision,
        " ".join(map(str, view.hand)),
        bids=[amount for _, amount in view.bids],
        contract=view.contract if view.decision is Decision.PLAY else None,
        talon=" ".join(map(str, view.talon)),
        gifts=" ".join(map(str, view.gifts)),
        played=" ".join(played),
        game=game,
    )


def test_a_talon_card_may_have_been_given_away() -> None:
    """The declarer has room for one of the two talon cards unseen, so the other was a gift."""
    view = position(
        Decision.PLAY,
        "9C JC TC",
        bids=[105, None, 110, 115, None],
        contract=120,
        talon="AD AC QH",
        gifts="TC",
        played="9H TH JS QS 9S KS JH AH KD KH QC QH QD AS TD 9D KC",
        game=Game(deals=1),
    )
    assert set_up_again(view) == view


@given(deals())
def test_any_position_can_be_set_up_from_its_view(deal: Deal) -> None:
    """Bids beyond 120 need marriages, which may have been dealt in ways that are not found."""
    assume(max((amount or 0 for _, amount in deal.bids), default=0) <= 120)
    assume(deal.contract <= 120)
    view = View.of(deal, Game(deals=deal.dealer))
    assert set_up_again(view) == view
