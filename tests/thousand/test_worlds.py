"""Worlds: exactly those that the rules lead to from a deal to the view, all equally likely."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from math import exp, fsum, lgamma, log
from random import Random
from typing import TypeVar

import numpy as np
import pytest

from thousand.bot import Bot
from thousand.cards import CARDS, Card, Suit
from thousand.positions import position
from thousand.rules import Action, Bid, Deal, Decision, Game, Play, Raise, limit_of
from thousand.testing import play_game
from thousand.view import View
from thousand.worlds import Worlds, sample_worlds
from world_finder import GAME, all_worlds, all_worlds_of_bid, collect, key_of, leads_to, traits_of

A = TypeVar("A", bound=Action)

Sampler = Callable[[View, Random, int], list[Deal]]

VIEWS = collect()


def test_positions_of_every_kind_are_tried() -> None:
    assert len(VIEWS) >= 50
    kinds = Counter(trait for view in VIEWS for trait in traits_of(view))
    names = {"declarer", "other", "high bid", "high raise", "half a marriage", "void", "no trump"}
    assert set(kinds) == names | {decision.name for decision in Decision}
    assert min(kinds.values()) >= 2, kinds


# Uniformity


def chi_square_p(statistic: float, degrees: int) -> float:
    """Give the chance of a chi-square at least as large: the incomplete gamma function.

    Series 6.5.29 of Abramowitz and Stegun, *Handbook of Mathematical Functions* (1964).
    """
    shape, x = degrees / 2, statistic / 2
    if x <= 0:
        return 1.0
    term = total = 1 / shape
    step = shape
    while term > total * 1e-15:
        step += 1
        term *= x / step
        total += term
    return max(1e-300, 1 - total * exp(shape * log(x) - x - lgamma(shape)))


def p_value(view: View, sampler: Sampler, rng: Random) -> float:
    """Test draws against all worlds by chi-square; many worlds are put into 100 bins."""
    if view.declarer is None:
        expected, bin_of = bins_of_bid(view)
    else:
        worlds = sorted(all_worlds(view))
        assert Worlds(view).count == len(worlds)
        bins = {world: index % 100 for index, world in enumerate(worlds)}
        expected, bin_of = Counter(bins.values()), lambda deal: bins[key_of(deal)]
    total = sum(expected.values())
    draws = 20 * len(expected)
    seen = Counter(bin_of(deal) for deal in sampler(view, rng, draws))
    statistic = fsum(
        (seen[index] - draws * count / total) ** 2 / (draws * count / total)
        for index, count in expected.items()
    )
    return chi_square_p(statistic, len(expected) - 1) if len(expected) > 1 else 1.0


def bins_of_bid(view: View) -> tuple[dict[int, int], Callable[[Deal], int]]:
    """Put the worlds, up to millions, into bins: two primes mix the cards of both hands."""
    lefts, rights = all_worlds_of_bid(view)
    assert Worlds(view).count == len(lefts)
    numbers, counts = np.unique((lefts * 31 + rights) % 97, return_counts=True)
    return dict(
        zip(numbers.tolist(), counts.tolist(), strict=True)
    ), lambda deal: (deal.hands[view.left] * 31 + deal.hands[view.right]) % 97


def combined(p_values: list[float]) -> tuple[float, float]:
    """Give one p-value for the worst of them (Bonferroni) and one for all together (Fisher)."""
    worst = min(1.0, min(p_values) * len(p_values))
    return worst, chi_square_p(-2 * fsum(map(log, p_values)), 2 * len(p_values))


@pytest.mark.parametrize(
    "part", [0, *(pytest.param(part, marks=pytest.mark.study) for part in (1, 2, 3))]
)
def test_worlds_are_complete_and_equally_likely(part: int) -> None:
    """The counts are exact; a sound sampler fails a part for one seed in 500."""
    rng = Random(part)
    p_values = [p_value(view, sample_worlds, rng) for view in VIEWS[part::4]]
    assert min(combined(p_values)) > 0.001


def split_before_gift(view: View, rng: Random, n: int) -> list[Deal]:
    """Draw the hands first and the unknown gift then: a plausible mistake."""
    by_hands: dict[tuple[int, ...], list[Deal]] = {}
    for deal in sample_worlds(view, rng, 4 * n):
        by_hands.setdefault(tuple(deal.hands), []).append(deal)
    hands = list(by_hands)
    return [rng.choice(by_hands[rng.choice(hands)]) for _ in range(n)]


@pytest.mark.study
def test_the_test_finds_a_gift_drawn_after_the_hands() -> None:
    rng = Random(7)
    views = [v for v in VIEWS if v.decision is Decision.PLAY and not v.is_declarer][:8]
    p_values = [p_value(view, split_before_gift, rng) for view in views]
    assert max(combined(p_values)) < 1e-6


def high_cards_stay_left(view: View, rng: Random, n: int) -> list[Deal]:
    """Take the better of two worlds for the left seat in one draw out of two."""
    worlds = Worlds(view)
    return [
        max(
            [worlds.draw(rng) for _ in range(rng.choice((1, 2)))],
            key=lambda deal: deal.hands[view.left],
        )
        for _ in range(n)
    ]


@pytest.mark.study
def test_the_test_finds_a_small_bias() -> None:
    rng = Random(8)
    views = [v for v in VIEWS if v.declarer is not None][:20]
    assert combined([p_value(view, high_cards_stay_left, rng) for view in views])[1] < 1e-6


@pytest.mark.parametrize(
    ("statistic", "degrees", "p"),
    [(3.841, 1, 0.05), (124.342, 100, 0.05), (100, 60, 0.00092), (0, 3, 1)],
)
def test_chi_square_as_in_tables(statistic: float, degrees: int, p: float) -> None:
    assert chi_square_p(statistic, degrees) == pytest.approx(p, rel=0.01)


# Every world


def test_every_world_leads_to_the_view_and_is_a_deal_of_its_own() -> None:
    rng = Random(9)
    for view in VIEWS:
        first, second, *others = sample_worlds(view, rng, 12)
        for world in (first, second, *others):
            assert View.of(world, GAME) == view
            assert world.declarer is None or leads_to(view, [*world.dealt], world.gifts)
        before = key_of(second), [*second.hands], [*second.played]
        while not first.is_over:
            first.apply(rng.choice(first.legal_actions()))
        assert (key_of(second), second.hands, second.played) == before
        assert View.of(second, GAME) == view


def test_a_seed_gives_the_same_worlds_again() -> None:
    for view in VIEWS[::7]:
        one, two = (sample_worlds(view, Random(3), 5) for _ in range(2))
        assert [key_of(world) for world in one] == [key_of(world) for world in two]


def test_a_bid_of_160_shows_a_marriage() -> None:
    view = position(Decision.BID, "9S JS TS 9D JD TD AD", bids=(100, 160))
    for world in sample_worlds(view, Random(1), 200):
        assert limit_of(world.hands[view.right]) >= 160


def test_a_talon_card_seen_with_the_other_defender_was_the_gift() -> None:
    """Seat 2 is told that the declarer, seat 1, kept none of what it passed on."""
    view = position(
        Decision.PLAY, "KS QS TC 9H JH QD KD AD", talon="9C 9D 9S", gifts="9H", played="AH"
    )
    worlds = [world for world in sample_worlds(view, Random(1), 500) if world.hands[0] >> 0 & 1]
    assert worlds
    assert {str(world.gifts[1]) for world in worlds} == {"9S"}


def test_one_world_is_left_before_the_last_trick() -> None:
    deal = Deal(0, [CARDS[:7], CARDS[7:14], CARDS[14:21]], CARDS[21:])
    rng = Random(1)
    while len(deal.played) < 22:
        deal.apply(rng.choice(deal.legal_actions()))
    view = View.of(deal, GAME)
    assert {tuple(world.hands) for world in sample_worlds(view, rng, 20)} == {tuple(deal.hands)}


# Views that can't be


PLAYING = position(Decision.PLAY, "KH QH 9S TS KS QC AC", played="AS JS QS")


@pytest.mark.parametrize(
    "wrong",
    [
        {"hand": PLAYING.hand[:-1]},
        {"hand": (*PLAYING.hand[:-1], PLAYING.played[0])},
        {"played": PLAYING.hand[:3]},
        {"leads": (0, 1)},
        {"announced": (True, False)},
        {"trump": Suit.HEARTS},
        {"points": (1, 2, 3)},
        {"contract": 400},
        {"contract": 90},
        {"bids": ((1, 100), (2, None))},
        {"bids": ((1, 100), (2, 300), (0, None), (1, 305), (2, None))},
        {"declarer": 2},
        {"talon": PLAYING.played},
        {"gifts": PLAYING.hand[:2]},
        {"gifts": ()},
        {"cards": PLAYING.cards[:2]},
        {"seat": 0},
    ],
    ids=str,
)
def test_a_view_that_contradicts_itself_is_an_error(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="contradicts itself"):
        sample_worlds(PLAYING._replace(**wrong), Random(1), 1)


# A bot of forty lines


class DefaultPlayer(Bot):
    """The SDK's defaults, and the cheapest card."""

    def play(self, view: View) -> Card:
        return min(view.cards, key=lambda card: card.points)


class MonteCarlo(Bot):
    """Try each choice in worlds drawn at random, and play them to the end at random."""

    worlds = 8

    def play(self, view: View) -> Play:
        return self.best(view, view.legal_plays)

    def raise_contract(self, view: View) -> int:
        return self.best(view, tuple(map(Raise, view.legal_raises))).amount

    def bid(self, view: View) -> int | None:
        lowest = [Bid(amount) for amount in view.legal_bids[:2]]
        return self.best(view, lowest).amount

    def best(self, view: View, actions: Sequence[A]) -> A:
        """Choose the action that is best on average over the same worlds."""
        worlds = view.sample_worlds(self.rng, self.worlds)
        return max(actions, key=lambda action: sum(self.result(w, action) for w in worlds))

    def result(self, world: Deal, action: Action) -> float:
        """Give what the deal brings this seat more than the others, played out from here."""
        seat, deal = world.seat, world.copy()
        deal.apply(action)
        while not deal.is_over:
            actions = deal.legal_actions()
            passes = deal.decision is Decision.BID and deal.bids
            deal.apply(actions[0] if passes else self.rng.choice(actions))
        scores = Game().settle(deal.outcome).scores
        return 1.5 * scores[seat] - 0.5 * sum(scores)


@pytest.mark.study
def test_a_monte_carlo_bot_beats_the_defaults() -> None:
    wins = [
        play_game([MonteCarlo, DefaultPlayer, DefaultPlayer], seed=seed)[1][0] == 1
        for seed in range(5)
    ]
    assert sum(wins) >= 4
