"""A partner of no great skill for a bot under check: fills the other seats."""

from __future__ import annotations

from random import Random
from typing import Final

from thousand.defaults import default_action
from thousand.rules import Action, Bid, Decision, Give, Play, Raise
from thousand.view import View

_OUTBIDS: Final = 0.25
_RAISES: Final = 0.1
_PLAYS_HIGH: Final = 0.6


def lively(view: View, rng: Random) -> Action:
    """Choose like a bold beginner, who outbids, raises and announces now and then.

    So games between such players see all that the rules know. What is chosen depends on
    the view and the generator alone.
    """
    match view.decision:
        case Decision.BID:
            return _bid(view, rng)
        case Decision.RAISE:
            if rng.random() < _RAISES:
                return Raise(rng.choice(view.legal_raises))
        case Decision.GIVE:
            cheapest = sorted(view.legal_gifts, key=lambda card: (card.points, card))[:4]
            return Give(*rng.sample(cheapest, 2))
        case Decision.PLAY:
            announcing = [play for play in view.legal_plays if play.announce]
            if announcing:
                return rng.choice(announcing)
            if rng.random() < _PLAYS_HIGH:
                return Play(max(view.cards, key=lambda card: (card.points, card)))
    return default_action(view)


def _bid(view: View, rng: Random) -> Action:
    """Open with the least, and outbid by little."""
    lowest = [amount for amount in view.legal_bids if amount is not None][:2]
    if None not in view.legal_bids:
        return Bid(lowest[0])
    return Bid(rng.choice(lowest)) if rng.random() < _OUTBIDS else Bid(None)
