"""One deal, rule by rule (rules 6 to 19)."""

from __future__ import annotations

import pytest
from deal_strategies import cards, deal_of, play_cards

from thousand.cards import Card, Suit, cards_in, mask_of, text_of
from thousand.errors import IllegalAction, MalformedAction
from thousand.rules import (
    Bid,
    Deal,
    Decision,
    Give,
    Outcome,
    Play,
    Raise,
    limit_of,
    winning_place,
)

NO_MARRIAGE = ("AS TS KS AC TC KC AD", "QS JS 9S QC JC 9C TD", "KD JD 9D AH TH KH 9H", "QD QH JH")
"""Three hands whose limit is 120, and a talon."""

THREE_MARRIAGES = (
    "KC QC KD QD KH QH QS",
    "9S JS TS AS 9C JC TC",
    "9D JD TD AD 9H JH TH",
    "KS AC AH",
)
"""Seat 0 has three marriages; the talon makes it four."""

LONG_SPADES = ("AS TS KS QS JS KH QH", "JH AH 9C JC QC KC 9D", "9H TH JD QD KD TD AD", "9S AC TC")
"""Seat 0 has all the spades with the talon; each seat has a marriage."""


def won_auction(deal: Deal, amount: int = 100) -> Deal:
    """Let forehand bid this and the others pass."""
    for bid in (amount, None, None):
        deal.bid(bid)
    return deal


def in_play(deal: Deal, amount: int, gifts: str) -> Deal:
    """Let forehand win the auction, give these two cards and keep the contract."""
    won_auction(deal, amount).give(*cards(gifts))
    deal.raise_contract(amount)
    return deal


def playable(deal: Deal) -> str:
    return " ".join(text_of(cards_in(deal.playable())))


# Deal and auction


@pytest.mark.parametrize(
    ("hands", "talon"),
    [
        (("AS TS KS AC TC KC", *NO_MARRIAGE[1:3]), NO_MARRIAGE[3]),
        (NO_MARRIAGE[:3], "QD QH AS"),
        (NO_MARRIAGE[:3], "QD QH"),
        (NO_MARRIAGE[:2], NO_MARRIAGE[3]),
        (("AS TS KS AC TC KC AD QD", *NO_MARRIAGE[1:3]), "QH JH"),
        ((*NO_MARRIAGE[:3], ""), NO_MARRIAGE[3]),
    ],
    ids=["a card short", "twice the same", "a short talon", "two hands", "eight and two", "four"],
)
def test_6_a_deal_needs_three_hands_of_seven_and_a_talon(hands: tuple[str], talon: str) -> None:
    with pytest.raises(ValueError, match="three hands of 7 cards and a talon of 3"):
        Deal(0, [cards(hand) for hand in hands], cards(talon))


@pytest.mark.parametrize(("dealer", "forehand"), [(0, 1), (1, 2), (2, 0)])
def test_7_forehand_opens_and_can_not_pass(dealer: int, forehand: int) -> None:
    deal = deal_of(*NO_MARRIAGE, dealer=dealer)
    assert (deal.decision, deal.seat, deal.forehand) == (Decision.BID, forehand, forehand)
    assert deal.legal_bids() == (100, 105, 110, 115, 120)
    with pytest.raises(IllegalAction, match="a pass is not among the legal bids 100, 105"):
        deal.bid(None)


def test_8_each_bid_is_higher_by_at_least_five_and_jumps_are_legal() -> None:
    deal = deal_of(*NO_MARRIAGE)
    deal.bid(100)
    assert deal.legal_bids() == (None, 105, 110, 115, 120)
    deal.bid(115)
    assert deal.legal_bids() == (None, 120)
    with pytest.raises(IllegalAction, match="a bid of 115 is not among the legal bids pass, 120"):
        deal.bid(115)


def test_8_who_passed_stays_out() -> None:
    deal = deal_of(*NO_MARRIAGE)
    for seat, amount in [(1, 100), (2, None), (0, 105), (1, 110), (0, 115), (1, None)]:
        assert deal.seat == seat
        deal.bid(amount)
    assert deal.bids == [(1, 100), (2, None), (0, 105), (1, 110), (0, 115), (1, None)]
    assert (deal.declarer, deal.contract, deal.seat) == (0, 115, 0)


def test_8_who_can_not_bid_higher_can_only_pass() -> None:
    deal = deal_of(*NO_MARRIAGE)
    deal.bid(120)
    assert deal.legal_bids() == (None,)
    assert deal.forced() == Bid(None)


@pytest.mark.parametrize(
    ("hand", "limit"),
    [
        ("AS TS KS AC TC KC AD", 120),
        ("KS QS", 160),
        ("KC QC", 180),
        ("KD QD", 200),
        ("KH QH", 220),
        ("KS QS KH QH", 260),
        ("KS QH", 120),
        ("KS QS KC QC KD QD KH QH", 400),
    ],
)
def test_9_the_limit_is_120_plus_the_marriages_in_hand(hand: str, limit: int) -> None:
    assert limit_of(mask_of(cards(hand))) == limit


def test_9_no_one_bids_beyond_their_limit() -> None:
    deal = deal_of(*THREE_MARRIAGES, dealer=2)
    assert deal.legal_bids() == tuple(range(100, 361, 5))
    deal.bid(140)
    assert deal.legal_bids() == (None,)


def test_10_forehand_plays_the_opening_when_both_others_pass() -> None:
    deal = won_auction(deal_of(*NO_MARRIAGE), 105)
    assert (deal.declarer, deal.contract) == (1, 105)
    assert (deal.decision, deal.seat) == (Decision.GIVE, 1)


# Talon, gifts, raise


def test_11_the_talon_goes_to_the_declarer() -> None:
    deal = won_auction(deal_of(*NO_MARRIAGE))
    assert set(deal.legal_gifts()) == set(cards(NO_MARRIAGE[1] + " " + NO_MARRIAGE[3]))
    assert [len(cards_in(hand)) for hand in deal.hands] == [7, 10, 7]


def test_12_one_card_goes_to_the_left_and_another_to_the_right() -> None:
    deal = won_auction(deal_of(*NO_MARRIAGE))
    deal.give(*cards("QH TD"))
    assert deal.gifts == cards("QH TD")
    assert Card.parse("QH") in cards_in(deal.hands[2])
    assert Card.parse("TD") in cards_in(deal.hands[0])
    assert [len(cards_in(hand)) for hand in deal.hands] == [8, 8, 8]
    assert (deal.decision, deal.seat) == (Decision.RAISE, 1)


@pytest.mark.parametrize("gifts", ["QH QH", "QH AS", "AS QH", "AS KS"])
def test_12_gifts_are_two_different_cards_of_the_ten(gifts: str) -> None:
    deal = won_auction(deal_of(*NO_MARRIAGE))
    with pytest.raises(IllegalAction, match="are not two different cards of the declarer's ten"):
        deal.give(*cards(gifts))


def test_13_the_contract_may_rise_up_to_the_limit_of_the_eight_cards() -> None:
    deal = won_auction(deal_of(*THREE_MARRIAGES, dealer=2), 350)
    deal.give(*cards("AC AH"))
    assert deal.legal_raises() == (350, *range(355, 401, 5))
    deal.raise_contract(400)
    assert (deal.contract, deal.decision, deal.seat) == (400, Decision.PLAY, 0)


def test_13_the_contract_is_never_lowered() -> None:
    deal = won_auction(deal_of(*THREE_MARRIAGES, dealer=2), 350)
    deal.give(*cards("AC AH"))
    with pytest.raises(IllegalAction, match="a contract of 345 is not among the legal ones 350, "):
        deal.raise_contract(345)


def test_13_a_contract_above_the_new_limit_stands() -> None:
    deal = won_auction(deal_of(*THREE_MARRIAGES, dealer=2), 350)
    deal.give(*cards("KH KD"))
    assert deal.legal_raises() == (350,)
    assert deal.forced() == Raise(350)


# Play


def test_14_the_declarer_leads_and_the_winner_leads_to_the_next_trick() -> None:
    deal = in_play(deal_of(*NO_MARRIAGE), 100, "QH TD")
    assert (deal.leads, deal.seat) == ([1], 1)
    play_cards(deal, "JC KD KC")
    assert (deal.leads, deal.seat) == ([1, 0], 0)
    play_cards(deal, "AS")
    assert (deal.leads, deal.seat) == ([1, 0], 1)


def test_15_without_a_trump_who_can_not_follow_plays_any_card() -> None:
    deal = in_play(deal_of(*NO_MARRIAGE), 100, "QH TD")
    play_cards(deal, "JC")
    assert playable(deal) == "9D JD KD 9H QH KH TH AH"


def test_15_suit_must_be_followed_and_need_not_be_beaten() -> None:
    deal = in_play(deal_of(*THREE_MARRIAGES, dealer=2), 100, "AC KS")
    play_cards(deal, "AH 9S 9H KC!")
    assert playable(deal) == "9C JC TC AC"
    with pytest.raises(IllegalAction, match="TS is not among the playable 9C, JC, TC, AC"):
        play_cards(deal, "TS")


def test_15_who_can_not_follow_must_play_a_trump() -> None:
    deal = in_play(deal_of(*THREE_MARRIAGES, dealer=2), 100, "AC KS")
    play_cards(deal, "AH 9S 9H KC! 9C")
    assert playable(deal) == "KS 9D JD TD AD JH TH", "no clubs, so anything"
    play_cards(deal, "9D KD")
    assert playable(deal) == "JC TC AC", "no diamonds, so clubs"


def test_15_spades_are_a_trump_like_any_other() -> None:
    deal = in_play(deal_of(*THREE_MARRIAGES, dealer=2), 100, "AH KD")
    play_cards(deal, "AC 9C 9H KS! 9S TH QD")
    assert deal.trump is Suit.SPADES
    assert playable(deal) == "JS TS AS"


def test_15_playing_a_lower_trump_is_sometimes_forced() -> None:
    deal = in_play(deal_of(*LONG_SPADES, dealer=2), 100, "AC TC")
    play_cards(deal, "AS 9C JD KH! JH 9H TS AH")
    assert playable(deal) == "TH"
    assert deal.forced() == Play(Card.parse("TH"))


@pytest.mark.parametrize(
    ("trick", "trump", "place"),
    [
        ("9S JS QS", None, 2),
        ("TS KS QS", None, 0),
        ("KS TS AS", None, 2),
        ("9S AH AC", None, 0),
        ("AS 9H TS", Suit.HEARTS, 1),
        ("AS 9H JH", Suit.HEARTS, 2),
        ("AS JH 9H", Suit.HEARTS, 1),
        ("9H AS JH", Suit.HEARTS, 2),
        ("9S AC AD", Suit.HEARTS, 0),
        ("9S AC JS", Suit.HEARTS, 2),
        ("9S JS", None, 1),
        ("9S", None, 0),
    ],
)
def test_16_the_highest_trump_wins_else_the_highest_of_the_suit_led(
    trick: str, trump: Suit | None, place: int
) -> None:
    assert winning_place(cards(trick), trump) == place


def test_17_an_announcement_counts_at_once_and_makes_trump_from_this_trick() -> None:
    deal = in_play(deal_of(*THREE_MARRIAGES, dealer=2), 100, "AC KS")
    play_cards(deal, "AH 9S 9H")
    assert deal.trump is None
    assert deal.points == [11, 0, 0]
    play_cards(deal, "KD!")
    assert deal.points == [11 + 80, 0, 0]
    assert Suit.DIAMONDS is deal.trump


def test_17_announcing_is_a_choice() -> None:
    deal = in_play(deal_of(*THREE_MARRIAGES, dealer=2), 100, "AC KS")
    play_cards(deal, "AH 9S 9H")
    king, single = cards("KD QS")
    assert {Play(king), Play(king, announce=True), Play(single)} <= set(deal.legal_plays())
    assert Play(single, announce=True) not in deal.legal_plays()
    deal.play(king)
    assert (deal.trump, deal.points, deal.announced) == (None, [11, 0, 0], [False, False])


def test_17_only_who_leads_may_announce() -> None:
    deal = in_play(deal_of(*THREE_MARRIAGES, dealer=1), 100, "9D AH")
    play_cards(deal, "JD 9D 9S TD")
    assert playable(deal) == "QD KD"
    with pytest.raises(IllegalAction, match="QD can't announce a marriage here"):
        play_cards(deal, "QD!")


def test_18_each_new_marriage_changes_the_trump_whoever_announces_it() -> None:
    deal = in_play(deal_of(*LONG_SPADES, dealer=2), 100, "AC TC")
    play_cards(deal, "AS 9C JD KH!")
    assert (deal.seat, deal.trump) == (1, Suit.HEARTS)
    play_cards(deal, "JH 9H TS AH TH QC!")
    assert (deal.leads[-1], deal.trump) == (1, Suit.CLUBS)
    assert deal.announced == [False, True, False, True]


def test_18_no_marriage_is_announced_on_the_first_lead() -> None:
    deal = in_play(deal_of(*THREE_MARRIAGES, dealer=2), 100, "AC KS")
    assert deal.announceable() == 0
    with pytest.raises(IllegalAction, match="KH can't announce a marriage here"):
        play_cards(deal, "KH!")


def test_18_the_points_stay_with_the_announcer_though_the_trick_is_lost() -> None:
    deal = in_play(deal_of(*THREE_MARRIAGES, dealer=2), 100, "AC KS")
    play_cards(deal, "AH 9S 9H KC! AC 9D")
    assert deal.points == [11 + 60, 4 + 11, 0]
    assert deal.seat == 1


# The end


def test_19_points_are_those_of_tricks_and_marriages_and_three_marriages_are_the_most() -> None:
    """Holding all four, one must break one of them by the first lead."""
    deal = won_auction(deal_of(*THREE_MARRIAGES, dealer=2), 350)
    deal.give(*cards("AC AH"))
    deal.raise_contract(400)
    play_cards(deal, "QS 9S TH  KC! 9C AH  KD! JS 9D  KH! TS 9H")
    assert deal.points == [60 + 80 + 100 + 13 + 15 + 6 + 14, 0, 0]
    assert deal.announceable() == 0
    play_cards(deal, "QH JC JH  KS AS AD  AC TD QC  TC JD QD")
    assert deal.is_over
    assert deal.outcome == Outcome(0, 400, (295, 65, 0))


@pytest.mark.parametrize("cards_played", [0, 23])
def test_a_deal_has_no_outcome_before_its_end(cards_played: int) -> None:
    deal = in_play(deal_of(*NO_MARRIAGE), 100, "QH TD")
    while len(deal.played) < cards_played:
        deal.apply(deal.legal_actions()[0])
    with pytest.raises(ValueError, match="the deal is not over"):
        _ = deal.outcome


def test_what_is_no_action_is_malformed() -> None:
    with pytest.raises(MalformedAction, match="'AS' is not an action; use Bid, Give, Raise or"):
        deal_of(*NO_MARRIAGE).apply("AS")  # type: ignore[arg-type]


def test_an_action_at_the_wrong_time_is_illegal() -> None:
    deal = deal_of(*NO_MARRIAGE)
    with pytest.raises(IllegalAction, match="this is no time to PLAY: now is BID"):
        deal.apply(Play(Card.parse("AS")))
    in_play(deal, 100, "QH TD")
    while not deal.is_over:
        deal.apply(deal.legal_actions()[0])
    with pytest.raises(IllegalAction, match="this is no time to GIVE: the deal is over"):
        deal.apply(Give(*cards("AS TS")))
