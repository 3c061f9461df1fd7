"""What holds in every deal, whatever is bid and played."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, pairwise

import pytest
from deal_strategies import (
    EVERY_ACTION,
    deal_of,
    deals_at_any_point,
    finished_deals,
    histories,
    state_of,
)
from hypothesis import given, settings

from thousand.cards import CARDS, PACK, Suit, cards_in, mask_of
from thousand.errors import IllegalAction
from thousand.rules import Bid, Deal, Decision, Play, limit_of


def announcements_in(deal: Deal) -> Iterator[tuple[int, Suit]]:
    """Give who announced which suit, in order."""
    for trick, (seat, announced) in enumerate(zip(deal.leads, deal.announced, strict=True)):
        if announced:
            yield seat, deal.played[3 * trick].suit


# Points and marriages


@given(finished_deals())
def test_points_add_up_to_120_plus_the_marriages_announced(deal: Deal) -> None:  # rules 3, 19
    marriages = sum(suit.marriage_value for _, suit in announcements_in(deal))
    assert sum(deal.outcome.points) == 120 + marriages


@given(finished_deals())
def test_a_suit_is_announced_once_at_most(deal: Deal) -> None:  # rules 17, 18
    suits = [suit for _, suit in announcements_in(deal)]
    assert len(suits) == len(set(suits))


@given(finished_deals())
def test_no_player_announces_more_than_three_marriages(deal: Deal) -> None:  # rule 18
    """The first lead or trick costs each player one of eight cards.

    Four marriages are eight cards, and that one is played before any announcement.
    """
    seats = [seat for seat, _ in announcements_in(deal)]
    assert max(map(seats.count, range(3))) <= 3


@given(finished_deals())
def test_the_last_suit_announced_is_trump_at_the_end(deal: Deal) -> None:  # rules 16, 18
    suits = [suit for _, suit in announcements_in(deal)]
    assert deal.trump is (suits[-1] if suits else None)


@given(finished_deals())
def test_no_marriage_is_announced_on_the_first_lead(deal: Deal) -> None:  # rule 18
    assert deal.announced[0] is False


# Cards


@given(deals_at_any_point())
def test_every_card_is_in_one_place(deal: Deal) -> None:
    places = [*deal.hands, mask_of(deal.played)]
    if deal.decision is Decision.BID:
        places.append(mask_of(deal.talon))
    assert sum(mask.bit_count() for mask in places) == 24
    assert set().union(*map(cards_in, places)) == set(CARDS)
    assert len(set(deal.played)) == len(deal.played)


@given(histories())
def test_everyone_plays_from_eight_cards(states: list[Deal]) -> None:  # rules 6, 11, 12
    for deal in states:
        sizes = sorted(hand.bit_count() for hand in deal.hands)
        match deal.decision:
            case Decision.BID:
                assert sizes == [7, 7, 7]
            case Decision.GIVE:
                assert sizes == [7, 7, 10]
            case Decision.RAISE:
                assert sizes == [8, 8, 8]
            case _:
                assert 24 - len(deal.played) == sum(sizes)
                assert sizes[2] - sizes[0] <= 1


@given(histories())
def test_what_was_dealt_stays_on_record(states: list[Deal]) -> None:
    for deal in states:
        assert (deal.dealt, deal.talon) == (states[0].dealt, states[0].talon)


# Auction and contract


@given(histories())
def test_bids_are_multiples_of_five_that_rise_up_to_the_limit(states: list[Deal]) -> None:
    for before, after in pairwise(states):  # rules 7 to 9, 13
        if after.contract == before.contract:
            continue
        assert after.contract % 5 == 0
        assert max(before.contract, 95) < after.contract
        assert after.contract <= limit_of(before.hands[before.seat])


@given(finished_deals())
def test_two_pass_and_the_highest_bidder_is_the_declarer(deal: Deal) -> None:  # rule 10
    bids = [(amount, seat) for seat, amount in deal.bids if amount is not None]
    passed = {seat for seat, amount in deal.bids if amount is None}
    assert deal.declarer == max(bids)[1]
    assert passed == {0, 1, 2} - {deal.declarer}
    assert len(deal.bids) == len(bids) + 2


# Turns


@given(histories())
def test_the_declarer_gives_raises_and_leads_in_a_row(states: list[Deal]) -> None:
    in_order = [(deal.decision, deal.seat) for deal in states]  # rules 12 to 14
    first = next(n for n, (decision, _) in enumerate(in_order) if decision is Decision.GIVE)
    declarer = states[-1].declarer
    assert in_order[first : first + 3] == [
        (Decision.GIVE, declarer),
        (Decision.RAISE, declarer),
        (Decision.PLAY, declarer),
    ]


def test_a_seat_may_have_four_choices_in_a_row() -> None:
    """The others can't bid above 120, so they have no choice between its bid and its gifts."""
    deal = deal_of(
        "AS TS KS AC TC KC AD", "KH QH 9S QC JC 9C TD", "KD JD 9D AH TH QS 9H", "QD JS JH"
    )
    asked = []
    deal.bid(125)
    asked.append((1, Decision.BID))
    while len(asked) < 5:
        forced = deal.forced()
        if forced is None and deal.decision is not None:
            asked.append((deal.seat, deal.decision))
        deal.apply(forced or deal.legal_actions()[0])
    runs = [(seat, len(list(run))) for seat, run in groupby(seat for seat, _ in asked)]
    assert runs[0] == (1, 4)
    assert [decision for _, decision in asked[:4]] == list(Decision)


@given(histories())
def test_a_trick_goes_round_clockwise_from_its_lead(states: list[Deal]) -> None:  # rule 14
    for deal in states:
        if deal.decision is Decision.PLAY:
            assert deal.seat == (deal.leads[-1] + len(deal.played)) % 3
            assert len(deal.leads) == len(deal.played) // 3 + 1


# Legal and illegal


@given(deals_at_any_point())
@settings(max_examples=25)
def test_an_illegal_action_raises_and_changes_nothing(deal: Deal) -> None:
    legal = set(deal.legal_actions())
    before = state_of(deal)
    for action in EVERY_ACTION:
        if action not in legal:
            with pytest.raises(IllegalAction):
                deal.apply(action)
            assert state_of(deal) == before, action


@given(deals_at_any_point())
def test_every_legal_action_can_be_carried_out(deal: Deal) -> None:
    actions = deal.legal_actions()
    assert len(set(actions)) == len(actions)
    assert bool(actions) is not deal.is_over
    for action in actions:
        twin = deal.copy()
        twin.apply(action)
        assert state_of(twin) != state_of(deal)


@given(histories())
def test_an_action_is_forced_exactly_when_it_is_the_only_one(states: list[Deal]) -> None:
    for deal in states:
        actions = deal.legal_actions()
        assert deal.forced() == (actions[0] if len(actions) == 1 else None)


@given(deals_at_any_point())
def test_no_seat_can_announce_what_it_can_not_play(deal: Deal) -> None:  # rules 15, 17
    if deal.decision is Decision.PLAY:
        plays = set(deal.legal_plays())
        assert all(Play(play.card) in plays for play in plays)


def test_every_amount_that_can_be_bid_is_among_the_actions_tried() -> None:
    highest = limit_of(PACK)
    assert {Bid(amount) for amount in range(100, highest + 1, 5)} <= set(EVERY_ACTION)


# Copies


@given(deals_at_any_point())
def test_a_copy_is_equal_and_goes_its_own_way(deal: Deal) -> None:
    before = state_of(deal)
    twin = deal.copy()
    assert state_of(twin) == before
    while not twin.is_over:
        twin.apply(twin.legal_actions()[-1])
    assert state_of(deal) == before
    finished = state_of(twin)
    while not deal.is_over:
        deal.apply(deal.legal_actions()[0])
    assert state_of(twin) == finished


@given(deals_at_any_point())
def test_a_copy_shares_nothing_that_can_change(deal: Deal) -> None:
    twin = deal.copy()
    for slot in Deal.__slots__:
        value = getattr(deal, slot)
        if isinstance(value, list):
            assert getattr(twin, slot) is not value, slot
