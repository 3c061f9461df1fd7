"""The pack, its written form, and sets of cards (rules 1 to 5)."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thousand.cards import (
    CARDS,
    MARRIAGE_MASKS,
    PACK,
    SUIT_MASKS,
    Card,
    Rank,
    Suit,
    cards_in,
    marriage_points_in,
    marriages_in,
    mask_of,
    points_in,
    subsets_of,
    text_of,
)
from thousand.errors import MalformedAction

card_sets = st.sets(st.sampled_from(CARDS))


def test_the_pack_has_each_of_six_ranks_in_each_of_four_suits() -> None:  # rule 1
    assert len(CARDS) == 24
    assert {(card.rank, card.suit) for card in CARDS} == {
        (rank, suit) for rank in Rank for suit in Suit
    }
    assert list(CARDS) == sorted(CARDS)


@pytest.mark.parametrize("suit", Suit)
def test_the_ten_is_between_ace_and_king(suit: Suit) -> None:  # rule 2
    strongest_first = [
        card.rank.letter for card in sorted(CARDS, reverse=True) if card.suit is suit
    ]
    assert "".join(strongest_first) == "ATKQJ9"


@pytest.mark.parametrize(
    ("text", "points"), [("AS", 11), ("TC", 10), ("KD", 4), ("QH", 3), ("JS", 2), ("9C", 0)]
)
def test_card_points(text: str, points: int) -> None:  # rule 3
    card = Card.parse(text)
    assert card.points == card.rank.points == points


def test_the_pack_is_worth_120_points() -> None:  # rule 3
    assert points_in(PACK) == 120


@pytest.mark.parametrize(
    ("letter", "symbol", "value"), [("S", "♠", 40), ("C", "♣", 60), ("D", "♦", 80), ("H", "♥", 100)]
)
def test_marriages_are_worth_more_suit_by_suit(letter: str, symbol: str, value: int) -> None:
    king, queen = Card.parse("K" + letter), Card.parse("Q" + letter)  # rule 4
    assert (king.suit.letter, king.suit.symbol) == (letter, symbol)
    assert king.suit.marriage_value == value
    assert marriage_points_in(mask_of([king, queen])) == value
    assert marriage_points_in(mask_of([king])) == marriage_points_in(mask_of([queen])) == 0


def test_king_and_queen_of_one_suit_are_partners_and_no_other_cards() -> None:  # rule 4
    partners = {str(card): str(card.partner) for card in CARDS if card.partner is not None}
    of_queens = {"QS": "KS", "QC": "KC", "QD": "KD", "QH": "KH"}
    assert partners == of_queens | {king: queen for queen, king in of_queens.items()}


@pytest.mark.parametrize("card", CARDS, ids=str)
def test_rank_then_suit_is_the_written_form(card: Card) -> None:  # rule 5
    assert str(card) == card.rank.letter + card.suit.letter
    assert f"{card}" == text_of([card])[0] == str(card)
    assert Card.parse(str(card)) is card
    assert Card.of(card.rank, card.suit) is card
    assert repr(card) == f"Card.parse('{card}')"


@pytest.mark.parametrize("text", ["", "A", "SA", "as", "10S", "1S", "AX", "AS ", "0"])
def test_what_is_no_card_is_malformed(text: str) -> None:
    with pytest.raises(MalformedAction, match="is not a card; write rank then suit"):
        Card.parse(text)


@pytest.mark.parametrize("number", [-1, 24, 255])
def test_there_are_no_cards_but_numbers_0_to_23(number: int) -> None:
    with pytest.raises(MalformedAction, match=f"no card number {number};"):
        Card(number)


@pytest.mark.parametrize("card", CARDS, ids=str)
def test_a_card_survives_pickling_and_copying(card: Card) -> None:
    for twin in (pickle.loads(pickle.dumps(card)), copy.copy(card), copy.deepcopy(card)):
        assert type(twin) is Card
        assert twin == card


@given(card_sets)
def test_a_set_of_cards_keeps_its_cards_in_order(chosen: set[Card]) -> None:
    assert cards_in(mask_of(chosen)) == tuple(sorted(chosen))


@given(card_sets)
def test_points_of_a_set_are_those_of_its_cards(chosen: set[Card]) -> None:
    assert points_in(mask_of(chosen)) == sum(card.points for card in chosen)


@given(card_sets)
def test_marriages_of_a_set_are_its_cards_whose_partner_is_there(chosen: set[Card]) -> None:
    wed = {card for card in chosen if card.partner in chosen}
    assert marriages_in(mask_of(chosen)) == mask_of(wed)
    kings = [card for card in wed if card.rank is Rank.KING]
    assert marriage_points_in(mask_of(chosen)) == sum(card.suit.marriage_value for card in kings)


@pytest.mark.parametrize("suit", Suit)
def test_masks_of_a_suit(suit: Suit) -> None:
    assert cards_in(SUIT_MASKS[suit]) == tuple(card for card in CARDS if card.suit is suit)
    assert set(cards_in(MARRIAGE_MASKS[suit])) == {
        Card.of(Rank.KING, suit),
        Card.of(Rank.QUEEN, suit),
    }


def test_subsets_are_numbered_by_their_bits() -> None:
    assert subsets_of("abc") == (
        (), ("a",), ("b",), ("a", "b"), ("c",), ("a", "c"), ("b", "c"), ("a", "b", "c"),
    )  # fmt: skip
