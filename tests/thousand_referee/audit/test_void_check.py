"""Who may be behind void matches: named when luck does not explain it, and only then."""

from __future__ import annotations

import random
from itertools import combinations

from thousand_referee.audit.void_check import void_suspicions
from thousand_referee.voids import Void

NAMES = [f"bot{number}" for number in range(8)]
TRIOS = list(combinations(NAMES, 3))


def voids(*matches: tuple[str, tuple[str, str, str]]) -> list[Void]:
    return [Void(match=match, bots=bots, reason="x", at="now") for match, bots in matches]


def test_a_bot_that_is_in_most_void_matches_is_named_and_nobody_else() -> None:
    own = [trio for trio in TRIOS if "bot3" in trio][:9]
    found = list(void_suspicions(voids(*((f"m{n}", trio) for n, trio in enumerate(own))), TRIOS))
    assert len(found) == 1
    assert found[0].startswith("bot3 sat in 9 of the 9 matches that were void, and in 38% of all")


def test_a_match_that_is_void_again_and_again_is_told_with_all_its_bots() -> None:
    found = list(void_suspicions(voids(*[("m1", TRIOS[0])] * 3, ("m2", TRIOS[9])), TRIOS))
    assert found == ["match m1 was void 3 times: bot0, bot1, bot2 sat there; see why it was void"]


def test_three_bots_are_not_told_apart() -> None:
    trio = ("a", "b", "c")
    several = voids(*((f"m{number}", trio) for number in range(9)))
    assert list(void_suspicions(several, [trio] * 6)) == []
    assert list(void_suspicions(several, [])) == []


def test_voids_that_have_nothing_to_do_with_bots_accuse_hardly_anybody() -> None:
    chance = random.Random(4)
    accused = 0
    for _ in range(400):
        drawn = voids(*((f"m{n}", chance.choice(TRIOS)) for n in range(chance.randrange(20))))
        accused += bool(list(void_suspicions(drawn, TRIOS * 2)))
    assert accused <= 8
