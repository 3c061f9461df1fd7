"""Deals to test the rules on: as Hypothesis draws them, or spelled out by hand."""

from __future__ import annotations

from copy import copy

from hypothesis import strategies as st

from thousand.cards import CARDS, Card
from thousand.rules import Action, Bid, Deal, Give, Play, Raise

EVERY_ACTION: tuple[Action, ...] = (
    Bid(None),
    *(Bid(amount) for amount in range(-10, 450)),
    *(Raise(amount) for amount in range(-10, 450)),
    *(Give(left, right) for left in CARDS for right in CARDS),
    *(Play(card, announce) for card in CARDS for announce in (False, True)),
)
"""Every action there could be, and many that there could never be."""


def cards(text: str) -> tuple[Card, ...]:
    """Read cards written with blanks between them."""
    return tuple(Card.parse(word) for word in text.split())


def deal_of(first: str, second: str, third: str, talon: str, *, dealer: int = 0) -> Deal:
    """Deal these cards to seats 0, 1 and 2, and these to the talon."""
    return Deal(dealer, [cards(first), cards(second), cards(third)], cards(talon))


def play_cards(deal: Deal, text: str) -> None:
    """Play these cards one after the other; ``KH!`` announces the marriage."""
    for word in text.split():
        deal.play(Card.parse(word.removesuffix("!")), announce=word.endswith("!"))


def state_of(deal: Deal) -> dict[str, object]:
    """Give everything a deal holds, apart from the deal itself."""
    return {slot: copy(getattr(deal, slot)) for slot in Deal.__slots__}


@st.composite
def new_deals(draw: st.DrawFn) -> Deal:
    """Draw a deal that waits for its first bid."""
    pack = draw(st.permutations(CARDS))
    return Deal(draw(st.integers(0, 2)), [pack[:7], pack[7:14], pack[14:21]], pack[21:])


@st.composite
def histories(draw: st.DrawFn) -> list[Deal]:
    """Draw a whole deal, as a copy of it before each decision and one after the last.

    Half of them are eager to announce, since chance alone announces little.
    """
    deal = draw(new_deals())
    eager = draw(st.booleans())
    rng = draw(st.randoms(use_true_random=False))
    states = [deal.copy()]
    while not deal.is_over:
        choices = deal.legal_actions()
        announcements = [play for play in choices if isinstance(play, Play) and play.announce]
        deal.apply(rng.choice(announcements if eager and announcements else choices))
        states.append(deal.copy())
    return states


def finished_deals() -> st.SearchStrategy[Deal]:
    """Draw a deal that is over."""
    return histories().map(lambda states: states[-1])


def deals_at_any_point() -> st.SearchStrategy[Deal]:
    """Draw a deal somewhere between its first bid and its end."""
    return histories().flatmap(st.sampled_from)
