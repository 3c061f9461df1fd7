"""The solver: equal to brute force, whatever the position."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from thousand.cards import CARDS, SUIT_MASKS, Suit, cards_in, marriages_in, mask_of
from thousand.rules import Bid, Deal, Decision, Play, winning_place
from thousand.solver import Solver, best_plays, makes_contract, solve

# Brute force: the rules once more, card by card, and every line to its end.


@cache
def value_of(
    hands: tuple[int, int, int], trick: tuple[int, ...], seat: int, trump: Suit | None
) -> int:
    """Give the points still to come for seat 0, the declarer, against both others."""
    hand = hands[seat]
    if not hand:
        return 0
    values = []
    playable = hand
    if trick:
        following = hand & SUIT_MASKS[CARDS[trick[0]].suit]
        trumps = hand & SUIT_MASKS[trump] if trump is not None else 0
        playable = following or trumps or hand
    for card in cards_in(playable):
        values.append(value_after(hands, trick, seat, trump, card))
        if not trick and hand.bit_count() < 8 and marriages_in(hand) >> card & 1:
            gain = card.suit.marriage_value if seat == 0 else 0
            values.append(gain + value_after(hands, trick, seat, card.suit, card))
    return max(values) if seat == 0 else min(values)


def value_after(
    hands: tuple[int, int, int], trick: tuple[int, ...], seat: int, trump: Suit | None, card: int
) -> int:
    first, second, third = (
        hand & ~(1 << card) if place == seat else hand for place, hand in enumerate(hands)
    )
    trick = (*trick, card)
    if len(trick) < 3:
        return value_of((first, second, third), trick, (seat + 1) % 3, trump)
    cards = [CARDS[number] for number in trick]
    winner = (seat + 1 + winning_place(cards, trump)) % 3
    won = sum(card.points for card in cards) if winner == 0 else 0
    return won + value_of((first, second, third), (), winner, trump)


def brute_force(deal: Deal) -> int:
    """Give the declarer's points at the end."""
    declarer = deal.declarer
    assert declarer is not None
    first, second, third = (deal.hands[(declarer + place) % 3] for place in range(3))
    trick = tuple(map(int, deal.played[len(deal.played) - len(deal.played) % 3 :]))
    seat = (deal.seat - declarer) % 3
    won = deal.points[declarer]
    if deal.is_over:
        return won
    return won + value_of((first, second, third), trick, seat, deal.trump)


# Endings


def started(rng: Random) -> Deal:
    """Deal at random; somebody plays some contract, after random gifts."""
    pack = rng.sample(CARDS, 24)
    deal = Deal(rng.randrange(3), [pack[:7], pack[7:14], pack[14:21]], pack[21:])
    while deal.decision is not Decision.PLAY:
        actions = deal.legal_actions()
        deal.apply(rng.choice(actions[:2] if deal.decision is Decision.BID else actions))
    return deal


def ending(rng: Random, cards_left: int) -> Deal:
    """Play any legal cards until so many are in all hands together.

    Half of the endings come from players who keep their marriages, and some from players
    who are keen to announce.
    """
    deal = started(rng)
    keeps, keen = rng.random() < 0.5, rng.random() < 0.3
    while 24 - len(deal.played) > cards_left:
        plays = deal.legal_plays()
        couples = marriages_in(deal.hands[deal.seat])
        announcements = [play for play in plays if play.announce] if keen else []
        others = [play for play in plays if not couples >> play.card & 1] if keeps else []
        deal.apply(rng.choice(announcements or others or plays))
    return deal


def marriages_left(deal: Deal) -> bool:
    return any(map(marriages_in, deal.hands))


def endings(count: int, most: int) -> list[Deal]:
    rng = Random(most)
    return [ending(rng, rng.randint(1, most)) for _ in range(count)]


ENDINGS = endings(1000, 11) + endings(60, 14)


def test_endings_of_every_kind_are_tried() -> None:
    places = {len(deal.played) % 3 for deal in ENDINGS}
    assert places == {0, 1, 2}
    assert {deal.trump for deal in ENDINGS} == {None, *Suit}
    for is_declarer in (False, True):
        of_side = [deal for deal in ENDINGS if (deal.seat == deal.declarer) is is_declarer]
        assert len(of_side) > 300
        assert sum(map(bool, map(Deal.announceable, of_side))) >= 3
    assert sum(map(marriages_left, ENDINGS)) > 100


def test_as_brute_force() -> None:
    for deal in ENDINGS:
        assert solve(deal) == brute_force(deal), deal.hands


def test_every_play_as_brute_force() -> None:
    for deal in ENDINGS[::3]:
        values = dict(best_plays(deal))
        assert set(values) == set(deal.legal_plays())
        for play, value in values.items():
            after = deal.copy()
            after.apply(play)
            assert value == brute_force(after)


def test_contract_as_brute_force() -> None:
    answers = set()
    for deal in ENDINGS[::2]:
        for contract in (deal.contract, deal.points[deal.declarer or 0] + 20):
            deal.contract = contract
            answers.add(makes_contract(deal))
            assert makes_contract(deal) is (brute_force(deal) >= deal.contract)
    assert answers == {False, True}


@pytest.mark.study
def test_endings_with_marriages_in_two_hands() -> None:
    """Cards dealt so that announcements matter: each hand has what the others lack."""
    rng = Random(3)
    for _ in range(150):
        couples = [mask_of((6 * suit + 2, 6 * suit + 3)) for suit in rng.sample(range(4), 3)]
        deal = ending(rng, 12)
        seen = mask_of(deal.played) | sum(couples)
        spare = rng.sample([card for card in CARDS if not seen >> card & 1], 6)
        deal.hands = [couples[seat] | mask_of(spare[2 * seat : 2 * seat + 2]) for seat in range(3)]
        assert solve(deal) == brute_force(deal)
        assert dict(best_plays(deal)).keys() == set(deal.legal_plays())


# What it promises


def test_best_plays_come_first_for_either_side() -> None:
    for deal in ENDINGS[:200]:
        plays = best_plays(deal)
        values = [value for _, value in plays]
        assert values == sorted(values, reverse=deal.seat == deal.declarer)
        assert values[0] == solve(deal)


def test_a_solver_with_a_memory_says_the_same() -> None:
    solver = Solver()
    for deal in ENDINGS[:300]:
        assert solver.solve(deal) == solve(deal)
        assert solver.best_plays(deal) == best_plays(deal)
        assert solver.makes_contract(deal) is makes_contract(deal)


def test_the_deal_is_not_changed() -> None:
    for deal in ENDINGS[:50]:
        before = {slot: repr(getattr(deal, slot)) for slot in Deal.__slots__}
        best_plays(deal)
        assert {slot: repr(getattr(deal, slot)) for slot in Deal.__slots__} == before


def test_nothing_is_announced_on_the_first_lead() -> None:
    deal = Deal(0, [CARDS[:7], CARDS[7:14], CARDS[14:21]], CARDS[21:])
    for action in (Bid(100), Bid(None), Bid(None)):
        deal.apply(action)
    deal.give(CARDS[7], CARDS[8])
    deal.raise_contract(100)
    assert deal.seat == 1
    assert not any(play.announce for play, _ in best_plays(deal))


def test_a_deal_in_its_auction_is_an_error() -> None:
    deal = Deal(0, [CARDS[:7], CARDS[7:14], CARDS[14:21]], CARDS[21:])
    for question in (solve, best_plays, makes_contract):
        with pytest.raises(ValueError, match="waits for a bid"):
            question(deal)


def test_a_deal_that_is_over_is_an_error() -> None:
    deal = ending(Random(1), 1)
    deal.apply(Play(cards_in(deal.hands[deal.seat])[0]))
    with pytest.raises(ValueError, match="is over"):
        solve(deal)
