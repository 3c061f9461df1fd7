"""The 24 cards, and sets of cards as bit masks.

A card is a number from 0 to 23: six times its suit plus its rank, ranks in order of
strength. Suits come in the order of their marriages' values. So ``Card(0)`` is the
nine of spades, ``Card(23)`` the ace of hearts, and of two cards of one suit the
larger number is the stronger card (rule 2).

A set of cards is a `CardMask`: an integer with bit *n* set for card number *n*.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import IntEnum
from typing import Final, Self, TypeAlias, TypeVar

from thousand.errors import MalformedAction

CardMask: TypeAlias = int
"""A set of cards: bit *n* stands for card number *n*."""

_T = TypeVar("_T")

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


class Card(int):
    """One card; an integer from 0 to 23, so it can index and be shifted by."""

    __slots__ = ()

    def __new__(cls, number: int) -> Self:
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
        return SUIT_OF[self]

    @property
    def rank(self) -> Rank:
        """The card's rank."""
        return RANK_OF[self]

    @property
    def points(self) -> int:
        """Card points (rule 3)."""
        return CARD_POINTS[self]

    @property
    def partner(self) -> Card | None:
        """The other half of this card's marriage; None unless king or queen."""
        if self.rank is Rank.KING:
            return CARDS[self - 1]
        return CARDS[self + 1] if self.rank is Rank.QUEEN else None

    def __str__(self) -> str:
        return CARD_TEXTS[self]

    def __repr__(self) -> str:
        return f"Card.parse({CARD_TEXTS[self]!r})"

    def __reduce__(self) -> tuple[type[Card], tuple[int]]:
        return Card, (int(self),)


CARDS: Final[tuple[Card, ...]] = tuple(Card(number) for number in range(24))

# By card number. A look-up here is several times faster than arithmetic on a `Card`.
SUIT_OF: Final[tuple[Suit, ...]] = tuple(suit for suit in Suit for _ in Rank)
RANK_OF: Final[tuple[Rank, ...]] = tuple(rank for _ in Suit for rank in Rank)
CARD_POINTS: Final[tuple[int, ...]] = tuple(rank.points for rank in RANK_OF)
CARD_TEXTS: Final[tuple[str, ...]] = tuple(
    rank.letter + suit.letter for rank, suit in zip(RANK_OF, SUIT_OF, strict=True)
)
_BY_TEXT: Final = dict(zip(CARD_TEXTS, CARDS, strict=True))

PACK: Final[CardMask] = (1 << 24) - 1
"""All 24 cards."""

SUIT_MASKS: Final[tuple[CardMask, ...]] = tuple(0b111111 << 6 * suit for suit in range(4))
"""The six cards of each suit."""

MARRIAGE_MASKS: Final[tuple[CardMask, ...]] = tuple(0b001100 << 6 * suit for suit in range(4))
"""King and queen of each suit."""

_KINGS: Final[CardMask] = sum(1 << 6 * suit + Rank.KING for suit in Suit)


def mask_of(cards: Iterable[int]) -> CardMask:
    """Give the set of these cards."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def subsets_of(items: Sequence[_T]) -> tuple[tuple[_T, ...], ...]:
    """Give all subsets: number *n* has the items whose bits are set in *n*, in order."""
    subsets: list[tuple[_T, ...]] = [()]
    for item in items:
        subsets += [(*subset, item) for subset in subsets]
    return tuple(subsets)


# A set of cards is spelled out by two look-ups: its part in the lower half of the
# pack (12 bits, 4096 subsets), then its part in the upper half.
_LOWER_HALVES: Final = subsets_of(CARDS[:12])
_UPPER_HALVES: Final = subsets_of(CARDS[12:])


def cards_in(mask: CardMask) -> tuple[Card, ...]:
    """Give the cards of a set in ascending order: by suit, then by strength."""
    return _LOWER_HALVES[mask & 0xFFF] + _UPPER_HALVES[mask >> 12]


def points_in(mask: CardMask) -> int:
    """Add up the card points of a set (rule 3)."""
    return sum(CARD_POINTS[card] for card in cards_in(mask))


def marriages_in(mask: CardMask) -> CardMask:
    """Give the kings and queens of a set whose other half is in it too (rule 4)."""
    kings = mask & mask << 1 & _KINGS  # shifted up by one, a queen stands on her king
    return kings | kings >> 1


_MARRIAGE_POINTS: Final[dict[CardMask, int]] = {
    sum(MARRIAGE_MASKS[suit] for suit in suits): sum(suit.marriage_value for suit in suits)
    for suits in subsets_of(tuple(Suit))
}
"""The value of each of the sixteen sets of whole marriages."""


def marriage_points_in(mask: CardMask) -> int:
    """Add up the values of the whole marriages in a set (rule 9)."""
    return _MARRIAGE_POINTS[marriages_in(mask)]


def text_of(cards: Iterable[int]) -> list[str]:
    """Write cards as in logs: ``["AS", "TH"]``."""
    return [CARD_TEXTS[card] for card in cards]
