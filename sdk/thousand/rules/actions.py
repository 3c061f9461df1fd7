"""The four kinds of decision a seat takes in a deal, and the actions that answer them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from itertools import permutations
from typing import Final, TypeAlias

from thousand.cards import CARDS, Card, CardMask, cards_in, subsets_of


class Decision(IntEnum):
    """What a seat is asked; the numbers are those of the protocol's enum."""

    BID = 1
    GIVE = 2
    RAISE = 3
    PLAY = 4


@dataclass(frozen=True, slots=True)
class Bid:
    """A bid in points, or None to pass (rules 7 and 8)."""

    amount: int | None


@dataclass(frozen=True, slots=True)
class Give:
    """The declarer's two gifts: to the left opponent and to the right one (rule 12)."""

    to_left: Card
    to_right: Card


@dataclass(frozen=True, slots=True)
class Raise:
    """The contract to play; the present contract keeps it (rule 13)."""

    amount: int


@dataclass(frozen=True, slots=True)
class Play:
    """A card to the trick; `announce` declares the marriage it belongs to (rule 17)."""

    card: Card
    announce: bool = False

    @staticmethod
    def of(card: Card, *, announce: bool = False) -> Play:
        """Give the play that was made once and for all; the same as making it anew."""
        return _ANNOUNCEMENTS[card] if announce else _PLAYS[card]

    def __str__(self) -> str:
        return f"{self.card}!" if self.announce else str(self.card)


Action: TypeAlias = Bid | Give | Raise | Play

# Actions are values, so each is made once and handed out again and again.
_GIVES: Final = {pair: Give(*pair) for pair in permutations(CARDS, 2)}
_PLAYS: Final = tuple(Play(card) for card in CARDS)
_LOWER_PLAYS: Final = subsets_of(_PLAYS[:12])
_UPPER_PLAYS: Final = subsets_of(_PLAYS[12:])
_ANNOUNCEMENTS: Final = tuple(Play(card, announce=True) for card in CARDS)


def gives_in(hand: CardMask) -> tuple[Give, ...]:
    """Spell out legal gifts: any two different cards of a hand, either way round."""
    return tuple(map(_GIVES.__getitem__, permutations(cards_in(hand), 2)))


def plays_in(playable: CardMask, announceable: CardMask = 0) -> tuple[Play, ...]:
    """Spell out legal plays: each playable card, and each announceable one once more."""
    plays = _LOWER_PLAYS[playable & 0xFFF] + _UPPER_PLAYS[playable >> 12]
    if announceable:
        plays += tuple([_ANNOUNCEMENTS[card] for card in cards_in(announceable)])
    return plays
