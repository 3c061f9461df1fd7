"""Scoring over deals: contracts, the barrel, the end of the game (rules 20 to 31)."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thousand.rules import Deal, Game, Outcome, block_seed, deal_cards, round_to_five

Counts = tuple[int | None, int | None, int | None]
NOBODY: Counts = (None, None, None)

amounts = st.integers(20, 80).map(lambda steps: 5 * steps)
points = st.tuples(st.integers(0, 360), st.integers(0, 360), st.integers(0, 360))
outcomes = st.builds(Outcome, st.integers(0, 2), amounts, points)
seats_off_the_barrel = st.tuples(st.integers(-200, 175).map(lambda steps: 5 * steps), st.none())
seats_on_the_barrel = st.tuples(st.just(880), st.integers(0, 2))


@st.composite
def games(draw: st.DrawFn) -> Game:
    """Draw a game that goes on, barrels included."""
    one, two, three = (draw(seats_off_the_barrel | seats_on_the_barrel) for _ in range(3))
    deals = draw(st.integers(1, 199))
    return Game((one[0], two[0], three[0]), (one[1], two[1], three[1]), deals)


def check_scores(game: Game) -> None:
    """Check what holds for the scores after any deal."""
    assert all(score % 5 == 0 for score in game.scores)
    for score, deals_used in zip(game.scores, game.barrel, strict=True):
        assert (score == 880) == (deals_used is not None)
        assert deals_used in (None, 0, 1, 2)
        assert not 881 <= score <= 999
        assert score <= 880 or game.is_over


# Scores


@given(games(), outcomes)
def test_scores_are_multiples_of_five_and_880_means_the_barrel(
    game: Game, outcome: Outcome
) -> None:  # rules 20 to 22, 29
    check_scores(game.settle(outcome))


@given(st.lists(outcomes, min_size=1, max_size=60))
def test_scores_stay_so_over_a_whole_game(deals: list[Outcome]) -> None:
    game = Game()
    for outcome in deals:
        if game.is_over:
            break
        game = game.settle(outcome)
        check_scores(game)


@pytest.mark.parametrize("seed", range(4))
def test_scores_stay_so_when_deals_are_played(seed: int) -> None:
    rng = Random(seed)
    cards_seed = block_seed("games", ("a", "b", "c"), seed)
    game = Game()
    while not game.is_over:
        deal = Deal(game.dealer, *deal_cards(cards_seed, game.deals + 1))
        while not deal.is_over:
            deal.apply(rng.choice(deal.legal_actions()))
        game = game.settle(deal.outcome)
        check_scores(game)
    assert sorted(game.places())[0] == 1


@given(games(), outcomes)
def test_a_seat_is_settled_from_the_state_before_the_deal(
    game: Game, outcome: Outcome
) -> None:  # rule 28
    """What a seat gets is the same, wherever the other two stand."""
    settled = game.settle(outcome)
    for seat in range(3):
        score, deals_used = game.scores[seat], game.barrel[seat]
        alone = Game((score, score, score), (deals_used, deals_used, deals_used), game.deals)
        same = alone.settle(outcome)
        assert same.scores[seat] == settled.scores[seat]
        assert same.barrel[seat] == settled.barrel[seat]


def test_6_the_dealer_moves_one_seat_clockwise_from_seat_0() -> None:
    game = Game()
    dealers = []
    for _ in range(4):
        dealers.append(game.dealer)
        game = game.settle(Outcome(0, 100, (0, 0, 0)))
    assert dealers == [0, 1, 2, 0]


@pytest.mark.parametrize(
    ("declarers_points", "score"), [(100, 100), (99, -100), (98, -100), (240, 100), (0, -100)]
)
def test_20_the_contract_is_scored_or_subtracted(declarers_points: int, score: int) -> None:
    assert Game().settle(Outcome(1, 100, (0, declarers_points, 0))).scores == (0, score, 0)


@pytest.mark.parametrize(
    ("taken", "scored"), [(0, 0), (2, 0), (3, 5), (17, 15), (18, 20), (22, 20), (23, 25), (25, 25)]
)
@pytest.mark.parametrize("declarers_points", [99, 100])
def test_21_defenders_score_to_the_nearest_five_contract_made_or_not(
    taken: int, scored: int, declarers_points: int
) -> None:
    assert round_to_five(taken) == scored
    assert Game().settle(Outcome(1, 100, (taken, declarers_points, 0))).scores[0] == scored


@given(st.integers(0, 400))
def test_21_rounding_moves_by_two_at_most(taken: int) -> None:
    assert round_to_five(taken) % 5 == 0
    assert abs(round_to_five(taken) - taken) <= 2


# The barrel


DEALS_WITHOUT_A_WIN = [
    Outcome(1, 100, (140, 0, 0)),
    Outcome(1, 120, (100, 120, 0)),
    Outcome(0, 115, (220, 0, 0)),
]
"""Deals that can't win the game for seat 0 on the barrel."""


def seat_0(score: int, deals_used: int | None, outcome: Outcome) -> tuple[int, int | None]:
    """Settle one deal with this state of seat 0, and give its new state."""
    game = Game((score, 0, 0), (deals_used, None, None), 30).settle(outcome)
    return game.scores[0], game.barrel[0]


@pytest.mark.parametrize(
    ("score", "taken", "after"),
    [
        (800, 79, (880, 0)),
        (800, 77, (875, None)),
        (875, 3, (880, 0)),
        (875, 122, (880, 0)),
        (875, 123, (1000, None)),
    ],
)
def test_22_from_880_to_999_one_is_set_to_880_with_three_deals_to_win(
    score: int, taken: int, after: tuple[int, int | None]
) -> None:
    assert seat_0(score, None, Outcome(1, 100, (taken, 0, 0))) == after


@pytest.mark.parametrize("deals_used", [0, 1, 2])
@pytest.mark.parametrize(("contract", "score"), [(120, 1000), (125, 1005), (300, 1180)])
def test_23_a_contract_of_120_wins_on_the_barrel(
    deals_used: int, contract: int, score: int
) -> None:
    assert seat_0(880, deals_used, Outcome(0, contract, (contract, 0, 0))) == (score, None)


@pytest.mark.parametrize("outcome", DEALS_WITHOUT_A_WIN)
def test_23_any_other_deal_scores_nothing_and_is_one_of_the_three(outcome: Outcome) -> None:
    assert seat_0(880, 0, outcome) == (880, 1)
    assert seat_0(880, 1, outcome) == (880, 2)


@pytest.mark.parametrize("deals_used", [0, 1, 2])
@pytest.mark.parametrize("contract", [100, 120, 155])
def test_24_who_fails_falls_by_the_contract_in_the_third_deal_too(
    deals_used: int, contract: int
) -> None:
    after = seat_0(880, deals_used, Outcome(0, contract, (contract - 1, 0, 0)))
    assert after == (880 - contract, None)


@pytest.mark.parametrize("outcome", DEALS_WITHOUT_A_WIN)
def test_25_not_won_in_the_third_deal_leaves_760(outcome: Outcome) -> None:
    assert seat_0(880, 2, outcome) == (760, None)


def test_26_one_may_jump_over_the_barrel_as_declarer_or_defender() -> None:
    assert seat_0(875, None, Outcome(0, 125, (130, 0, 0))) == (1000, None)
    assert seat_0(875, None, Outcome(1, 100, (130, 0, 0))) == (1005, None)
    assert seat_0(860, None, Outcome(0, 120, (200, 0, 0))) == (880, 0)


def test_27_several_are_on_the_barrel_each_with_a_count_of_their_own() -> None:
    game = Game((880, 880, 880), (0, 1, 2), 30).settle(Outcome(2, 115, (0, 0, 115)))
    assert (game.scores, game.barrel) == ((880, 880, 760), (1, 2, None))


def test_27_after_a_fall_there_are_three_new_deals() -> None:
    game = Game((880, 0, 0), (2, None, None), 30)
    game = game.settle(Outcome(1, 100, (0, 0, 0)))
    game = game.settle(Outcome(0, 120, (120, 0, 0)))
    assert (game.scores[0], game.barrel[0]) == (880, 0)


# The end of the game


@pytest.mark.parametrize(
    ("scores", "declarer", "winners"),
    [
        ((1000, 995, 0), 1, (0,)),
        ((1000, 1100, 0), 0, (0,)),
        ((1000, 1100, 0), 2, (1,)),
        ((1005, 1005, 0), 2, (0, 1)),
        ((999, 0, 0), 0, ()),
    ],
)
def test_29_the_declarer_wins_before_the_highest_score(
    scores: tuple[int, int, int], declarer: int, winners: tuple[int, ...]
) -> None:
    game = Game(scores, NOBODY, 40, declarer)
    assert game.is_over is bool(winners)
    assert game.winners == winners


def test_30_the_game_stops_after_deal_200() -> None:
    game = Game((0, 50, 0), NOBODY, 198).settle(Outcome(0, 100, (0, 0, 0)))
    assert not game.is_over
    game = game.settle(Outcome(0, 100, (0, 0, 50)))
    assert (game.is_over, game.deals) == (True, 200)
    assert game.winners == (1, 2)
    assert game.places() == (3, 1, 1)


def test_30_the_barrel_comes_before_the_end_of_deal_200() -> None:
    game = Game((880, 800, 0), (2, None, None), 199).settle(Outcome(2, 100, (0, 0, 0)))
    assert game.scores == (760, 800, -100)
    assert game.winners == (1,)


@pytest.mark.parametrize("game", [Game((1000, 0, 0), NOBODY, 9, 0), Game(deals=200)])
def test_no_deal_is_settled_after_the_end(game: Game) -> None:
    with pytest.raises(ValueError, match="the game is over; no deal can be settled"):
        game.settle(Outcome(0, 100, (0, 0, 0)))


@pytest.mark.parametrize(
    ("scores", "declarer", "places"),
    [
        ((1000, 500, 100), 0, (1, 2, 3)),
        ((1000, 500, 500), 0, (1, 2, 2)),
        ((1005, 1005, 500), 2, (1, 1, 3)),
        ((1000, 1100, 500), 0, (1, 2, 3)),
    ],
)
def test_31_winners_come_first_then_scores_and_equals_share(
    scores: tuple[int, int, int], declarer: int, places: tuple[int, int, int]
) -> None:
    assert Game(scores, NOBODY, 40, declarer).places() == places


@pytest.mark.parametrize(
    ("out", "places"),
    [
        ((), (1, 2, 3)),
        ((0,), (3, 1, 2)),
        ((1,), (1, 3, 2)),
        ((0, 1), (2, 2, 1)),
        ((2, 0), (2, 1, 2)),
        ((0, 1, 2), (1, 1, 1)),
    ],
)
def test_who_is_out_comes_last_whatever_the_score(
    out: tuple[int, ...], places: tuple[int, int, int]
) -> None:
    assert Game((1000, 500, 100), NOBODY, 40, 0).places(out) == places


@given(games(), outcomes)
def test_every_game_that_is_over_has_a_winner_in_first_place(game: Game, outcome: Outcome) -> None:
    settled = game.settle(outcome)
    if settled.is_over:
        assert settled.winners
        assert settled.winners == tuple(s for s in range(3) if settled.places()[s] == 1)
    else:
        assert settled.winners == ()
