"""The 24 cards, and sets of cards as bit masks.

A card is a number from 0 to 23: six times its suit plus its rank, ranks in order of
strength. Suits come in the order of their marriages' values. So ``Card(0)`` is the
nine of spades, ``Card(23)`` the ace of hearts, and of two cards of one suit the
larger number is the stronger card (rule 2).

A set of cards is a `CardMask`: an integer with bit *n* set for card number *n*.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import Final, TypeAlias

from thousand.errors import MalformedAction

CardMask: TypeAlias = int
"""A set of cards: bit *n* stands for card number *n*."""

SUIT_LETTERS: Final = "SCDH"
RANK_LETTERS: Final = "9JQKTA"
_SUIT_SYMBOLS: Final = "♠♣♦♥"
_MARRIAGE_VALUES: Final = (40, 60, 80, 100)
_RANK_POINTS: Final = (0, 2, 3, 4, 10, 11)


class Suit(IntEnum):
    """A suit, ordered by the value of its marriage."""

    SPADES = 0
    CLUBS = 1
    DIAMONDS = 2
    HEARTS = 3

    @property
    def letter(self) -> str:
        """The suit in written form: S, C, D or H."""
        return SUIT_LETTERS[self]

    @property
    def symbol(self) -> str:
        """The suit as people draw it: ♠ ♣ ♦ ♥."""
        return _SUIT_SYMBOLS[self]

    @property
    def marriage_value(self) -> int:
        """Points for announcing king and queen of this suit (rule 4)."""
        return _MARRIAGE_VALUES[self]


class Rank(IntEnum):
    """A rank, ordered by strength: the ten beats the king (rule 2)."""

    NINE = 0
    JACK = 1
    QUEEN = 2
    KING = 3
    TEN = 4
    ACE = 5

    @property
    def letter(self) -> str:
        """The rank in written form: 9, J, Q, K, T or A."""
        return RANK_LETTERS[self]

    @property
    def points(self) -> int:
        """Card points of this rank (rule 3)."""
        return _RANK_POINTS[self]


_SUITS: Final = tuple(Suit)
_RANKS: Final = tuple(Rank)


class Card(int):
    """One card; an integer from 0 to 23, so it can index and be shifted by."""

    __slots__ = ()

    def __new__(cls, number: int) -> Card:
        """Give the card with this number; `MalformedAction` when there is none."""
        if not 0 <= number < 24:
            raise MalformedAction(f"there is no card number {number}; cards are 0 to 23")
        return super().__new__(cls, number)

    @classmethod
    def of(cls, rank: Rank, suit: Suit) -> Card:
        """Give the card of this rank and suit."""
        return CARDS[6 * suit + rank]

    @classmethod
    def parse(cls, text: str) -> Card:
        """Read the written form, ``AS`` or ``9C`` (rule 5); `MalformedAction` otherwise."""
        card = _BY_TEXT.get(text)
        if card is None:
            raise MalformedAction(
                f"{text!r} is not a card; write rank then suit, like AS, TH or 9C"
            )
        return card

    @property
    def suit(self) -> Suit:
        """The card's suit."""
        return _SUITS[self // 6]

    @property
    def rank(self) -> Rank:
        """The card's rank."""
        return _RANKS[self % 6]

    @property
    def points(self) -> int:
        """Card points (rule 3)."""
        return CARD_POINTS[self]

    @property
    def partner(self) -> Card | None:
        """The other half of this card's marriage; None unless king or queen."""
        rank = self % 6
        if rank == Rank.KING:
            return CARDS[self - 1]
        return CARDS[self + 1] if rank == Rank.QUEEN else None

    def __str__(self) -> str:
        return CARD_TEXTS[self]

    def __repr__(self) -> str:
        return f"Card.parse({CARD_TEXTS[self]!r})"

    def __reduce__(self) -> tuple[type[Card], tuple[int]]:
        return Card, (int(self),)


CARDS: Final[tuple[Card, ...]] = tuple(Card(number) for number in range(24))
CARD_POINTS: Final[tuple[int, ...]] = tuple(_RANK_POINTS[number % 6] for number in range(24))
CARD_TEXTS: Final[tuple[str, ...]] = tuple(
    RANK_LETTERS[number % 6] + SUIT_LETTERS[number // 6] for number in range(24)
)
_BY_TEXT: Final = dict(zip(CARD_TEXTS, CARDS, strict=True))

PACK: Final[CardMask] = (1 << 24) - 1
"""All 24 cards."""

SUIT_MASKS: Final[tuple[CardMask, ...]] = tuple(0b111111 << 6 * suit for suit in range(4))
"""The six cards of each suit."""

MARRIAGE_MASKS: Final[tuple[CardMask, ...]] = tuple(0b001100 << 6 * suit for suit in range(4))
"""King and queen of each suit."""


def mask_of(cards: Iterable[int]) -> CardMask:
    """Give the set of these cards."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def _halves(first: int) -> tuple[tuple[Card, ...], ...]:
    """For each set of the twelve cards from `first` on, those cards in ascending order."""
    sets: list[tuple[Card, ...]] = [()]
    for card in CARDS[first : first + 12]:
        sets += [cards + (card,) for cards in sets]
    return tuple(sets)


_LOW_HALF: Final = _halves(0)
_HIGH_HALF: Final = _halves(12)


def cards_in(mask: CardMask) -> tuple[Card, ...]:
    """Give the cards of a set in ascending order: by suit, then by strength."""
    return _LOW_HALF[mask & 0xFFF] + _HIGH_HALF[mask >> 12]


def points_in(mask: CardMask) -> int:
    """Add up the card points of a set (rule 3)."""
    return sum(CARD_POINTS[card] for card in cards_in(mask))


def marriage_points_in(mask: CardMask) -> int:
    """Add up the values of the whole marriages in a set (rule 9)."""
    total = 0
    for suit_mask, value in zip(MARRIAGE_MASKS, _MARRIAGE_VALUES, strict=True):
        if mask & suit_mask == suit_mask:
            total += value
    return total


def text_of(cards: Iterable[int]) -> list[str]:
    """Write cards as in logs: ``["AS", "TH"]``."""
    return [CARD_TEXTS[card] for card in cards]
