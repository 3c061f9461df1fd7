"""The expert: what it adds to `monte_carlo`, and what every bot must do."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from time import perf_counter

import pytest

from example_loader import load_module
from thousand import Bot, Decision, View, Welcome
from thousand.player import decide, seat_bot
from thousand.policy import choose_play
from thousand.rules import Deal, Game, Play, deal_cards
from thousand.solver import best_plays
from thousand.testing import MATCH, ask, play_game, position

MODULE = load_module("expert")
EXPERT: type[Bot] = MODULE.ExpertBot
COUNTER: type[Bot] = load_module("counter").CounterBot


class Hasty(EXPERT):  # type: ignore[misc, valid-type]
    worlds = 2


@pytest.fixture(autouse=True)
def no_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the number of worlds alone decide, on however slow a machine."""
    monkeypatch.setattr(MODULE, "SHARE", 1e6)


def test_whole_games_are_legal_and_repeat() -> None:
    table = [COUNTER, Hasty, COUNTER]
    assert play_game(table, seed=2) == play_game(table, seed=2)


def test_the_clock_stops_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MODULE, "SHARE", 0.5)
    welcome = Welcome(games=1, tables=1, move_ms=20, bank_ms=0, seed=MATCH.seed)
    bot = seat_bot(EXPERT, welcome, 0)
    bot.worlds = 10**6  # type: ignore[attr-defined]
    view = position(Decision.PLAY, "AS TS KS QS 9H JH QH AH")
    begin = perf_counter()
    assert decide(bot, view) in view.legal_plays
    assert perf_counter() - begin < 1


def mean_strength(worlds: list[Deal], seat: int) -> float:
    return sum(MODULE.strength(world.dealt[seat]) for world in worlds) / len(worlds)


def test_a_high_bidder_is_given_better_cards_and_a_passer_worse() -> None:
    view = position(Decision.BID, "9S JS QC 9D JD TD AD", bids=(100, None, 120))
    bot = seat_bot(EXPERT, MATCH, 0)
    drawn = [world for world, copies in bot.draw(view, 300) for _ in range(copies)]  # type: ignore[attr-defined]
    uniform = view.sample_worlds(Random(1), 300)
    bids = dict(view.bids)
    for seat in (view.left, view.right):
        shift = mean_strength(drawn, seat) - mean_strength(uniform, seat)
        assert (shift > 0) is (bids[seat] is not None), seat


def endings_that_matter() -> Iterator[tuple[Deal, dict[Play, int]]]:
    """Find endings in which the declarer can make the contract, and can lose it."""
    rng = Random(1)
    for number in range(1, 400):
        deal = Deal(number % 3, *deal_cards(b"sixteen bytes...", number))
        while not deal.is_over:
            if deal.decision is not Decision.PLAY:
                actions = deal.legal_actions()
                deal.apply(rng.choice(actions) if deal.decision is Decision.GIVE else actions[0])
                continue
            if len(deal.played) >= 12 and deal.seat == deal.declarer:
                values = dict(best_plays(deal))
                if min(values.values()) < deal.contract <= max(values.values()):
                    yield deal.copy(), values
            deal.apply(choose_play(deal))


def test_an_ending_is_solved_in_each_world() -> None:
    endings = list(endings_that_matter())
    assert len(endings) > 10
    for deal, values in endings:

        class Seer(EXPERT):  # type: ignore[misc, valid-type]
            def draw(self, view: View, most: int, known: Deal = deal) -> Iterator[object]:
                yield known, 1

        action = ask(Seer, View.of(deal, Game()))
        assert isinstance(action, Play)
        assert values[action] >= deal.contract


def test_chances_to_win_add_up_and_grow_with_the_score() -> None:
    for game in (
        Game((500, 300, -200), (None, None, None), 20),
        Game((880, 300, -200), (1, None, None), 20),
        Game((1000, 995, 0), (None, None, None), 30, 0),
    ):
        first, second, third = (MODULE.chance_to_win(game, seat) for seat in range(3))
        assert first + second + third == pytest.approx(1)
        assert first > second >= third
    first_try, last_try = (Game((880, 0, 0), (used, None, None), 30) for used in (0, 2))
    assert MODULE.chance_to_win(first_try, 0) > MODULE.chance_to_win(last_try, 0)


def test_on_the_barrel_it_raises_to_what_wins() -> None:
    game = Game((880, 0, 0), (2, None, None), deals=2)
    view = position(Decision.RAISE, "AS TS KS QS AH TH KH QH", bids=(100, None, None), game=game)
    assert ask(EXPERT, view).amount >= 120  # type: ignore[union-attr]


def test_it_bids_for_a_strong_hand_and_passes_with_a_weak_one() -> None:
    strong = position(Decision.BID, "AS TS KS QS AH KH QH", bids=(100,))
    weak = position(Decision.BID, "9S JS 9C JC 9D JD 9H", bids=(110,))
    assert ask(EXPERT, strong).amount == 105  # type: ignore[union-attr]
    assert ask(EXPERT, weak).amount is None  # type: ignore[union-attr]
