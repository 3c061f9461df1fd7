"""Counter: counts the cards, and thinks in points and chances.

It teaches three things. Counting: from the cards played, the gifts and who did not
follow suit, know which cards are boss and how likely a ruff is. Estimating: a hand's
points are guessed from a few features, with weights fitted to many deals, and a bid is
made when the chance to keep it pays better than passing. Minding the score: a point is
worth more where it wins the game, and nothing where the barrel swallows it.

Everything follows from the view alone, so there is nothing to remember between calls.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, erf, sqrt

from thousand import Bot, Card, Play, Rank, Suit, View, run

# What a hand brings as declarer: weights of `features`, from a least-squares fit to 18,000
# deals of this bot; once for the seven cards dealt, once for the eight cards to be played.
SEVEN_CARDS = (31.2, 21.9, 13.4, 10.3, 5.0, 0.99, 0.58, -16.2, 0.13)
EIGHT_CARDS = (5.0, 18.6, 16.9, 10.5, 10.8, 1.02, 0.11, -20.8, 0.0)
SEVEN_CARDS_ERROR = 48.0  # standard deviation, in points
EIGHT_CARDS_ERROR = 27.0

DEFENDER_POINTS = 30  # what a defender collects in most deals
VICTORY = 1200  # worth of a won game, in points; more than the target
BARREL_CONTRACT = 120


class CounterBot(Bot):
    """Bids by chances, plays by counting."""

    def bid(self, view: View) -> int | None:
        """Bid as little as possible, if playing promises more than defending does."""
        amounts = [amount for amount in view.legal_bids if amount]
        if view.barrel[view.seat] is not None:  # less than 120 is of no use there
            amounts = [amount for amount in amounts if amount >= BARREL_CONTRACT] or amounts
        points = estimate(view.hand, SEVEN_CARDS)
        hope = max(prospect(view, amount, points, SEVEN_CARDS_ERROR) for amount in amounts)
        if hope > worth_of_score(view, DEFENDER_POINTS):
            return amounts[0]
        return view.legal_bids[0]  # a pass, or 100 as forehand

    def give(self, view: View) -> tuple[Card, Card]:
        """Give the two cards that are missed least."""
        first, second, *_ = sorted(view.legal_gifts, key=lambda card: keeping(card, view.hand))
        return first, second

    def raise_contract(self, view: View) -> int:
        """Choose the contract with the best prospect."""
        points = estimate(view.hand, EIGHT_CARDS)
        return max(
            view.legal_raises,
            key=lambda amount: prospect(view, amount, points, EIGHT_CARDS_ERROR),
        )

    def play(self, view: View) -> Play:
        """Lead or follow, with the hidden cards counted."""
        count = Count(view)
        return follow(view, count) if view.trick else lead(view, count)


# Promises


def features(hand: Sequence[Card]) -> tuple[float, ...]:
    """Describe a hand by what brings points; `SEVEN_CARDS` weighs these in the same order."""
    held = [{card.rank for card in hand if card.suit == suit} for suit in Suit]
    couples = [suit for suit in Suit if {Rank.KING, Rank.QUEEN} <= held[suit]]
    value = sum(suit.marriage_value for suit in couples)
    aces = sum(Rank.ACE in ranks for ranks in held)
    return (
        1,
        aces,
        sum({Rank.ACE, Rank.TEN} <= ranks for ranks in held),
        sum(max(0, len(ranks) - 3) for ranks in held),
        sum(bool({Rank.ACE, Rank.TEN} & held[suit]) for suit in couples),
        value if aces else 0,
        0 if aces else value,  # a marriage needs a trick first, and an ace is the surest
        max(0, len(couples) - 1),
        sum(suit.marriage_value for suit in Suit if half_married(held[suit])),
    )


def half_married(ranks: set[Rank]) -> bool:
    """Tell whether the talon could complete a marriage."""
    return (Rank.KING in ranks) != (Rank.QUEEN in ranks)


def estimate(hand: Sequence[Card], weights: Sequence[float]) -> float:
    """Estimate the points of a declarer with this hand."""
    return sum(x * weight for x, weight in zip(features(hand), weights, strict=True))


def prospect(view: View, contract: int, points: float, error: float) -> float:
    """Weigh the score after a made contract and after a failed one, by the chance of each."""
    chance = 0.5 + 0.5 * erf((points - contract) / (sqrt(2) * error))
    made = worth_of_score(view, contract, contract)
    failed = worth_of_score(view, -contract, contract)
    return chance * made + (1 - chance) * failed


def worth_of_score(view: View, change: int, contract: int = 0) -> float:
    """Value what this deal's points make of the score; `contract` is 0 for a defender."""
    score = view.scores[view.seat] + change
    used = view.barrel[view.seat]
    if used is None:
        return VICTORY if score >= 1000 else min(score, 880)
    if contract and change < 0:
        return score
    if contract >= BARREL_CONTRACT:
        return VICTORY
    return 760 if used == 2 else 880


def keeping(card: Card, hand: Sequence[Card]) -> float:
    """Rate how much the declarer wants to keep a card; long suits bring small cards home."""
    suit = [other for other in hand if other.suit == card.suit]
    value = 0.7 * card.points + 4 * len(suit)
    if card.partner in hand:
        value += card.suit.marriage_value
    if card.rank is Rank.ACE:
        value += 20
    return value


# Play


def lead(view: View, count: Count) -> Play:
    """Cash what is safe, then announce; without either, lose as little as possible."""
    bosses = [
        card
        for card in view.cards
        if count.is_boss(card) and (card.suit == view.trump or card.partner not in view.hand)
    ]
    if view.announceable:
        # An announcement often loses the trick, so first take what can't be ruffed.
        sure = [card for card in bosses if count.chance_of_no_ruff(card.suit) > 0.9]
        sure = [card for card in sure if card not in view.announceable]
        if sure:
            return Play(max(sure, key=lambda card: (card.suit == view.trump, card.points)))
        return Play(best_announcement(view, count), announce=True)
    safe = [card for card in bosses if count.chance_of_no_ruff(card.suit) > 0.6]
    trumps = [card for card in safe if card.suit == view.trump]
    if trumps and 0 < count.trumps_out() <= (8 if view.is_declarer else len(trumps)):
        return Play(max(trumps))  # draw trumps before they ruff
    if safe:
        return Play(max(safe, key=lambda card: (card.suit != view.trump, card.points)))
    return Play(cheapest(view, count))


def best_announcement(view: View, count: Count) -> Card:
    """Choose a king that wins, else the queen of a suit that is enough, or easily broken."""
    missing = view.contract - view.points[view.seat]

    def order(king: Card) -> tuple[bool, bool, int, Suit]:
        suit = king.suit
        length = sum(card.suit == suit for card in view.hand)
        return count.is_boss(king), suit.marriage_value >= missing, -length, suit

    king = max((card for card in view.announceable if card.rank is Rank.KING), key=order)
    return king if count.is_boss(king) else Card.of(Rank.QUEEN, king.suit)


def follow(view: View, count: Count) -> Play:
    """Win if nobody can take it back, keeping trumps and boss cards for later; else save."""
    winners = [card for card in view.cards if wins(card, view)]
    if len(view.trick) == 1:
        winners = [card for card in winners if not count.may_beat(view.left, card)]
    if not winners:
        return Play(cheapest(view, count))
    return Play(
        min(
            winners,
            key=lambda card: (card.suit == view.trump, count.is_boss(card), -card.points),
        )
    )


def wins(card: Card, view: View) -> bool:
    """Tell whether the card would be winning the trick when it is played now."""
    rivals = [other for other in view.trick if other.suit == view.trump] or [
        other for other in view.trick if other.suit == view.trick[0].suit
    ]
    if card.suit == rivals[0].suit:
        return card > max(rivals)
    return card.suit == view.trump


def cheapest(view: View, count: Count) -> Card:
    """Choose the card that loses least: its points now, and what it could do later."""

    def loss(card: Card) -> float:
        suit = [other for other in view.hand if other.suit == card.suit]
        value = float(card.points)
        if card.partner in view.hand:  # a defender seldom gets to announce
            value += card.suit.marriage_value * (1.0 if view.is_declarer else 0.12)
        if count.is_boss(card):
            value += 12
        if len(suit) == 2 and card.points < 10 and guards_ten(suit, count):
            value += 6
        return value

    return min(view.cards, key=loss)


def guards_ten(suit: Sequence[Card], count: Count) -> bool:
    """Tell whether one of these cards is a ten that falls to the ace without a guard."""
    return any(card.rank is Rank.TEN and not count.is_boss(card) for card in suit)


class Count:
    """The cards each opponent may still hold."""

    def __init__(self, view: View) -> None:
        """Start from all unseen cards, then strike out what is known to be elsewhere."""
        self.view = view
        self.unseen = view.unseen
        self.opponents = (view.left, view.right)
        self.may_hold = {seat: set(self.unseen) for seat in self.opponents}
        if view.is_declarer:
            self.may_hold[view.right].discard(view.gifts[0])
            self.may_hold[view.left].discard(view.gifts[1])
        self._learn_from_tricks()

    def _learn_from_tricks(self) -> None:
        """Who does not follow has none of the suit; who does not trump either, no trump."""
        trump: Suit | None = None
        for trick in self.view.tricks:
            if not trick.cards:
                break
            suit = trick.cards[0].suit
            if trick.announced:
                trump = suit
                self._has(trick.lead, trick.cards[0].partner)
            for place, card in enumerate(trick.cards):
                if card.suit != suit:
                    seat = (trick.lead + place) % 3
                    self._has_none(seat, suit)
                    if trump is not None and card.suit != trump:
                        self._has_none(seat, trump)

    def _has(self, holder: int, card: Card | None) -> None:
        for seat in self.opponents:
            if seat != holder and card is not None:
                self.may_hold[seat].discard(card)

    def _has_none(self, seat: int, suit: Suit) -> None:
        if seat != self.view.seat:
            self.may_hold[seat] = {card for card in self.may_hold[seat] if card.suit != suit}

    def is_boss(self, card: Card) -> bool:
        """Tell whether no unseen card of the suit is higher."""
        return not any(other > card and other.suit == card.suit for other in self.unseen)

    def trumps_out(self) -> int:
        """Count the opponents' trumps."""
        return sum(card.suit == self.view.trump for card in self.unseen)

    def may_beat(self, seat: int, card: Card) -> bool:
        """Tell whether an opponent who plays after this card may beat it."""
        led, trump, held = self.view.trick[0].suit, self.view.trump, self.may_hold[seat]
        if any(other > card and other.suit == card.suit for other in held):
            return True
        if card.suit == trump or not any(other.suit == trump for other in held):
            return False
        return not any(other.suit == led for other in self.only_with(seat))

    def only_with(self, seat: int) -> set[Card]:
        """Give the unseen cards that this opponent must hold, as the other can't."""
        left, right = self.opponents
        return self.may_hold[seat] - self.may_hold[right if seat == left else left]

    def chance_of_no_ruff(self, suit: Suit) -> float:
        """Estimate the chance that neither opponent trumps when this suit is led."""
        trump = self.view.trump
        chance = 1.0
        if trump is None or suit == trump:
            return chance
        for seat in self.opponents:
            trumps = sum(card.suit == trump for card in self.may_hold[seat])
            length = sum(card.suit == suit for card in self.may_hold[seat])
            if trumps and not any(card.suit == suit for card in self.only_with(seat)):
                ruff = self.chance_of_none(length) * (1 - self.chance_of_none(trumps))
                chance *= 1 - ruff
        return chance

    def chance_of_none(self, cards: int) -> float:
        """Give the chance that all of these unseen cards are in the other opponent's hand."""
        hand = len(self.unseen) // 2
        return comb(len(self.unseen) - cards, hand) / comb(len(self.unseen), hand)


if __name__ == "__main__":
    run(CounterBot)
