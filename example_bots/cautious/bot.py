"""Cautious: a page of plain rules, each of them a habit of a careful player.

It teaches to look at the own hand before promising anything: bid what the hand surely
brings, keep what is worth something, win with boss cards, lose with cheap ones. It
remembers the cards that were played, but does not wonder who holds the others.
"""

from collections.abc import Collection

from thousand import Bot, Card, Play, Rank, View, run

TRICK_POINTS = 5  # what the two others add to a trick, cautiously put
TALON_POINTS = 10  # what three more cards add to a hand, cautiously put


class CautiousBot(Bot):
    """Promises little and keeps it."""

    def bid(self, view: View) -> int | None:
        """Bid the least there is, while the hand is worth it."""
        lowest = min(amount for amount in view.legal_bids if amount)
        must_open = None not in view.legal_bids
        if must_open or lowest <= sure_points(view.hand) + TALON_POINTS:
            return lowest
        return None

    def give(self, view: View) -> tuple[Card, Card]:
        """Give the two cards that are missed least."""
        first, second, *_ = sorted(view.legal_gifts, key=lambda card: loss(card, view.hand))
        return first, second

    def raise_contract(self, view: View) -> int:
        """Raise to what the hand is worth, now that the talon is known."""
        most = max(sure_points(view.hand), view.contract)
        return max(amount for amount in view.legal_raises if amount <= most)

    def play(self, view: View) -> Play:
        """Lead a boss card, else a marriage, else the cheapest; follow to win or cheaply."""
        if view.winning is None:
            return lead(view)
        winners = [card for card in view.cards if wins(card, view)]
        if winners:
            return Play(max(winners, key=lambda card: card.points))
        return Play(cheapest(view))


def lead(view: View) -> Play:
    """Lead what surely wins, then announce, then lose as little as possible."""
    bosses = [
        card for card in view.cards if is_boss(card, view.unseen) and card.partner not in view.hand
    ]
    if bosses:
        return Play(max(bosses, key=lambda card: card.points))
    if view.announceable:
        best = max(view.announceable, key=lambda card: (card.suit, -card.points))
        return Play(best, announce=True)
    return Play(cheapest(view))


def sure_points(hand: Collection[Card]) -> int:
    """Count the tricks won from the top of each suit, and marriages if one trick is won."""
    boss_run = [card for card in hand if is_boss(card, set(higher(card)) - set(hand))]
    points = sum(card.points + TRICK_POINTS for card in boss_run)
    if boss_run:
        points += sum(
            card.suit.marriage_value
            for card in hand
            if card.rank is Rank.KING and card.partner in hand
        )
    return points


def is_boss(card: Card, others: Collection[Card]) -> bool:
    """Tell whether none of the others beats this card in its suit."""
    return not any(other in others for other in higher(card))


def higher(card: Card) -> list[Card]:
    """List the stronger cards of the same suit."""
    return [Card.of(rank, card.suit) for rank in Rank if rank > card.rank]


def wins(card: Card, view: View) -> bool:
    """Tell whether the card would be winning the trick when it is played now."""
    best = max(
        (other for other in view.trick if other.suit in (view.trick[0].suit, view.trump)),
        key=lambda other: (other.suit == view.trump, other),
    )
    if card.suit == best.suit:
        return card > best
    return card.suit == view.trump


def cheapest(view: View) -> Card:
    """Choose the card that is missed least."""
    return min(view.cards, key=lambda card: loss(card, view.hand))


def loss(card: Card, hand: Collection[Card]) -> tuple[bool, int, int]:
    """Sort cards by what is lost with them: a marriage weighs most, then the points."""
    return card.partner in hand, card.points, card


if __name__ == "__main__":
    run(CautiousBot)
