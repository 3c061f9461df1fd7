"""The moves of `thousand.solver`, in an order that makes it fast, from tables.

Suits and trumps are plain numbers here, `NO_TRUMP` while there is none. Whatever order the
moves are tried in, the solver's answer is the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from thousand.cards import CardMask, Rank, Suit

NO_TRUMP: Final = 4

FAR: Final = 1000
"""More than any points."""

_BEYOND: Final = 1 << 24
"""More than any card, as a mask."""

Move: TypeAlias = tuple[CardMask, int, int]
"""A card as a mask, its points, and how far its value may be from that of the move before."""


def leads_of(
    hand: CardMask, others: CardMask, trump: int
) -> list[tuple[int, int, int, Sequence[Move]]]:
    """Give the leads as (suit, trump from now on, announced points, moves).

    Announcements first, then suits whose best card nobody beats, then the others.
    """
    leads: list[tuple[int, int, int, Sequence[Move]]] = []
    weak: list[tuple[int, int, int, Sequence[Move]]] = []
    if hand & hand << 1 & KINGS and hand.bit_count() < 8:  # none on the first lead (rule 18)
        leads = [
            (suit, suit, _VALUES[suit], _ANNOUNCEMENTS[suit])
            for suit in (3, 2, 1, 0)
            if hand >> 6 * suit & _COUPLE == _COUPLE
        ]
    for suit in (0, 1, 2, 3):
        own = hand >> 6 * suit & 63
        if own:
            rest = others >> 6 * suit & 63
            lead = (suit, trump, 0, _HIGH_FIRST[suit][own | rest << 6])
            if own > rest:
                leads.append(lead)
            else:
                weak.append(lead)
    return leads + weak


def replies_to(
    hand: CardMask, others: CardMask, trump: int, led: int, winning: CardMask
) -> tuple[Sequence[Move], CardMask]:
    """Give the legal cards, and what one of them must exceed to be winning (rules 15, 16).

    Cards that follow suit come with the highest first, all others with the lowest first.
    """
    own = hand >> 6 * led & 63
    if own:
        moves: Sequence[Move] = _HIGH_FIRST[led][own | (others >> 6 * led & 63) << 6]
        return moves, winning if winning >> 6 * led & 63 else _BEYOND
    if trump != NO_TRUMP:
        own = hand >> 6 * trump & 63
        if own:
            moves = _LOW_FIRST[trump][own | (others >> 6 * trump & 63) << 6]
            return moves, winning if winning >> 6 * trump & 63 else 0
    cards: list[Move] = []
    for suit in (0, 1, 2, 3):
        own = hand >> 6 * suit & 63
        if own:
            cards += _LOW_FIRST[suit][own | (others >> 6 * suit & 63) << 6]
    return cards, _BEYOND


_COUPLE: Final = 1 << Rank.QUEEN | 1 << Rank.KING
KINGS: Final[CardMask] = sum(1 << 6 * suit + Rank.KING for suit in Suit)
_VALUES: Final = tuple(suit.marriage_value for suit in Suit)
MARRIAGES: Final = {
    sum(1 << 6 * suit + Rank.KING for suit in Suit if suits >> suit & 1): sum(
        suit.marriage_value for suit in Suit if suits >> suit & 1
    )
    for suits in range(16)
}
"""The value of marriages, by the set of their kings."""


def _moves_of(own: int, rest: int, suit: Suit, *, high_first: bool) -> tuple[Move, ...]:
    """Give the cards of one hand in a suit, each after those it touches; masks are of ranks."""
    ranks = sorted((rank for rank in Rank if own >> rank & 1), reverse=high_first)
    couple = [rank for rank in ranks if own & _COUPLE == _COUPLE and _COUPLE >> rank & 1]
    moves = []
    for group in ([rank for rank in ranks if rank not in couple], couple):
        for place, rank in enumerate(group):
            difference = FAR
            if place:
                before = group[place - 1]
                between = (1 << max(rank, before)) - (2 << min(rank, before))
                if not rest & between:
                    difference = abs(rank.points - before.points)
            moves.append((1 << 6 * suit + rank, rank.points, difference))
    return tuple(moves)


def _all_moves(*, high_first: bool) -> tuple[tuple[tuple[Move, ...], ...], ...]:
    """Give the moves in each suit, by the ranks of the hand and those of the others above."""
    return tuple(
        tuple(
            () if own & rest else _moves_of(own, rest, suit, high_first=high_first)
            for rest in range(64)
            for own in range(64)
        )
        for suit in Suit
    )


_HIGH_FIRST: Final = _all_moves(high_first=True)
_LOW_FIRST: Final = _all_moves(high_first=False)
_ANNOUNCEMENTS: Final = tuple(_moves_of(_COUPLE, 0, suit, high_first=True) for suit in Suit)
