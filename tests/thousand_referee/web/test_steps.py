"""A game's steps against the rules: hands, points and what each seat knows, step by step."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest

from log_maker import LogMaker
from thousand.cards import Card, cards_in
from thousand.rules import Deal, Decision, Game
from thousand.view import View, gifts_known_to
from thousand_referee.errors import LogError
from thousand_referee.matchlog.reader import read_log
from thousand_referee.matchlog.records import DealLine, FaultLine, Line
from thousand_referee.matchlog.replay import steps as logged_steps
from thousand_referee.web.games import GameSteps, read_game
from thousand_referee.web.steps import DealSteps, Step
from web_arena import choose_well

DECISIONS = {
    Decision.BID: "bid",
    Decision.GIVE: "give",
    Decision.RAISE: "raise",
    Decision.PLAY: "play",
}


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("steps")
    return LogMaker(games=2, fault_rate=0.02, seed=5, choose=choose_well).make(folder)


@pytest.fixture(scope="module")
def game(log: Path) -> GameSteps:
    return read_game(log, 1)


def lines_of(log: Path) -> list[DealLine]:
    return [line for _, line in read_log(log) if isinstance(line, DealLine) and line.game == 1]


def hands_after(deal: DealSteps, last: int) -> list[set[str]]:
    """Move the cards as the page does."""
    hands = [set(hand) for hand in deal.hands]
    for step in deal.steps[: last + 1]:
        if step.kind == "talon":
            hands[step.seat] |= set(deal.talon)
        for place, card in enumerate(step.gifts):
            hands[step.seat].remove(card)
            hands[(step.seat + 1 + place) % 3].add(card)
        if step.card:
            hands[step.seat].remove(step.card)
    return hands


def lasting(deal: DealSteps, last: int) -> dict[str, object]:
    """Carry on what isn't told again, as the page does."""
    state: dict[str, object] = {"contract": 0, "points": (0, 0, 0), "known": ((), (), ())}
    for step in deal.steps[: last + 1]:
        state |= {
            name: getattr(step, name)
            for name in ("contract", "declarer", "trump", "points", "known")
            if getattr(step, name) is not None
        }
    return state


def test_each_step_is_what_the_rules_say(log: Path, game: GameSteps) -> None:
    score = Game()
    for line, laid_out in zip(lines_of(log), game.deals, strict=True):
        hands = [[Card.parse(text) for text in hand] for hand in line.hands]
        deal = Deal(line.dealer, hands, [Card.parse(text) for text in line.talon])
        acting = [each for each in laid_out.steps if each.kind in DECISIONS.values()]
        for action, step in zip(logged_steps(line, deal), acting, strict=True):
            assert deal.decision is not None
            assert step.kind == DECISIONS[deal.decision]
            assert step.seat == deal.seat, action
            last = laid_out.steps.index(step) - 1
            assert laid_out.steps[last].next == deal.seat
            assert hands_after(laid_out, last) == [
                {str(card) for card in cards_in(mask)} for mask in deal.hands
            ]
            state = lasting(laid_out, last)
            assert state["contract"] == deal.contract
            assert state.get("declarer") == deal.declarer
            assert state.get("trump") == (deal.trump.letter if deal.trump is not None else None)
            assert state["points"] == tuple(deal.points)
            check_knowledge(state["known"], View.of(deal, score), deal)
        score = score.settle(deal.outcome)
        assert laid_out.scores == score.scores
        assert laid_out.barrel_after == score.barrel


def check_knowledge(known: object, view: View, deal: Deal) -> None:
    """What a seat is shown of other hands is there, and follows from its view."""
    assert isinstance(known, tuple)
    for seat, cards in enumerate(known):
        others = deal.hands[(seat + 1) % 3] | deal.hands[(seat + 2) % 3]
        shown = {Card.parse(text) for text in cards}
        assert shown <= set(cards_in(others))
        told = {*deal.talon} if deal.declarer is not None and not deal.gifts else set()
        told |= {*gifts_known_to(deal, seat)}
        told |= {
            partner
            for number, announced in enumerate(deal.announced)
            if announced and (partner := deal.played[3 * number].partner) is not None
        }
        assert shown == told & set(cards_in(others))


def test_a_gift_is_told_to_whom_it_concerns(game: GameSteps) -> None:
    for deal in game.deals:
        (step,) = (each for each in deal.steps if each.kind == "give")
        left, right = (step.seat + 1) % 3, (step.seat + 2) % 3
        assert step.texts[step.seat] == step.text
        assert "gives a card to" in step.texts[right]
        assert ", a card to" in step.texts[left]


def test_every_fault_stands_at_its_step(log: Path, game: GameSteps) -> None:
    faults = [line for _, line in read_log(log) if isinstance(line, FaultLine) and line.game == 1]
    told = [
        (deal.deal, step, fault)
        for deal in game.deals
        for step in deal.steps
        for fault in step.faults
    ]
    assert len(told) == len(faults) > 0
    for deal, step, text in told:
        assert text.startswith(game.names[step.seat]), (deal, text)


def test_steps_go_on_from_deal_to_deal(game: GameSteps) -> None:
    for first, second in pairwise(game.deals):
        assert second.deal == first.deal + 1
        assert second.before == first.scores
        assert second.barrel == first.barrel_after
    kinds = [step.kind for step in game.deals[0].steps]
    assert (kinds[0], kinds[-1]) == ("deal", "result")
    assert kinds.count("play") == 24


def test_a_game_is_small_enough_to_send(game: GameSteps) -> None:
    assert len(msgspec.json.encode(game)) / len(game.deals) < 5_000


@pytest.mark.parametrize(
    "change",
    [
        {"tricks": ()},
        {"declarer": 7},
        {"gifts": ("XX", "AS")},
        {"hands": (("AS",) * 7,) * 3},
        {"contract": 1_000},
    ],
    ids=lambda change: next(iter(change)),
)
def test_a_log_that_makes_no_sense_is_refused(
    log: Path, change: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    def forged(path: Path) -> Iterator[tuple[int, Line]]:
        for number, line in read_log(path):
            if isinstance(line, DealLine) and line.game == 0:
                yield number, msgspec.structs.replace(line, **change)
            else:
                yield number, line

    monkeypatch.setattr("thousand_referee.web.games.read_log", forged)
    os.utime(log)  # so that nothing kept of it is used
    with pytest.raises(LogError, match="makes no sense"):
        read_game(log, 0)
    os.utime(log)


def test_a_step_says_only_what_is_new() -> None:
    step = Step(kind="deal", text="anna deals", seat=0, next=1)
    assert msgspec.to_builtins(step) == {
        "kind": "deal",
        "text": "anna deals",
        "seat": 0,
        "next": 1,
    }
