"""The exam without any process: what it asks, and what it objects to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from thousand.cards import Card
from thousand.defaults import default_action
from thousand.messages import Answer, BadAnswer, GameEnd, GameStart, Prompt
from thousand.rules import Action, Bid, Decision, Give, Play, Raise
from thousand.view import View
from thousand_referee.check.exam import Exam
from thousand_referee.check.situations import SITUATIONS, Situation
from thousand_referee.referee import STALE_LIMIT
from thousand_referee.spec import TimeLimits

LIMITS = TimeLimits(move_ms=100, bank_ms=1_000)
Choice = Callable[[Prompt], Answer | BadAnswer]


def honest(prompt: Prompt) -> Answer:
    return Answer(prompt.id, default_action(prompt.view))


def sit(choice: Choice, tables: int = 32, seconds: float = 0.001, seed: str = "s") -> Exam:
    """Take an exam to its end; each message's answers take so many seconds."""
    exam, now = Exam(seed, tables, LIMITS), 1000.0
    while not exam.is_over:
        response = exam.take(now)
        assert response is not None
        now += seconds
        exam.hear([choice(prompt) for prompt in response.prompts], now)
    return exam


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda situation: situation.name)
@pytest.mark.parametrize("seat", range(3))
def test_every_situation_is_a_choice_at_every_seat(situation: Situation, seat: int) -> None:
    view = situation.view(seat)
    assert view.seat == seat
    assert view.decision is situation.decision
    assert view.scores[seat] == situation.scores[0]
    assert view.scores[view.left] == situation.scores[1]
    assert view.barrel[view.right] == situation.barrel[2]
    assert max(len(view.amounts), len(view.cards)) >= 2


def test_the_situations_are_those_that_are_rare() -> None:
    views = [situation.view(0) for situation in SITUATIONS]
    assert Counter(view.decision for view in views).keys() == set(Decision)
    plays = [view for view in views if view.decision is Decision.PLAY]
    assert any(len(view.announceable) == 6 for view in plays)
    assert any(view.contract >= 300 for view in plays)
    assert any(view.trump and view.trick and len(view.cards) < len(view.hand) for view in plays)
    assert any(view.barrel[0] is not None for view in plays)
    assert any(view.barrel[0] == 2 for view in views if view.decision is Decision.BID)
    assert any(view.contract > 120 for view in views if view.decision is Decision.BID)


@pytest.mark.parametrize("tables", [1, 32])
def test_an_honest_bot_passes_whatever_the_number_of_tables(tables: int) -> None:
    exam = sit(honest, tables)
    assert exam.problem is None
    assert exam.progress[0] == exam.progress[1] > len(SITUATIONS)
    assert all(exam.figures.asked[decision] > 10 for decision in Decision)
    assert exam.figures.answers == sit(honest, 7).figures.answers


def test_another_seed_deals_other_cards() -> None:
    assert sit(honest).figures.answers != sit(honest, seed="t").figures.answers


def test_every_game_is_told_from_its_start_to_its_end() -> None:
    exam, told, now = Exam("s", 4, LIMITS), Counter[type](), 0.0
    while (response := exam.take(now)) is not None:
        told.update(map(type, response.notices))
        exam.hear(map(honest, response.prompts), now)
    assert told[GameStart] == told[GameEnd] == exam.progress[1]


def wrong_at(decision: Decision, action: Action) -> Choice:
    """Be honest but for this action whenever that is asked."""
    return lambda prompt: (
        Answer(prompt.id, action) if prompt.view.decision is decision else honest(prompt)
    )


@pytest.mark.parametrize(
    ("choice", "cause"),
    [
        (wrong_at(Decision.BID, Bid(5)), "a bid that isn't legal"),
        (wrong_at(Decision.RAISE, Raise(1000)), "a contract that isn't legal"),
        (wrong_at(Decision.GIVE, Give(Card(0), Card(0))), "gives cards that it can't give"),
        (wrong_at(Decision.PLAY, Play(Card(0))), "a card that isn't legal"),
        (wrong_at(Decision.PLAY, Bid(100)), "answers with a bid"),
        (lambda prompt: BadAnswer(prompt.id, "rubbish"), "can't be read"),
    ],
)
def test_what_is_wrong_with_an_answer(choice: Choice, cause: str) -> None:
    problem = sit(choice).problem
    assert problem is not None
    assert cause in problem.cause
    assert problem.view is not None
    assert problem.where


def test_a_marriage_that_can_not_be_announced() -> None:
    def announce(prompt: Prompt) -> Answer:
        view: View = prompt.view
        if view.decision is not Decision.PLAY:
            return honest(prompt)
        return Answer(prompt.id, Play(view.cards[0], announce=True))

    problem = sit(announce).problem
    assert problem is not None
    assert "announces a marriage" in problem.cause


def test_a_bot_that_is_always_late_uses_up_the_bank() -> None:
    exam = sit(honest, tables=1, seconds=0.15)
    assert exam.problem is not None
    assert exam.problem.cause == "it takes too long for its decisions"
    assert 20 <= exam.figures.times.total <= 23


def test_silence_is_noticed_when_the_time_is_up() -> None:
    exam = Exam("s", 1, LIMITS)
    exam.take(1000.0)
    exam.check_time(1001.0)
    assert not exam.is_over
    exam.check_time(1001.2)
    assert exam.problem is not None
    assert exam.problem.cause == "it doesn't answer"


def test_a_loss_names_the_question_that_was_sent() -> None:
    exam = Exam("s", 1, LIMITS)
    exam.lose("gone", "")
    assert exam.problem is not None
    assert exam.problem.view is None
    exam = Exam("s", 1, LIMITS)
    exam.take(1000.0)
    exam.lose("gone", "")
    assert exam.problem is not None
    assert exam.problem.where == SITUATIONS[0].name


def test_a_flood_of_answers_to_nothing() -> None:
    exam = Exam("s", 1, LIMITS)
    exam.take(1000.0)
    exam.hear([Answer(999, Bid(None))] * STALE_LIMIT, 1000.0)
    assert exam.problem is None
    exam.hear([Answer(999, Bid(None))], 1000.0)
    assert exam.problem is not None
