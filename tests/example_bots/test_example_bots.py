"""The example bots: legal to the end, repeatable, and each clearly better than the one before."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from itertools import permutations
from math import sqrt
from pathlib import Path
from statistics import mean, stdev

import pytest

from thousand import Bot, Decision, Give, Play
from thousand.cards import Card
from thousand.rules import Action, Bid, Game, Raise
from thousand.testing import ask, play_game, position

FOLDER = Path(__file__).parents[2] / "example_bots"
NAMES = ("random", "cautious", "counter")
T_QUANTILE = 2.26  # 97.5% point of Student's t with nine degrees of freedom: ten blocks
BLOCKS = 10


def load(name: str) -> type[Bot]:
    """Load a bot's class from its folder, under a module name of its own."""
    spec = importlib.util.spec_from_file_location(f"example_{name}", FOLDER / name / "bot.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    bot_class = getattr(module, f"{name.capitalize()}Bot")
    assert issubclass(bot_class, Bot)
    return bot_class


RANDOM, CAUTIOUS, COUNTER = (load(name) for name in NAMES)


# Whole games


@pytest.mark.parametrize("table", [(RANDOM, CAUTIOUS, COUNTER), (COUNTER, RANDOM, COUNTER)])
@pytest.mark.parametrize("seed", range(4))
def test_every_choice_is_legal_and_the_same_seed_repeats_the_game(
    table: Sequence[type[Bot]], seed: int
) -> None:
    assert play_game(table, seed=seed) == play_game(table, seed=seed)


@pytest.mark.parametrize("bot_class", [CAUTIOUS, COUNTER])
@pytest.mark.parametrize("seed", range(100, 103))
def test_a_bot_plays_whole_games_against_itself(bot_class: type[Bot], seed: int) -> None:
    game, _ = play_game([bot_class] * 3, seed=seed)
    assert game.is_over


def test_random_plays_another_game_with_another_seed() -> None:
    assert play_game([RANDOM] * 3, seed=1, number=0) != play_game([RANDOM] * 3, seed=1, number=1)


# The ladder


def win_share(trio: Sequence[type[Bot]], hero: type[Bot], seed: int) -> float:
    """Play a block and give the part of it that one seat of `hero` won, on average.

    Two of the trio are the same class, so three of the six seatings are enough.
    """
    won = 0.0
    seatings = sorted(set(permutations(trio)), key=lambda seating: seating.index(hero))
    for seating in seatings:
        game, _ = play_game(seating, seed=seed)
        winners = game.winners
        won += sum(seating[seat] is hero for seat in winners) / len(winners)
    return won / len(seatings) / trio.count(hero)


@pytest.mark.parametrize(
    ("trio", "hero"),
    [
        ((CAUTIOUS, RANDOM, RANDOM), CAUTIOUS),
        ((CAUTIOUS, CAUTIOUS, RANDOM), CAUTIOUS),
        ((COUNTER, CAUTIOUS, CAUTIOUS), COUNTER),
        ((COUNTER, COUNTER, CAUTIOUS), COUNTER),
    ],
)
def test_each_bot_beats_the_one_before(trio: Sequence[type[Bot]], hero: type[Bot]) -> None:
    shares = [win_share(trio, hero, seed) for seed in range(BLOCKS)]
    margin = T_QUANTILE * stdev(shares) / sqrt(BLOCKS)
    assert mean(shares) - margin > 1 / 3


# Positions


def cards(text: str) -> set[Card]:
    return {Card.parse(word) for word in text.split()}


def given(action: Action) -> set[Card]:
    assert isinstance(action, Give)
    return {action.to_left, action.to_right}


def play(text: str) -> Play:
    return Play(Card.parse(text.removesuffix("!")), text.endswith("!"))


SMART = pytest.mark.parametrize("bot_class", [CAUTIOUS, COUNTER])


@SMART
def test_leads_its_boss_ace(bot_class: type[Bot]) -> None:
    view = position(Decision.PLAY, "AS 9S JC QC 9D JD 9H TH")
    assert ask(bot_class, view) == play("AS")


@SMART
def test_announces_when_no_boss_card_is_left(bot_class: type[Bot]) -> None:
    view = position(Decision.PLAY, "9S JC KD QD 9H JH 9C", played="AS TS KS")
    assert ask(bot_class, view) == play("QD!")


@SMART
def test_never_breaks_a_marriage_when_it_gives(bot_class: type[Bot]) -> None:
    view = position(Decision.GIVE, "KH QH KS QS AC TC AD TD 9C 9D")
    assert given(ask(bot_class, view)) == cards("9C 9D")


@SMART
def test_plays_low_when_it_can_not_win(bot_class: type[Bot]) -> None:
    view = position(
        Decision.PLAY, "TS 9S JC QC 9D JD 9H TH", bids=[100, None, None], played="AS", gifts="9H"
    )
    assert ask(bot_class, view) == play("9S")


@SMART
def test_passes_with_a_hand_of_small_cards(bot_class: type[Bot]) -> None:
    view = position(Decision.BID, "9S JS 9C QC 9D JD TH", bids=[100])
    assert ask(bot_class, view) == Bid(None)


@SMART
def test_bids_with_an_ace_and_a_great_marriage(bot_class: type[Bot]) -> None:
    view = position(Decision.BID, "AH KH QH AS 9S JC 9D", bids=[100])
    assert ask(bot_class, view) == Bid(105)


def test_counter_keeps_its_boss_card_where_a_smaller_one_wins_too() -> None:
    view = position(Decision.PLAY, "AS KS 9C JC 9D JD 9H JH", gifts="9H", played="JS QS")
    assert ask(COUNTER, view) == play("KS")


def test_counter_does_not_risk_a_card_that_the_next_player_may_beat() -> None:
    view = position(Decision.PLAY, "TS 9S JC QC 9D JD 9H TH", gifts="9H", played="KS")
    assert ask(COUNTER, view) == play("9S")


def test_counter_leads_its_marriage_king_once_ace_and_ten_are_gone() -> None:
    view = position(Decision.PLAY, "KH QH 9S JS 9C JC", gifts="9D JD", played="AH TH 9H AS TS KS")
    assert ask(COUNTER, view) == play("KH!")


def test_counter_draws_trumps_while_opponents_have_some() -> None:
    view = position(Decision.PLAY, "AH QH 9H AD TC JC", gifts="9D 9C", played="AS 9S JS KH! JH TS")
    assert ask(COUNTER, view) == play("AH")


def test_counter_promises_less_than_it_expects() -> None:
    view = position(Decision.RAISE, "AH TH KH QH AS TS AC 9C", gifts="9D JD")
    action = ask(COUNTER, view)
    assert isinstance(action, Raise)
    assert 140 <= action.amount < 220


def test_counter_bids_120_at_once_on_the_barrel() -> None:
    game = Game((880, 300, 300), (0, None, None), deals=2)
    view = position(Decision.BID, "AH KH QH AS 9S JC 9D", game=game)
    assert ask(COUNTER, view) == Bid(120)


def test_counter_has_nothing_to_lose_in_the_last_deal_on_the_barrel() -> None:
    hand = "AS TS 9C QC 9D JD JH"
    first = Game((880, 300, 300), (0, None, None), deals=1)
    last = Game((880, 300, 300), (2, None, None), deals=3)
    assert ask(COUNTER, position(Decision.BID, hand, bids=[100, None], game=first)) == Bid(None)
    assert ask(COUNTER, position(Decision.BID, hand, bids=[100, 105], game=last)) == Bid(120)


def test_counter_plays_for_the_game_when_the_contract_would_win_it() -> None:
    hand = "AH KH QH AS TS 9S 9C JC"
    modest = position(Decision.RAISE, hand, gifts="9D JD")
    winning = position(Decision.RAISE, hand, gifts="9D JD", game=Game((300, 840, 300)))
    low, high = ask(COUNTER, modest), ask(COUNTER, winning)
    assert isinstance(low, Raise)
    assert isinstance(high, Raise)
    assert high.amount == 160 > low.amount
