"""Counter: counts the cards, and from them what is boss, what is safe, what to promise."""

from __future__ import annotations

from collections.abc import Collection
from math import comb

from thousand import Bot, Card, Play, Rank, Suit, View, run


class CounterBot(Bot):
    """Counts."""

    def bid(self, view: View) -> int | None:
        """Bid."""
        lowest = min(amount for amount in view.legal_bids if amount)
        if None not in view.legal_bids or lowest <= estimate(view.hand) + 25:
            return lowest
        return None

    def give(self, view: View) -> tuple[Card, Card]:
        """Give."""
        first, second, *_ = sorted(view.legal_gifts, key=lambda card: worth(card, view.hand))
        return first, second

    def raise_contract(self, view: View) -> int:
        """Raise."""
        most = max(estimate(view.hand) - 15, view.contract)
        return max(amount for amount in view.legal_raises if amount <= most)

    def play(self, view: View) -> Play:
        """Play."""
        count = Count(view)
        return follow(view, count) if view.trick else lead(view, count)


def estimate(hand: Collection[Card]) -> float:
    """Estimate."""
    points = 0.0
    for suit in Suit:
        ranks = {card.rank for card in hand if card.suit == suit}
        if {Rank.KING, Rank.QUEEN} <= ranks:
            points += suit.marriage_value * 0.9
        if Rank.ACE in ranks:
            points += 20
            if Rank.TEN in ranks:
                points += 18
        elif Rank.TEN in ranks and len(ranks) > 1:
            points += 8
        points += 4 * max(0, len(ranks) - 2)
    return points


def worth(card: Card, hand: Collection[Card]) -> float:
    """Value."""
    ranks = {other.rank for other in hand if other.suit == card.suit}
    value = float(card.points)
    if card.partner in hand:
        value += card.suit.marriage_value
    if card.rank is Rank.TEN and Rank.ACE not in ranks and len(ranks) < 2:
        value -= 6
    if card.rank is Rank.ACE:
        value += 20
    return value + len(ranks)


def lead(view: View, count: Count) -> Play:
    """Lead."""
    safe = [
        card
        for card in view.cards
        if count.is_boss(card) and count.chance_not_ruffed(card.suit) > 0.7
    ]
    trumps = [card for card in safe if card.suit == view.trump and count.trumps_out()]
    if view.announceable and (not safe or view.trump is not None):
        kings = [card for card in view.announceable if card.rank is Rank.KING]
        best = max(kings, key=lambda king: (count.is_boss(king), king.suit))
        if not count.is_boss(best) and best.partner is not None:
            best = best.partner
        return Play(best, announce=True)
    if trumps:
        return Play(max(trumps, key=lambda card: card.points))
    if safe:
        return Play(max(safe, key=lambda card: card.points))
    return Play(min(view.cards, key=lambda card: worth(card, view.hand)))


def follow(view: View, count: Count) -> Play:
    """Follow."""
    winners = [card for card in view.cards if wins(card, view)]
    if len(view.trick) == 1:
        winners = [card for card in winners if not count.can_beat(view.left, card)]
    if winners:
        return Play(max(winners, key=lambda card: (card.suit != view.trump, card.points)))
    return Play(min(view.cards, key=lambda card: worth(card, view.hand)))


def wins(card: Card, view: View) -> bool:
    """Tell whether the card would be winning the trick when it is played now."""
    led = view.trick[0].suit
    best = max(
        (other for other in view.trick if other.suit in (led, view.trump)),
        key=lambda other: (other.suit == view.trump, other),
    )
    if card.suit == best.suit:
        return card > best
    return card.suit == view.trump


class Count:
    """The cards each opponent may still hold, and what follows from that.

    Attributes:
        may_hold: by seat, the unseen cards that an opponent may hold.
        must_hold: by seat, those of them that nobody else can hold.
    """

    def __init__(self, view: View) -> None:
        self.view = view
        self.others = (view.left, view.right)
        self.may_hold: dict[int, set[Card]] = {seat: set(view.unseen) for seat in self.others}
        self._place_known_cards()
        self._note_voids()
        left, right = (self.may_hold[seat] for seat in self.others)
        self.must_hold = {view.left: left - right, view.right: right - left}

    def _place_known_cards(self) -> None:
        """Use gifts made and the talon seen: a declarer kept or gave away its cards."""
        view = self.view
        if view.is_declarer:
            for card, receiver in zip(view.gifts, self.others, strict=False):
                self.may_hold[3 - view.seat - receiver].discard(card)
        for trick in view.tricks:
            partner = trick.cards[0].partner if trick.announced else None
            if partner is not None:
                for seat in self.others:
                    if seat != trick.lead:
                        self.may_hold[seat].discard(partner)

    def _note_voids(self) -> None:
        """Who did not follow has none of the suit; who did not trump either, no trump."""
        trump: Suit | None = None
        for trick in self.view.tricks:
            if not trick.cards:
                break
            suit = trick.cards[0].suit
            if trick.announced:
                trump = suit
            for place, card in enumerate(trick.cards):
                seat = (trick.lead + place) % 3
                if seat != self.view.seat and card.suit != suit:
                    self._void(seat, suit)
                    if trump is not None and card.suit != trump:
                        self._void(seat, trump)

    def _void(self, seat: int, suit: Suit) -> None:
        self.may_hold[seat] = {card for card in self.may_hold[seat] if card.suit != suit}

    def is_boss(self, card: Card) -> bool:
        """Tell whether no opponent can hold a higher card of the suit."""
        return not any(
            other > card and other.suit == card.suit
            for seat in self.others
            for other in self.may_hold[seat]
        )

    def trumps_out(self) -> int:
        """Count the trumps that the opponents hold."""
        trump = self.view.trump
        return sum(card.suit == trump for card in self.view.unseen)

    def chance_not_ruffed(self, suit: Suit) -> float:
        """Estimate the chance that no opponent trumps when this suit is led."""
        trump = self.view.trump
        if trump is None or suit == trump:
            return 1.0
        chance = 1.0
        cards = len(self.view.unseen)
        for seat in self.others:
            trumps = sum(card.suit == trump for card in self.may_hold[seat])
            if not trumps or any(card.suit == suit for card in self.must_hold[seat]):
                continue
            length = sum(card.suit == suit for card in self.may_hold[seat])
            void = chance_of_none(length, cards)
            chance *= 1 - void * (1 - chance_of_none(trumps, cards))
        return chance

    def can_beat(self, seat: int, card: Card) -> bool:
        """Tell whether an opponent to play may beat the card now winning the trick."""
        led = self.view.trick[0].suit if self.view.trick else card.suit
        trump = self.view.trump
        held = self.may_hold[seat]
        if any(other.suit == card.suit and other > card for other in held):
            return True
        follows = any(other.suit == led for other in self.must_hold[seat])
        return card.suit != trump and not follows and any(other.suit == trump for other in held)


def chance_of_none(wanted: int, cards: int) -> float:
    """Give the chance that one of two hands has none of `wanted` among `cards` in both."""
    half = cards // 2
    return comb(cards - wanted, half) / comb(cards, half) if wanted <= cards - half else 0.0


if __name__ == "__main__":
    run(CounterBot)
