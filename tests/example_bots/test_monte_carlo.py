"""The Monte Carlo bot: legal, repeatable by samples, bounded by the clock, and sensible."""

from __future__ import annotations

from time import perf_counter

import pytest

from example_loader import load_module
from thousand import Bot, Decision, View, Welcome
from thousand.player import decide, seat_bot
from thousand.rules import Game, Outcome
from thousand.testing import MATCH, ask, play_game, position

MODULE = load_module("monte_carlo")
MONTE_CARLO: type[Bot] = MODULE.MonteCarloBot
COUNTER: type[Bot] = load_module("counter").CounterBot


class Hasty(MONTE_CARLO):  # type: ignore[misc, valid-type]
    worlds = 2


@pytest.fixture
def no_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the number of worlds alone decide, on however slow a machine."""
    monkeypatch.setattr(MODULE, "SHARE", 1e6)


@pytest.mark.usefixtures("no_clock")
def test_whole_games_are_legal_and_repeat() -> None:
    table = [Hasty, COUNTER, Hasty]
    assert play_game(table, seed=1) == play_game(table, seed=1)


def test_the_clock_stops_it() -> None:
    welcome = Welcome(games=1, tables=1, move_ms=20, bank_ms=0, seed=MATCH.seed)
    bot = seat_bot(MONTE_CARLO, welcome, 0)
    bot.worlds = 10**9  # type: ignore[attr-defined]
    view = position(Decision.PLAY, "AS TS KS QS 9H JH QH AH")
    begin = perf_counter()
    action = decide(bot, view)
    assert perf_counter() - begin < 1
    assert action in view.legal_plays


def played(view: View) -> str:
    return str(ask(MONTE_CARLO, view))


@pytest.mark.usefixtures("no_clock")
def test_it_announces_the_marriage_that_makes_the_contract() -> None:
    view = position(Decision.PLAY, "KH QH 9S TS KS QC", contract=120, played="AC KC 9C AD KD 9D")
    assert played(view).endswith("H!")


@pytest.mark.usefixtures("no_clock")
def test_it_gives_away_no_marriage_and_no_ace() -> None:
    view = position(Decision.GIVE, "AS TS KS QS AH TH KH QH 9C 9D", bids=(100, None, None))
    action = ask(MONTE_CARLO, view)
    assert {str(action.to_left), str(action.to_right)} == {"9C", "9D"}  # type: ignore[union-attr]


@pytest.mark.usefixtures("no_clock")
def test_it_bids_for_a_strong_hand_and_passes_with_a_weak_one() -> None:
    strong = position(Decision.BID, "AS TS KS QS AH KH QH", bids=(100,))
    weak = position(Decision.BID, "9S JS 9C JC 9D JD 9H", bids=(110,))
    assert ask(MONTE_CARLO, strong).amount == 105  # type: ignore[union-attr]
    assert ask(MONTE_CARLO, weak).amount is None  # type: ignore[union-attr]


@pytest.mark.usefixtures("no_clock")
def test_on_the_barrel_it_raises_to_what_wins() -> None:
    game = Game((880, 0, 0), (2, None, None), deals=2)
    view = position(Decision.RAISE, "AS TS KS QS AH TH KH QH", bids=(100, None, None), game=game)
    assert ask(MONTE_CARLO, view).amount >= 120  # type: ignore[union-attr]


def test_outcomes_are_judged_by_the_score() -> None:
    view = position(Decision.RAISE, "AS TS KS QS AH TH KH QH", bids=(100, None, None))

    def worth(*points: int) -> float:
        value = MODULE.worth(view, Outcome(1, 100, points))
        assert isinstance(value, float)
        return value

    assert worth(10, 100, 10) - worth(10, 99, 10) == 200
    assert worth(10, 100, 30) - worth(10, 100, 10) == -10, "half of what a rival gains"
