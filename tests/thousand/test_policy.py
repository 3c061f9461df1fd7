"""The policy of rollouts: legal, quick to the same end as step by step, and honest."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from thousand.bot import Bot
from thousand.cards import CARDS, PACK, cards_in, mask_of
from thousand.defaults import default_action
from thousand.policy import choose_gifts, choose_play, odd_plays, play_out
from thousand.rules import Bid, Deal, Decision, Play
from thousand.testing import play_game
from thousand.view import View


def deals(count: int, seed: int) -> list[Deal]:
    """Stop deals played at random at any point."""
    rng = Random(seed)
    stopped = []
    for _ in range(count):
        pack = rng.sample(CARDS, 24)
        deal = Deal(rng.randrange(3), [pack[:7], pack[7:14], pack[14:21]], pack[21:])
        for _ in range(rng.randrange(34)):
            before = deal.copy()
            actions = deal.legal_actions()
            deal.apply(rng.choice(actions[:2] if deal.decision is Decision.BID else actions))
            if deal.is_over:
                deal = before
                break
        stopped.append(deal)
    return stopped


def step(deal: Deal) -> None:
    """Do what `play_out` does, by the rules."""
    if deal.decision is Decision.BID:
        deal.bid(None if deal.bids else 100)
    elif deal.decision is Decision.GIVE:
        deal.give(*choose_gifts(deal.hands[deal.seat]))
    elif deal.decision is Decision.RAISE:
        deal.raise_contract(deal.contract)
    else:
        deal.apply(choose_play(deal))


def test_playing_out_is_to_take_legal_steps() -> None:
    decisions = set()
    for deal in deals(400, 1):
        decisions.add(deal.decision)
        before = {slot: repr(getattr(deal, slot)) for slot in Deal.__slots__}
        outcome = play_out(deal)
        assert {slot: repr(getattr(deal, slot)) for slot in Deal.__slots__} == before
        while not deal.is_over:
            step(deal)
        assert outcome == deal.outcome
    assert decisions == set(Decision)


def test_a_deal_that_is_over_is_an_error() -> None:
    deal = deals(1, 2)[0]
    while not deal.is_over:
        step(deal)
    with pytest.raises(ValueError, match="is over"):
        play_out(deal)


def test_a_choice_depends_on_nothing_the_seat_does_not_know() -> None:
    """The two other hands are dealt anew, in every way there is."""
    tried = 0
    for deal in deals(300, 3):
        hand = deal.hands[deal.seat]
        others = [seat for seat in range(3) if seat != deal.seat]
        cards = cards_in(PACK & ~hand & ~mask_of(deal.played))
        if deal.decision is not Decision.PLAY or len(cards) > 9:
            continue
        play = choose_play(deal)
        for few in combinations(cards, deal.hands[others[0]].bit_count()):
            deal.hands[others[0]] = mask_of(few)
            deal.hands[others[1]] = mask_of(cards) & ~mask_of(few)
            assert choose_play(deal) == play
        tried += 1
    assert tried > 50


def test_odd_plays_are_those_the_policy_would_not_make() -> None:
    rng, tried = Random(5), 0
    for deal in deals(200, 4):
        while deal.decision is not Decision.PLAY:
            step(deal)
        if deal.played:
            continue
        tried += 1
        odd = [0, 0, 0]
        while not deal.is_over:
            assert odd_plays(deal) == tuple(odd)
            play = rng.choice(deal.legal_plays())
            odd[deal.seat] += play != choose_play(deal)
            deal.apply(play)
    assert tried > 30


class Policy(Bot):
    """Plays by the policy in one world; any world will do, as the choice is honest."""

    def bid(self, view: View) -> int | None:
        action = default_action(view)
        assert isinstance(action, Bid)
        return action.amount

    def play(self, view: View) -> Play:
        (world,) = view.sample_worlds(self.rng, 1)
        return choose_play(world)


class Cheapest(Bot):
    """Plays by the defaults."""

    def play(self, view: View) -> Play:
        action = default_action(view)
        assert isinstance(action, Play)
        return action


def test_the_policy_beats_the_defaults() -> None:
    for seed in range(3):
        assert play_game([Cheapest, Policy, Cheapest], seed=seed)[1][1] == 1
