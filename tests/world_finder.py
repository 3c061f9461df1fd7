"""All worlds of a view by brute force, and views of every kind to try it on.

Every way to lay out the unseen cards is played from its beginning by the rules, and is a
world if it comes to the same view. Nothing is concluded from the view itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from math import comb
from random import Random

import numpy as np

from thousand.cards import CARDS, MARRIAGE_MASKS, PACK, Suit, cards_in, mask_of
from thousand.errors import RulesError
from thousand.rules import Deal, Decision, Game, Play
from thousand.view import View

GAME = Game((120, -345, 880), (None, None, 1), deals=40, declarer=2)

World = tuple[tuple[int, ...], int, tuple[int, ...]]
"""What makes two worlds different: hands dealt, talon and gifts."""


def key_of(deal: Deal) -> World:
    return deal.dealt, mask_of(deal.talon), deal.gifts


def all_worlds(view: View) -> set[World]:
    """Find the worlds of a view that is no question for a bid."""
    declarer = view.declarer
    assert declarer is not None
    talon = mask_of(view.talon)
    own = {view.seat: mask_of(view.hand)}
    played = [0, 0, 0]
    for trick in view.tricks:
        for place, card in enumerate(trick.cards):
            played[(trick.lead + place) % 3] |= 1 << card
    hidden = cards_in(PACK & ~own[view.seat] & ~mask_of(view.played))
    size = (7 if view.decision is Decision.GIVE else 8) - played[view.left].bit_count()
    worlds = set()
    for cards in combinations(hidden, size):
        left = mask_of(cards)
        hands = own | {view.left: left, view.right: mask_of(hidden) & ~left}
        eights = [hands[seat] | played[seat] for seat in range(3)]
        for gifts in possible_gifts(view, declarer, eights):
            dealt = [*eights]
            for place, gift in enumerate(gifts, 1):
                dealt[(declarer + place) % 3] ^= 1 << gift
                dealt[declarer] |= 1 << gift
            if talon & ~dealt[declarer]:
                continue
            dealt[declarer] ^= talon
            if leads_to(view, dealt, gifts):
                worlds.add((tuple(dealt), talon, gifts))
    return worlds


def possible_gifts(view: View, declarer: int, eights: list[int]) -> Iterator[tuple[int, ...]]:
    if not view.gifts:
        yield ()
    for gifts in product(*(cards_in(eights[(declarer + place) % 3]) for place in (1, 2))):
        if view.gifts and (
            gifts == view.gifts
            if view.is_declarer
            else gifts[(view.seat - declarer) % 3 - 1] == view.gifts[0]
        ):
            yield gifts


def leads_to(view: View, dealt: list[int], gifts: tuple[int, ...]) -> bool:
    """Tell whether the public history is legal from these cards, and shows this view."""
    deal = Deal(view.dealer, [cards_in(hand) for hand in dealt], view.talon)
    try:
        for _, amount in view.bids:
            deal.bid(amount)
        if gifts:
            deal.give(CARDS[gifts[0]], CARDS[gifts[1]])
        if view.decision is Decision.PLAY:
            deal.raise_contract(view.contract)
        for index, card in enumerate(view.played):
            deal.play(card, announce=not index % 3 and view.announced[index // 3])
    except RulesError:
        return False
    return View.of(deal, GAME) == view


def all_worlds_of_bid(view: View) -> tuple[np.ndarray, np.ndarray]:
    """Find the worlds of a question for a bid: the cards of the left and right seat."""
    hidden = [1 << card for card in cards_in(PACK & ~mask_of(view.hand))]
    hands = np.array([sum(cards) for cards in combinations(hidden, 7)], dtype=np.int64)
    bids = {
        seat: max((b or 0 for who, b in view.bids if who == seat), default=0) for seat in (0, 1, 2)
    }
    lefts, rights = (hands[limits_of(hands) >= bids[seat]] for seat in (view.left, view.right))
    pairs = [rights[rights & left == 0] for left in lefts]
    return np.repeat(lefts, [len(few) for few in pairs]), np.concatenate(pairs)


def limits_of(hands: np.ndarray) -> np.ndarray:
    limits = np.full(len(hands), 120)
    for suit in Suit:
        limits += suit.marriage_value * (hands & MARRIAGE_MASKS[suit] == MARRIAGE_MASKS[suit])
    return limits


# Positions


def eager_step(deal: Deal, rng: Random) -> None:
    """Do something legal; often jump to the limit, raise, announce, or give a talon card."""
    actions = deal.legal_actions()
    if rng.random() < 0.4:
        if deal.decision in (Decision.BID, Decision.RAISE):
            few = actions[-1:]
        else:
            few = tuple(
                action for action in actions if isinstance(action, Play) and action.announce
            )
        actions = few or actions
    elif deal.decision is Decision.BID:
        actions = actions[:2]
    deal.apply(rng.choice(actions))


def traits_of(view: View) -> frozenset[str]:
    """Name what a view tells, apart from who has played which cards."""
    traits = {view.decision.name, "declarer" if view.is_declarer else "other"}
    others = {view.left, view.right}
    if any(seat in others and (amount or 0) > 120 for seat, amount in view.bids):
        traits.add("high bid")
    if view.declarer in others and view.contract > max(120, *(bid or 0 for _, bid in view.bids)):
        traits.add("high raise")
    trump = None
    for trick in view.tricks:
        if trick.announced:
            trump = trick.cards[0].suit
            if trick.lead in others and trick.cards[0].partner not in view.played:
                traits.add("half a marriage")
        for place, card in enumerate(trick.cards):
            if (trick.lead + place) % 3 in others and card.suit is not trick.cards[0].suit:
                traits.add("void")
                if trump not in (None, card.suit, trick.cards[0].suit):
                    traits.add("no trump")
    return frozenset(traits)


def candidates(view: View) -> int:
    """Say how many deals brute force would try; the gift that is not known counts thrice."""
    hidden = len(view.unseen)
    ways = 1 if not view.gifts or view.is_declarer else 3
    return comb(hidden, hidden // 2) * ways


def collect() -> list[View]:
    """Take a few views of each combination of traits, from deals played at random."""
    rng = Random(4)
    found: dict[frozenset[str], list[View]] = {}
    for _ in range(700):
        pack = rng.sample(CARDS, 24)
        deal = Deal(GAME.dealer, [pack[:7], pack[7:14], pack[14:21]], pack[21:])
        while not deal.is_over:
            view = View.of(deal, GAME)
            bucket = found.setdefault(traits_of(view), [])
            most = 2 if view.decision is Decision.PLAY else 1
            if len(bucket) < most and (view.declarer is None or 4 < candidates(view) < 13000):
                bucket.append(view)
            eager_step(deal, rng)
    return [view for bucket in found.values() for view in bucket]
