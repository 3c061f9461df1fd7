"""Dealing cards from a seed, by a construction that any language can redo.

A seed of a block and the number of a deal fix the cards, whoever plays them. With
``|`` joining byte strings and ``text`` in UTF-8:

1. **Block seed**: the first 16 bytes of
   ``SHA-256("thousand block 1" | 0 | tournament seed | 0 | A | 0 | B | 0 | C | 0 | block)``.
   A, B and C are the trio's entry names in ascending order of their UTF-8 bytes; the
   block is a decimal number from 0; 0 stands for one zero byte.
2. **Random bytes of a deal**: the digests
   ``SHA-256("thousand deal 1" | 0 | block seed | deal | n)`` for n = 0, 1, 2, … one after
   the other; deal (from 1) and n are four bytes each, big-endian.
3. **Shuffle**: start with cards 0 to 23 in order. For i = 23 down to 1, take the next
   random byte b, skipping bytes at or above the largest multiple of i + 1 that is at
   most 256; swap cards i and b mod (i + 1).
4. **Deal**: cards 0–6 go to seat 0, 7–13 to seat 1, 14–20 to seat 2, 21–23 to the talon.

A block seed says nothing about the tournament seed or about other blocks, as long as
the tournament seed can't be guessed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256

from thousand.cards import CARDS, Card

SEED_BYTES = 16


def block_seed(tournament_seed: str, trio: Sequence[str], block: int) -> bytes:
    """Give the 16-byte seed of a block; the order of `trio` does not matter (step 1)."""
    names = sorted(name.encode() for name in trio)
    parts = (b"thousand block 1", tournament_seed.encode(), *names, str(block).encode())
    return sha256(b"\0".join(parts)).digest()[:SEED_BYTES]


def deal_cards(seed: bytes, deal: int) -> tuple[tuple[tuple[Card, ...], ...], tuple[Card, ...]]:
    """Give the hands by seat and the talon of deal number `deal`, from 1 (steps 2 to 4)."""
    randoms = _random_bytes(seed, deal)
    cards = list(CARDS)
    for last in range(23, 0, -1):
        size = last + 1
        byte = next(randoms)
        while byte >= 256 - 256 % size:
            byte = next(randoms)
        other = byte % size
        cards[last], cards[other] = cards[other], cards[last]
    hands = tuple(tuple(cards[first : first + 7]) for first in (0, 7, 14))
    return hands, tuple(cards[21:])


def _random_bytes(seed: bytes, deal: int) -> Iterator[int]:
    start = b"thousand deal 1\0" + seed + deal.to_bytes(4, "big")
    counter = 0
    while True:
        yield from sha256(start + counter.to_bytes(4, "big")).digest()
        counter += 1
