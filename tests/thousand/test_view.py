"""What a seat is shown: all it may know, nothing more, and every legal choice."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdk_samples import GAME, deals
from thousand.cards import CARDS, PACK, Card, Suit, mask_of
from thousand.rules import Bid, Deal, Decision, Game, Give, Play, Raise
from thousand.view import Trick, View, gifts_known_to


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card.parse(word) for word in text.split())


def new_deal() -> Deal:
    """Dealer 0, so seat 1 is forehand; it holds a marriage of hearts."""
    hands = ("9S JS QS KS 9C JC 9D", "KH QH AS AC AD TD 9H", "TS QC KC TC JD QD JH")
    return Deal(0, [cards(hand) for hand in hands], cards("KD TH AH"))


def deal_after(*actions: Bid | Give | Raise | Play) -> Deal:
    deal = new_deal()
    for action in actions:
        deal.apply(action)
    return deal


AUCTION = (Bid(100), Bid(None), Bid(None))
GIFTS = Give(Card.parse("9H"), Card.parse("AD"))
FIRST_TRICK = tuple(map(Play, cards("AC KC 9C")))
"""Seat 1 leads and wins; seats 2 and 0 follow."""


def test_the_first_bid() -> None:
    view = View.of(new_deal(), GAME, number=7, bank_ms=900)
    assert view == View(
        decision=Decision.BID,
        seat=1,
        game=7,
        deal=41,
        dealer=0,
        scores=(120, -345, 880),
        barrel=(None, None, 1),
        hand=cards("AS AC TD AD 9H QH KH"),
        bids=(),
        contract=0,
        declarer=None,
        talon=(),
        gifts=(),
        played=(),
        leads=(),
        announced=(),
        trump=None,
        points=(0, 0, 0),
        amounts=tuple(range(100, 225, 5)),
        cards=(),
        announceable=(),
        bank_ms=900,
    )
    assert view.legal_bids == tuple(range(100, 225, 5))
    assert (view.legal_raises, view.legal_gifts, view.legal_plays) == ((), (), ())
    assert (view.left, view.right) == (2, 0)
    assert not view.is_declarer


def test_a_later_bid() -> None:
    view = View.of(deal_after(Bid(100)), GAME)
    assert view.seat == 2
    assert view.bids == ((1, 100),)
    assert view.contract == 100
    assert view.amounts[:2] == (0, 105)
    assert view.legal_bids[:2] == (None, 105)


def test_the_gifts() -> None:
    view = View.of(deal_after(*AUCTION), GAME)
    assert view.decision is Decision.GIVE
    assert view.is_declarer
    assert view.bids == ((1, 100), (2, None), (0, None))
    assert view.talon == cards("KD TH AH")
    assert view.hand == cards("AS AC KD TD AD 9H QH KH TH AH")
    assert view.legal_gifts == view.cards == view.hand
    assert view.gifts == ()
    assert (view.legal_bids, view.legal_raises, view.legal_plays) == ((), (), ())


def test_the_raise() -> None:
    view = View.of(deal_after(*AUCTION, GIFTS), GAME)
    assert view.decision is Decision.RAISE
    assert view.gifts == cards("9H AD")
    assert view.hand == cards("AS AC KD TD QH KH TH AH")
    assert view.legal_raises == view.amounts == tuple(range(100, 225, 5))
    assert (view.legal_bids, view.legal_gifts, view.legal_plays) == ((), (), ())


def test_the_first_lead() -> None:
    view = View.of(deal_after(*AUCTION, GIFTS, Raise(120)), GAME)
    assert view.decision is Decision.PLAY
    assert view.contract == 120
    assert view.leads == (1,)
    assert (view.trick, view.tricks, view.winning) == ((), (), None)
    assert view.announceable == ()
    assert view.legal_plays == tuple(map(Play, view.hand))
    assert (view.legal_bids, view.legal_raises, view.legal_gifts) == ((), (), ())


def test_in_a_trick() -> None:
    view = View.of(deal_after(*AUCTION, GIFTS, Raise(120), *FIRST_TRICK[:2]), GAME)
    assert view.seat == 0
    assert view.trick == cards("AC KC")
    assert view.winning == 1
    assert view.tricks == (Trick(1, cards("AC KC"), announced=False),)
    assert view.legal_plays == tuple(map(Play, cards("9C JC")))
    assert view.gifts == cards("AD"), "seat 0 is on the right of seat 1"


def test_a_lead_that_may_announce() -> None:
    view = View.of(deal_after(*AUCTION, GIFTS, Raise(120), *FIRST_TRICK), GAME)
    assert view.seat == 1
    assert view.points == (0, 15, 0)
    assert view.tricks == (Trick(1, cards("AC KC 9C"), announced=False),)
    assert view.announceable == cards("QH KH")
    announcements = [play.card for play in view.legal_plays if play.announce]
    assert announcements == list(cards("QH KH"))
    assert len(view.legal_plays) == 7 + 2


def test_after_an_announcement() -> None:
    announcement = Play(Card.parse("QH"), announce=True)
    view = View.of(deal_after(*AUCTION, GIFTS, Raise(120), *FIRST_TRICK, announcement), GAME)
    assert view.seat == 2
    assert view.trump is Suit.HEARTS
    assert view.points == (0, 115, 0)
    assert view.announced == (False, True)
    assert view.tricks[1] == Trick(1, cards("QH"), announced=True)
    assert view.legal_plays == tuple(map(Play, cards("9H JH")))


def test_a_trump_wins_the_trick() -> None:
    plays = [Play(Card.parse("KH"), announce=True), *map(Play, cards("9H"))]
    deal = deal_after(*AUCTION, GIFTS, Raise(120), *FIRST_TRICK, *plays)
    assert View.of(deal, GAME).winning == 1
    deal.apply(Play(Card.parse("9S")))
    deal.apply(Play(Card.parse("AS")))
    deal.apply(Play(Card.parse("TS")))
    assert View.of(deal, GAME).winning == 1


def test_each_seat_knows_its_gifts() -> None:
    deal = deal_after(*AUCTION)
    assert [gifts_known_to(deal, seat) for seat in range(3)] == [(), (), ()]
    deal.apply(GIFTS)
    assert [gifts_known_to(deal, seat) for seat in range(3)] == [
        cards("AD"),
        cards("9H AD"),
        cards("9H"),
    ]


def test_unseen_are_the_cards_in_other_hands() -> None:
    deal = deal_after(*AUCTION, GIFTS, Raise(100), *FIRST_TRICK)
    view = View.of(deal, GAME)
    assert mask_of(view.unseen) == deal.hands[0] | deal.hands[2]


def test_nobody_is_asked_when_the_deal_is_over() -> None:
    deal = new_deal()
    while not deal.is_over:
        deal.apply(deal.legal_actions()[0])
    with pytest.raises(ValueError, match="over"):
        View.of(deal, GAME)


def test_a_view_is_written_on_one_line() -> None:
    plays = [*FIRST_TRICK, Play(Card.parse("QH"), announce=True)]
    view = View.of(deal_after(*AUCTION, GIFTS, Raise(120), *plays), GAME, number=3)
    assert str(view) == (
        "you are seat 2 of game 3, deal 41; dealer 0; scores [120 -345 880]; barrel [- - 1]; "
        "hand [TS QC TC JD QD 9H JH]; bids [[1 100] [2 -] [0 -]]; contract 120; declarer 1; "
        "talon [KD TH AH]; gifts [9H]; played [AC KC 9C QH]; leads [1 1]; "
        "announced [False True]; trump hearts; points [0 115 0]; cards [9H JH]; bank_ms 0"
    )


@given(deals())
def test_legal_choices_are_those_of_the_rules(deal: Deal) -> None:
    view = View.of(deal, GAME)
    choices = {
        Decision.BID: (view.legal_bids, deal.legal_bids),
        Decision.GIVE: (view.legal_gifts, deal.legal_gifts),
        Decision.RAISE: (view.legal_raises, deal.legal_raises),
        Decision.PLAY: (view.legal_plays, deal.legal_plays),
    }
    for decision, (shown, legal) in choices.items():
        assert shown == (legal() if decision is view.decision else ())


@given(deals())
def test_all_cards_are_in_hand_played_or_unseen(deal: Deal) -> None:
    view = View.of(deal, GAME)
    assert mask_of((*view.hand, *view.played, *view.unseen)) == PACK
    assert len(view.hand) + len(view.played) + len(view.unseen) == 24


@given(deals(), st.randoms(use_true_random=False))
def test_a_view_does_not_depend_on_hidden_cards(deal: Deal, rng: Random) -> None:
    """Shuffle the cards a seat can't see among the places it can't see."""
    view = View.of(deal, GAME)
    twin = deal.copy()
    others = [seat for seat in range(3) if seat != view.seat]
    hidden = mask_of(view.unseen)
    if deal.declarer is None:
        places = [*others, 3]
        sizes = [7, 7, 3]
    else:
        places = others
        sizes = [deal.hands[seat].bit_count() for seat in others]
    shuffled = [card for card in CARDS if hidden >> card & 1]
    rng.shuffle(shuffled)
    for place, size in zip(places, sizes, strict=True):
        part, shuffled = shuffled[:size], shuffled[size:]
        if place == 3:
            twin.talon = tuple(part)
        else:
            twin.hands[place] = mask_of(part)
    if deal.gifts and view.seat != deal.declarer:
        secret = (2 if (view.seat - (deal.declarer or 0)) % 3 == 1 else 1) - 1
        gifts = list(deal.gifts)
        gifts[secret] = rng.choice([card for card in CARDS if card not in view.hand])
        twin.gifts = tuple(gifts)
    assert not shuffled
    assert View.of(twin, GAME) == view


def test_a_new_game_starts_with_deal_one() -> None:
    assert View.of(new_deal(), Game()).deal == 1
