"""What a comparison plays, and how its games are scored."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from thousand_referee.compare.matches import BATCH, BlockScores, Contest, planned_matches
from thousand_referee.spec import BotVersion, MatchSpec, TimeLimits


def bot(name: str) -> BotVersion:
    return BotVersion(name, "v", f"/bots/{name}", ("python", "bot.py"))


NEW, OLD, TWIN, THIRD, FOURTH = map(bot, ("new", "old", "twin", "third", "fourth"))
ALONE = Contest(NEW, OLD, TWIN, ())
AGAINST = Contest(NEW, OLD, TWIN, (THIRD, FOURTH))


def plan(contest: Contest, blocks: int, seed: str = "s", name: str = "c") -> list[MatchSpec]:
    return list(
        planned_matches(
            contest,
            name=name,
            seed=seed,
            blocks=blocks,
            tables=4,
            time=TimeLimits(),
            log_dir="/logs",
            output_dir="/output",
        )
    )


def names(spec: MatchSpec) -> tuple[str, ...]:
    return tuple(each.name for each in spec.bots)


def test_against_a_twin_the_new_bot_sits_once_at_each_seat() -> None:
    specs = plan(ALONE, 4)
    assert [names(spec).index("new") for spec in specs] == [0, 1, 2]
    # The old bot and its twin are the same program: exchanged, they would play the same.
    assert {frozenset(names(spec)) for spec in specs} == {frozenset({"new", "old", "twin"})}


def test_against_others_all_six_seatings_are_played_with_each() -> None:
    specs = plan(AGAINST, 4)
    assert len(set(map(names, specs))) == len(specs) == 12
    assert {frozenset(names(spec)) for spec in specs} == {
        frozenset({"new", "old", "third"}), frozenset({"new", "old", "fourth"}),
    }  # fmt: skip


@pytest.mark.parametrize("contest", [ALONE, AGAINST])
def test_all_seatings_of_a_trio_get_the_same_cards(contest: Contest) -> None:
    seeds: dict[frozenset[str], set[tuple[str, ...]]] = {}
    for spec in plan(contest, BATCH):
        seeds.setdefault(frozenset(names(spec)), set()).add(spec.block_seeds)
    assert all(len(each) == 1 for each in seeds.values())


def test_every_block_is_played_once_in_each_seating() -> None:
    blocks: list[int] = []
    for spec in plan(ALONE, 2 * BATCH + 3):
        blocks += range(spec.first_block, spec.first_block + spec.games)
    assert sorted(blocks) == sorted(3 * [*range(2 * BATCH + 3)])


def test_cards_and_lots_follow_from_the_seed_alone() -> None:
    first, again, other = plan(ALONE, 8, name="a"), plan(ALONE, 8, name="b"), plan(ALONE, 8, "t")
    assert [(each.block_seeds, each.bot_seeds) for each in first] == [
        (each.block_seeds, each.bot_seeds) for each in again
    ]
    assert first[0].block_seeds != other[0].block_seeds
    assert first[0].bot_seeds != other[0].bot_seeds
    assert len({each.bot_seeds for each in first}) == 1
    assert len({each.match for each in first}) == len(first)


@pytest.mark.parametrize(
    ("places", "score"),
    [((1, 2, 3), 1.0), ((1, 1, 3), 0.75), ((2, 1, 3), 0.5), ((3, 1, 1), 0.0), ((2, 2, 1), 0.25)],
)
def test_against_a_twin_both_count(places: tuple[int, ...], score: float) -> None:
    assert ALONE.score(("new", "old", "twin"), places) == score


def test_a_third_bot_does_not_count() -> None:
    assert AGAINST.score(("third", "old", "new"), (1, 3, 2)) == 1.0
    assert AGAINST.score(("third", "old", "new"), (3, 1, 2)) == 0.0


def test_a_bot_against_itself_scores_exactly_half() -> None:
    """Whatever the game is, equal bots play it alike in every seating."""
    for places in ((1, 2, 3), (3, 1, 1), (2, 2, 1), (1, 3, 2)):
        scores = [ALONE.score(names(spec), places) for spec in plan(ALONE, 1)]
        assert sum(scores) / len(scores) == pytest.approx(0.5)


def summary(spec: MatchSpec, places: Any) -> Any:
    games = [
        SimpleNamespace(block=spec.first_block + game, places=places[spec.match, game])
        for game in range(spec.games)
    ]
    return SimpleNamespace(bots=spec.bots, games=games)


def test_blocks_are_scored_in_their_order_whatever_match_ends_first() -> None:
    specs = plan(AGAINST, 2 * BATCH)
    random = Random(3)
    places = {
        (spec.match, game): random.choice([(1, 2, 3), (3, 2, 1), (2, 1, 3)])
        for spec in specs
        for game in range(spec.games)
    }
    in_order, shuffled = BlockScores(AGAINST), BlockScores(AGAINST)
    expected, found = [], []
    for spec in specs:
        in_order.add(summary(spec, places))
        expected += in_order.take()
    for spec in random.sample(specs, len(specs)):
        shuffled.add(summary(spec, places))
        found += shuffled.take()
    assert len(expected) == 2 * BATCH
    assert found == expected
