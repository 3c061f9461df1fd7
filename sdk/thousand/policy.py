"""A fast player for rollouts: plays a deal to its end in about a tenth of a millisecond.

Monte Carlo bots need thousands of deals played to the end by somebody sensible. This one
plays by a few rules of thumb: cash cards that nobody beats, announce, draw trumps, win a
trick as the last to play, else lose as little as possible. Although it is handed all
cards, each choice is made from what that seat could know by counting: its own hand, and
which cards the two others hold together. So it makes the mistakes that players make.

`play_out` gives the outcome of a deal and leaves the deal as it is; `choose_play` and
`choose_gifts` are its single choices.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from thousand.cards import (
    CARDS,
    MARRIAGE_MASKS,
    SUIT_MASKS,
    Card,
    CardMask,
    Rank,
    Suit,
    cards_in,
    mask_of,
)
from thousand.rules import Deal, Decision, Outcome, Play
from thousand.rules.deal import MINIMUM_BID

_LEFT_OF: Final = (1, 2, 0)
_NO_TRUMP: Final = 4
_SAFE: Final = 2
"""With so many cards of a suit in the other hands, a lead of it is not often trumped ..."""
_SURE: Final = 4
"""... and with so many it is hardly ever."""

# What choices are worth beyond the points of the cards, roughly in points.
_DRAWING_WORTH: Final = 40
_SAVING_WORTH: Final = 1
_BOSS_WORTH: Final = 12
_TRUMP_WORTH: Final = 4
_GUARD_WORTH: Final = 6
_ACE_WORTH: Final = 20
_LENGTH_WORTH: Final = 4
_DEFENDER_ANNOUNCES: Final = 0.2
"""Of a marriage's value: a defender seldom gets to announce it."""


def play_out(deal: Deal) -> Outcome:
    """Play a deal to its end from any decision, and give the outcome; `deal` is unchanged.

    Whoever may still bid passes, and the declarer keeps the contract. ValueError when the
    deal is over.
    """
    if deal.decision is None:
        raise ValueError("the deal is over; there is nothing to play out")
    hands, points = deal.hands[:], deal.points[:]
    declarer, contract = deal.declarer, max(deal.contract, MINIMUM_BID)
    seat = deal.seat
    if declarer is None:
        bids = [(amount, bidder) for bidder, amount in deal.bids if amount]
        seat = declarer = max(bids)[1] if bids else seat
        hands[seat] |= mask_of(deal.talon)
    if deal.decision in (Decision.BID, Decision.GIVE):
        left = _LEFT_OF[seat]
        for receiver, gift in zip((left, _LEFT_OF[left]), choose_gifts(hands[seat]), strict=True):
            hands[seat] ^= 1 << gift
            hands[receiver] |= 1 << gift
    trick = [1 << card for card in deal.played[len(deal.played) - len(deal.played) % 3 :]]
    trump = _NO_TRUMP if deal.trump is None else int(deal.trump)
    _play_tricks(hands, seat, trump, trick, points, declarer, contract)
    first, second, third = points
    return Outcome(declarer, contract, (first, second, third))


def choose_play(deal: Deal) -> Play:
    """Choose the play of the seat whose turn it is; the deal must wait for a play."""
    hand, seat = deal.hands[deal.seat], deal.seat
    others = sum(deal.hands) ^ hand
    trump = _NO_TRUMP if deal.trump is None else int(deal.trump)
    trick = [1 << card for card in deal.played[len(deal.played) - len(deal.played) % 3 :]]
    is_declarer = seat == deal.declarer
    if not trick:
        missing = deal.contract - deal.points[seat]
        card, announces = _lead(hand, others, trump, is_declarer, missing)
    else:
        announces = False
        winning = _winning(trick, trump)
        card = _reply(hand, others, trump, trick[0], winning, len(trick) == 2, is_declarer)
    return Play(CARDS[card.bit_length() - 1], announces)


def choose_gifts(hand: CardMask) -> tuple[Card, Card]:
    """Choose the two of the declarer's cards that are missed least."""
    first, second, *_ = sorted([(keeping(card, hand), card) for card in cards_in(hand)])
    return first[1], second[1]


def keeping(card: Card, hand: CardMask) -> float:
    """Rate how much the declarer wants to keep a card, roughly in points."""
    suit = card.suit
    worth = 0.7 * card.points + _LENGTH_WORTH * (hand & SUIT_MASKS[suit]).bit_count()
    couple = MARRIAGE_MASKS[suit]
    if hand & couple == couple and 1 << card & couple:
        worth += suit.marriage_value
    return worth + _ACE_WORTH if card.rank is Rank.ACE else worth


def odd_plays(deal: Deal) -> tuple[int, int, int]:
    """Count, by seat, the plays so far that this policy would not have made.

    In a world drawn at random, many odd plays of a player speak against that world.
    """
    hands, points, odd = deal.hands[:], [0, 0, 0], [0, 0, 0]
    owners = [(deal.leads[place // 3] + place % 3) % 3 for place in range(len(deal.played))]
    for seat, played in zip(owners, deal.played, strict=True):
        hands[seat] |= 1 << played
    trump, trick = _NO_TRUMP, [0]
    for place, (seat, played) in enumerate(zip(owners, deal.played, strict=True)):
        hand, card = hands[seat], 1 << played
        others = (hands[0] | hands[1] | hands[2]) ^ hand
        is_declarer = seat == deal.declarer
        if place % 3:
            winning, is_last = _winning(trick, trump), place % 3 == 2
            choice = _reply(hand, others, trump, trick[0], winning, is_last, is_declarer)
            odd[seat] += choice != card
            trick.append(card)
        else:
            announced = deal.announced[place // 3]
            missing = deal.contract - points[seat]
            odd[seat] += _lead(hand, others, trump, is_declarer, missing) != (card, announced)
            trick = [card]
            if announced:
                trump = _SUIT_OF[card]
                points[seat] += _VALUES[trump]
        hands[seat] ^= card
        if place % 3 == 2:
            winner = (seat + 1 + trick.index(_winning(trick, trump))) % 3
            points[winner] += sum([_POINTS[card] for card in trick])
    first, second, third = odd
    return first, second, third


def _play_tricks(
    hands: list[CardMask],
    seat: int,
    trump: int,
    trick: list[CardMask],
    points: list[int],
    declarer: int,
    contract: int,
) -> None:
    """Play the rest of the tricks and add up the points; changes `hands` and `points`."""
    place = len(trick)
    lead = winning = winner = won = 0
    if trick:
        lead, winning = trick[0], _winning(trick, trump)
        winner = (seat - place + trick.index(winning)) % 3
        won = sum([_POINTS[card] for card in trick])
    while hands[seat]:
        hand = hands[seat]
        others = (hands[0] | hands[1] | hands[2]) ^ hand
        is_declarer = seat == declarer
        if not place:
            missing = contract - points[seat]
            lead, announces = _lead(hand, others, trump, is_declarer, missing)
            if announces:
                trump = _SUIT_OF[lead]
                points[seat] += _VALUES[trump]
            card = winning = lead
            winner, won = seat, 0
        else:
            card = _reply(hand, others, trump, lead, winning, place == 2, is_declarer)
            if card > winning if card & _SUIT_AROUND[winning] else card & _SUITS[trump]:
                winning, winner = card, seat
        hands[seat] = hand ^ card
        won += _POINTS[card]
        if place < 2:
            place += 1
            seat = _LEFT_OF[seat]
        else:
            place = 0
            seat = winner
            points[seat] += won


def _winning(trick: list[CardMask], trump: int) -> CardMask:
    """Give the card that is winning a trick (rule 16)."""
    if trump != _NO_TRUMP:
        trumps = [card for card in trick if card & _SUITS[trump]]
        if trumps:
            return max(trumps)
    suit = _SUIT_AROUND[trick[0]]
    return max([card for card in trick if card & suit])


def _lead(
    hand: CardMask, others: CardMask, trump: int, is_declarer: bool, missing: int
) -> tuple[CardMask, bool]:
    """Choose a lead, and whether it announces; `missing` points make the contract."""
    couples = hand & hand << 1 & _KINGS if hand.bit_count() < 8 else 0
    trumps_out = others & _SUITS[trump]
    few = _SURE if couples else _SAFE
    best, worth = 0, 0
    for suit in (0, 1, 2, 3):
        own, rest = hand >> 6 * suit & 63, others >> 6 * suit & 63
        if own <= rest:
            continue  # nothing here, or the best card is beaten
        boss = 1 << own.bit_length() - 1 + 6 * suit
        if boss & couples:
            continue  # that king is led to announce
        value = 1 + _POINTS[boss]
        if suit == trump:
            # Trumps are drawn first by the declarer, or by who can draw them all.
            if trumps_out and (is_declarer or rest.bit_count() <= own.bit_count()):
                value += _DRAWING_WORTH
        elif trumps_out and rest.bit_count() < few:
            continue  # likely to be trumped
        else:
            value += _SAVING_WORTH
        if value > worth:
            best, worth = boss, value
    if best:
        return best, False
    if couples:
        return _announcement(couples, hand, others, missing), True
    return _cheapest(hand, others, trump, is_declarer), False


def _announcement(couples: CardMask, hand: CardMask, others: CardMask, missing: int) -> CardMask:
    """Choose a king that wins, else the queen of a suit that is enough, else of a short one."""
    choices = []
    for suit in (0, 1, 2, 3):
        king = couples & _SUITS[suit]
        if king:
            wins = king > others & _SUITS[suit]
            length = (hand & _SUITS[suit]).bit_count()
            choices.append((wins, _VALUES[suit] >= missing, -length, suit, king))
    wins, _, _, _, king = max(choices)
    return king if wins else king >> 1


def _reply(
    hand: CardMask,
    others: CardMask,
    trump: int,
    lead: CardMask,
    winning: CardMask,
    is_last: bool,
    is_declarer: bool,
) -> CardMask:
    """Choose a card to a trick: win it if nobody takes it back, else lose little (rule 15)."""
    led, trumps = _SUIT_AROUND[lead], _SUITS[trump]
    suit = led if hand & led else trumps
    legal = hand & suit
    if not legal:
        return _cheapest(hand, others, trump, is_declarer)
    rest = others & suit
    unbeaten = -1 << rest.bit_length()  # all cards of the suit above those of the others
    winners = legal & -(winning << 1) if winning & suit else 0 if winning & trumps else legal
    if winners and not is_last:
        winners &= unbeaten
        if suit != trumps and others & trumps and rest.bit_count() < _SURE:
            winners = 0  # the next player is likely to trump
    if not winners:
        number = _SUIT_OF[lead] if suit == led else trump
        shift = 6 * number
        _, rank = _cheapest_rank(
            legal >> shift & 63, rest >> shift & 63, number, number == trump, is_declarer
        )
        return 1 << rank + shift
    # Cards that the others can still beat go first: the best one, or the lowest trump.
    spare = winners & ~unbeaten or winners
    return spare & -spare if suit == trumps else 1 << spare.bit_length() - 1


def _cheapest(cards: CardMask, others: CardMask, trump: int, is_declarer: bool) -> CardMask:
    """Choose the card that loses least: its points now, and what it could do later."""
    best, least = 0, 1000.0
    for suit in (0, 1, 2, 3):
        own = cards >> 6 * suit & 63
        if own:
            loss, rank = _cheapest_rank(
                own, others >> 6 * suit & 63, suit, suit == trump, is_declarer
            )
            if loss < least:
                best, least = 1 << rank + 6 * suit, loss
    return best


@cache
def _cheapest_rank(
    own: int, rest: int, suit: int, is_trump: bool, is_declarer: bool
) -> tuple[float, int]:
    """Give the least loss in a suit and its rank; `own` and `rest` are masks of ranks."""
    losses = []
    for rank in Rank:
        if own >> rank & 1:
            loss = float(rank.points)
            if own & _COUPLE == _COUPLE and _COUPLE >> rank & 1:
                loss += _VALUES[suit] * (1.0 if is_declarer else _DEFENDER_ANNOUNCES)
            if 1 << rank > rest:
                loss += _BOSS_WORTH
            if is_trump:
                loss += _TRUMP_WORTH
            if own == 1 << rank | _TEN and own != _TEN and rest > _TEN:
                loss += _GUARD_WORTH  # a ten alone falls to the ace
            losses.append((loss, int(rank)))
    return min(losses)


_COUPLE: Final = 1 << Rank.QUEEN | 1 << Rank.KING
_TEN: Final = 1 << Rank.TEN
_KINGS: Final[CardMask] = sum(1 << 6 * suit + Rank.KING for suit in Suit)
_VALUES: Final = tuple(suit.marriage_value for suit in Suit)
_SUITS: Final = (*SUIT_MASKS, 0)
"""The cards of each suit; none for `_NO_TRUMP`."""
_SUIT_AROUND: Final = {1 << card: SUIT_MASKS[card.suit] for card in CARDS}
_SUIT_OF: Final = {1 << card: int(card.suit) for card in CARDS}
_POINTS: Final = {1 << card: card.points for card in CARDS}
