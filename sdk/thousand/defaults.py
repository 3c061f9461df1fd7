"""The plainest legal action for any decision.

It is what the referee plays for a bot that gave no valid answer, and what the SDK's
`Bot` does where its author wrote nothing.
"""

from __future__ import annotations

from thousand.cards import Card
from thousand.rules import Action, Bid, Decision, Give, Play, Raise
from thousand.view import View


def default_action(view: View) -> Action:
    """Pass, or open with 100; give the two cheapest; keep the contract; play the cheapest.

    Gifts break no marriage where that can be helped. Of equally cheap cards the one
    with the lowest number is taken. Never announces.
    """
    if view.decision is Decision.PLAY:
        return Play(min(view.cards, key=_cheapness))
    if view.decision is Decision.BID:
        return Bid(view.amounts[0] or None)
    if view.decision is Decision.RAISE:
        return Raise(view.amounts[0])
    hand = set(view.hand)
    first, second, *_ = sorted(
        view.cards, key=lambda card: (card.partner in hand, *_cheapness(card))
    )
    return Give(first, second)


def _cheapness(card: Card) -> tuple[int, int]:
    return card.points, card
