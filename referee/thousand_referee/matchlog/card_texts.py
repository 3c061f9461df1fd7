"""Cards as people like to read them at a terminal: ``10♥``, red suits in red."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rich.text import Text

from thousand.cards import Card, Rank, Suit

_RED: Final = (Suit.DIAMONDS, Suit.HEARTS)


def card_text(card: Card, width: int = 0) -> Text:
    """Give a card, in so many characters at least."""
    return Text(_rank(card.rank).rjust(width - 1)).append(suit_text(card.suit))


def cards_text(cards: Iterable[Card]) -> Text:
    """Give cards in a row."""
    return Text(" ").join(map(card_text, cards))


def hand_text(cards: Iterable[Card]) -> Text:
    """Give a hand by suits, strongest cards first."""
    held = sorted(cards, reverse=True)
    hand = Text()
    for suit in Suit:
        ranks = " ".join(_rank(card.rank) for card in held if card.suit is suit)
        hand.append(suit_text(suit)).append(f" {ranks or '–':<12} ")
    hand.rstrip()
    return hand


def suit_text(suit: Suit) -> Text:
    """Give a suit's symbol."""
    return Text(suit.symbol, "red" if suit in _RED else "")


def _rank(rank: Rank) -> str:
    return "10" if rank is Rank.TEN else rank.letter
