"""Dealing from a seed, against the construction done over again step by step."""

from __future__ import annotations

import hashlib
from collections import Counter
from itertools import islice, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thousand.cards import CARDS, text_of
from thousand.rules import block_seed, deal_cards
from thousand.rules.dealing import _random_bytes

GOLDEN_SEEDS = [
    ("summer cup", ("alice", "bob", "carol"), 0, "63dbbc27f909e8b8ff7f1ea75f37acd6"),
    ("summer cup", ("alice", "bob", "carol"), 12, "67b54ca5b21aaf221923f4a402ee0e76"),
    ("", ("é", "z", "Z"), 1, "fc826cfa7fc66ae9b397209dda71b0b2"),
]
GOLDEN_DEALS = [
    (bytes(16), 1, "JC 9H JH TS TC KH QC  KD 9D AS 9S QD JD TD  AC TH 9C QS JS QH KS  AD KC AH"),
    (bytes(16), 146, "KC KH KD AD JD JH TC  AS QH QD TH AC 9S TS  JS 9D 9C 9H TD KS QC  JC QS AH"),
    (
        bytes(range(16)),
        182,
        "TS JD TH AS QS JC KC  9H AH QH JS KS QC 9S  9D KD TC AD TD AC 9C  QD JH KH",
    ),
]
"""The last two skip bytes, and swap the last two cards."""


def expected_seed(tournament_seed: str, trio: tuple[str, ...], block: int) -> str:
    """Follow step 1 of the construction."""
    first, second, third = sorted(name.encode("utf-8") for name in trio)
    text = b"thousand block 1\x00" + tournament_seed.encode("utf-8")
    text += b"\x00" + first + b"\x00" + second + b"\x00" + third
    text += b"\x00" + str(block).encode("ascii")
    return hashlib.sha256(text).hexdigest()[:32]


def expected_cards(seed: bytes, deal: int) -> list[str]:
    """Follow steps 2 and 3 of the construction; ten digests are more than enough."""
    digests = [
        hashlib.sha256(
            b"thousand deal 1\x00"
            + seed
            + bytes([deal >> 24, deal >> 16 & 255, deal >> 8 & 255, deal & 255])
            + bytes([0, 0, 0, number])
        ).digest()
        for number in range(10)
    ]
    randoms = list(b"".join(digests))
    pack = [rank + suit for suit in "SCDH" for rank in "9JQKTA"]
    for i in reversed(range(1, 24)):
        largest_multiple = max(m for m in range(257) if m % (i + 1) == 0)
        while randoms[0] >= largest_multiple:
            randoms.pop(0)
        j = randoms.pop(0) % (i + 1)
        pack[i], pack[j] = pack[j], pack[i]
    return pack


def dealt(seed: bytes, deal: int) -> list[str]:
    hands, talon = deal_cards(seed, deal)
    return [text for cards in (*hands, talon) for text in text_of(cards)]


@pytest.mark.parametrize(("tournament", "trio", "block", "golden"), GOLDEN_SEEDS)
def test_golden_block_seeds(
    tournament: str, trio: tuple[str, str, str], block: int, golden: str
) -> None:
    assert block_seed(tournament, trio, block).hex() == golden
    assert expected_seed(tournament, trio, block) == golden


@pytest.mark.parametrize(("seed", "deal", "golden"), GOLDEN_DEALS)
def test_golden_deals(seed: bytes, deal: int, golden: str) -> None:
    assert dealt(seed, deal) == golden.split()
    assert expected_cards(seed, deal) == golden.split()


@given(st.text(), st.tuples(st.text(), st.text(), st.text()), st.integers(0, 10**6))
def test_any_block_seed_follows_the_construction(
    tournament: str, trio: tuple[str, str, str], block: int
) -> None:
    assert block_seed(tournament, trio, block).hex() == expected_seed(tournament, trio, block)


@given(st.binary(min_size=16, max_size=16), st.integers(1, 2**32 - 1))
def test_any_deal_follows_the_construction(seed: bytes, deal: int) -> None:
    assert dealt(seed, deal) == expected_cards(seed, deal)


def test_random_bytes_go_on_with_the_next_digest() -> None:
    """A shuffle may need more than one digest, though that is too rare to come upon."""
    start = b"thousand deal 1\0" + bytes(16) + b"\0\0\0\x07"
    digests = [hashlib.sha256(start + bytes([0, 0, 0, number])).digest() for number in range(3)]
    assert bytes(islice(_random_bytes(bytes(16), 7), 96)) == b"".join(digests)


def test_the_order_of_the_names_does_not_matter() -> None:
    seeds = {block_seed("cup", trio, 3) for trio in permutations(("carol", "alice", "bob"))}
    assert len(seeds) == 1


def test_names_are_sorted_by_their_bytes() -> None:
    """As text in a French or Swedish order, é would come before z."""
    assert (
        block_seed("cup", ("é", "z", "a"), 0).hex()
        == (hashlib.sha256(b"thousand block 1\0cup\0a\0z\0\xc3\xa9\x000").hexdigest()[:32])
    )


def test_seed_trio_block_and_deal_all_change_the_cards() -> None:
    seeds = [
        block_seed("cup", ("a", "b", "c"), 0),
        block_seed("cut", ("a", "b", "c"), 0),
        block_seed("cup", ("a", "b", "d"), 0),
        block_seed("cup", ("a", "b", "c"), 1),
    ]
    deals = {tuple(dealt(seed, deal)) for seed in seeds for deal in (1, 2, 256)}
    assert len(deals) == 12


@given(st.binary(min_size=16, max_size=16), st.integers(1, 200))
def test_each_gets_seven_cards_and_three_lie_in_the_talon(seed: bytes, deal: int) -> None:  # rule 6
    hands, talon = deal_cards(seed, deal)
    assert [len(hand) for hand in hands] == [7, 7, 7]
    assert len(talon) == 3
    assert sorted([*hands[0], *hands[1], *hands[2], *talon]) == list(CARDS)


def test_each_card_falls_on_each_place_equally_often() -> None:
    """Chi-square over the 24 x 24 table of cards and places, from a fixed seed.

    Uniform shuffles give 529 degrees of freedom, so 529 with a standard deviation of
    32.5. Taking bytes modulo the size without skipping any gives over 700.
    """
    deals = 20_000
    counts = Counter[tuple[int, int]]()
    for deal in range(1, deals + 1):
        hands, talon = deal_cards(b"sixteen byte key", deal)
        counts.update(enumerate([*hands[0], *hands[1], *hands[2], *talon]))
    expected = deals / 24
    squares = sum(
        (counts[place, card] - expected) ** 2 for place in range(24) for card in range(24)
    )
    chi_square = squares / expected * 23 / 24
    assert 529 - 4 * 32.5 < chi_square < 529 + 4 * 32.5
