"""The flat shapes of cards, bids and barrels: a byte or a number for each."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from thousand.cards import CARDS, Card

KEPT: Final = 1024
"""Enough for the deals of all tables that are played at a time. What is kept is never changed."""


def barrel_bytes(barrel: Sequence[int | None]) -> bytes:
    """Write the barrel, by seat: 0 for who is not on it, else 1 + the deals used."""
    return bytes([0 if used is None else used + 1 for used in barrel])


# Many messages repeat these: a hand is also what may be led.


@lru_cache(maxsize=KEPT)
def read_cards(numbers: bytes) -> tuple[Card, ...]:
    """Read cards; IndexError for a number beyond 23."""
    return tuple([CARDS[number] for number in numbers])


@lru_cache(maxsize=KEPT)
def read_bids(bidders: bytes, bids: tuple[int, ...]) -> tuple[tuple[int, int | None], ...]:
    """Read who bid what, None for a pass; ValueError when there are more of one."""
    return tuple([(seat, bid or None) for seat, bid in zip(bidders, bids, strict=True)])


@lru_cache(maxsize=KEPT)
def read_barrel(flags: bytes) -> tuple[int | None, ...]:
    """Read the barrel, by seat: the deals used there, or None."""
    return tuple([flag - 1 if flag else None for flag in flags])


@lru_cache(maxsize=KEPT)
def read_flags(flags: bytes) -> tuple[bool, ...]:
    """Read what is true (1) and what is not."""
    return tuple([flag == 1 for flag in flags])
