"""From games to complete blocks."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from thousand_referee.ratings import GameRecord
from thousand_referee.ratings.blocks import collect_blocks


def block_of(trio: str, block: int, order: str) -> list[GameRecord]:
    """A block in which the bots always finish in `order`; points and faults tell the bots."""
    return [
        GameRecord(
            trio=(a, b, c),
            block=block,
            places=(order.index(a) + 1, order.index(b) + 1, order.index(c) + 1),
            points=(100 * number(a), 100 * number(b), 100 * number(c)),
            deals=10,
            faults=(number(a), number(b), number(c)),
        )
        for a, b, c in permutations(sorted(trio))
    ]


def number(name: str) -> int:
    return ord(name) - ord("a")


def test_seats_are_undone() -> None:
    blocks = collect_blocks(block_of("cab", 3, "bca"), ["c", "a", "b"])
    assert blocks.names == ("a", "b", "c")
    assert blocks.trios.tolist() == [[0, 1, 2]]
    assert blocks.half_wins.tolist() == [[0, 0, 12]]
    assert blocks.points.tolist() == [[0, 600, 1200]]
    assert blocks.deals.tolist() == [60]
    assert blocks.sixths.tolist() == [[0, 36, 0]]
    assert blocks.places.tolist() == [[18, 6, 12]]
    assert blocks.faults.tolist() == [[0, 6, 12]]


@pytest.mark.parametrize(
    ("places", "half_wins", "sixths"),
    [
        ((1, 2, 3), [2, 2, 2], [6, 0, 0]),
        ((1, 2, 2), [2, 2, 1], [6, 0, 0]),
        ((1, 1, 3), [1, 2, 2], [3, 3, 0]),
        ((2, 1, 1), [0, 0, 1], [0, 3, 3]),
        ((1, 1, 1), [1, 1, 1], [2, 2, 2]),
    ],
)
def test_equal_places_are_half_a_win_and_a_shared_win_a_part(
    places: tuple[int, int, int], half_wins: list[int], sixths: list[int]
) -> None:
    games = block_of("abc", 0, "abc")
    shared = []
    for game in games:
        a, b, c = (places[number(name)] for name in game.trio)
        shared.append(replace(game, places=(a, b, c)))
    blocks = collect_blocks(shared, "abc")
    assert (blocks.half_wins / 6).tolist() == [half_wins]
    assert (blocks.sixths / 6).tolist() == [sixths]


def test_incomplete_blocks_are_left_out() -> None:
    games = block_of("abc", 0, "abc") + block_of("abd", 0, "abd")[1:] + block_of("abc", 7, "cba")
    blocks = collect_blocks(games[:-1], "abcd")
    assert blocks.trios.tolist() == [[0, 1, 2]]
    assert blocks.games_left_out == 10
    assert collect_blocks(games, "abcd").half_wins.tolist() == [[12, 12, 12], [0, 0, 0]]


def test_blocks_of_two_trios_are_told_apart() -> None:
    halves = block_of("abc", 0, "abc")[:3] + block_of("abd", 0, "abd")[3:]
    assert collect_blocks(halves, "abcd").count == 0


def test_no_games_make_no_blocks() -> None:
    blocks = collect_blocks([], "abc")
    assert blocks.count == blocks.games_left_out == 0
    assert blocks.per_bot(np.ones_like(blocks.trios)).tolist() == [0, 0, 0]


def test_a_game_twice_is_rejected() -> None:
    games = block_of("abc", 4, "abc")
    with pytest.raises(ValueError, match="block 4, seating b · c · a: is there twice"):
        collect_blocks([*games, games[3]], "abc")


def test_an_unknown_bot_is_rejected() -> None:
    with pytest.raises(ValueError, match="block 2 of a · b · c: bot 'c' is not among the entries"):
        collect_blocks(block_of("abc", 2, "abc"), "ab")


def test_an_entry_twice_is_rejected() -> None:
    with pytest.raises(ValueError, match="'b' is listed twice"):
        collect_blocks([], "bab")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"trio": ("a", "b", "a")}, "block 1, seating a · b · a: has one bot at two seats"),
        ({"places": (0, 1, 2)}, "has places outside 1 to 3"),
        ({"places": (1, 2, 4)}, "has places outside 1 to 3"),
        ({"places": (2, 2, 3)}, "has nobody at place 1"),
        ({"deals": 0}, "has no deals"),
    ],
)
def test_impossible_games_are_rejected(changes: dict[str, Any], message: str) -> None:
    first, *others = block_of("abc", 1, "abc")
    changed = replace(first, **changes)
    with pytest.raises(ValueError, match=message):
        collect_blocks([*others, changed], "abc")
