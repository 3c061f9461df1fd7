"""Playing a logged deal again under the rules, and comparing what the log says of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from thousand.cards import Card, cards_in, text_of
from thousand.defaults import default_action
from thousand.errors import RulesError
from thousand.rules import Action, Bid, Deal, Decision, Game, Give, Play, Raise, deal_cards
from thousand.view import View
from thousand_referee.matchlog.records import DealLine
from thousand_referee.matchlog.spelling import prompt_of
from thousand_referee.matchlog.writer import deal_line

_DECISION_OF: Final = {
    Bid: Decision.BID,
    Give: Decision.GIVE,
    Raise: Decision.RAISE,
    Play: Decision.PLAY,
}
_SHOWN_CHARACTERS: Final = 200


class Mismatch(Exception):
    """Something that a log says is not so.

    `line` is the line that says it, if that isn't the one being looked at.
    """

    def __init__(self, problem: str, line: int | None = None) -> None:
        super().__init__(problem)
        self.problem = problem
        self.line = line


@dataclass(frozen=True, slots=True)
class Settled:
    """A deal that was played again: the game after it, and the decisions with a choice by seat."""

    after: Game
    choices: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Question:
    """A decision with a choice as it stood before it was taken, and the action played."""

    deal: Deal
    game: Game
    game_number: int
    played: Action

    @property
    def prompt(self) -> dict[str, Any]:
        """What was asked, in the form of fault lines but without the bank."""
        prompt = prompt_of(View.of(self.deal, self.game, number=self.game_number))
        del prompt["bank_ms"]
        return prompt

    @property
    def default(self) -> Action:
        """What the referee plays for a seat that gives no valid answer."""
        return default_action(View.of(self.deal, self.game))


def expect(name: str, logged: object, right: object) -> None:
    """Raise `Mismatch` unless a figure is right; name the first element that isn't."""
    if logged == right:
        return
    if isinstance(logged, tuple) and isinstance(right, tuple) and len(logged) == len(right):
        for index, (each, right_each) in enumerate(zip(logged, right, strict=True)):
            expect(f"{name}[{index}]", each, right_each)
    raise Mismatch(f"{name} is {shown(logged)}; it must be {shown(right)}")


def written(value: object) -> str:
    """Give a value as the log has it."""
    return msgspec.json.encode(value).decode()


def shown(value: object) -> str:
    """Give a value as the log has it, cut if it is long."""
    text = written(value)
    return text if len(text) <= _SHOWN_CHARACTERS else text[:_SHOWN_CHARACTERS] + "…"


def check_deal(line: DealLine, seed: bytes, game: Game) -> Settled:
    """Deal the cards from the block's seed, play as logged, and compare every figure.

    `game` is the state before the deal. `Mismatch` names the first figure that is
    wrong. `asked` and `ms` are left to others.
    """
    deal = _dealt(line, seed, game)
    expect("dealer", line.dealer, deal.dealer)
    expect("hands", line.hands, tuple(tuple(text_of(cards_in(hand))) for hand in deal.dealt))
    expect("talon", line.talon, tuple(text_of(deal.talon)))
    choices = [0, 0, 0]
    for _ in replay(line, deal):
        choices[deal.seat] += 1
    if not deal.is_over:
        raise Mismatch(f"tricks: 8 make a deal, and there are {len(line.tricks)}")
    after = game.settle(deal.outcome)
    right = deal_line(line.game, deal, after, line.asked, line.ms)
    for name in ("points", "scores", "barrel"):
        expect(name, getattr(line, name), getattr(right, name))
    first, second, third = choices
    return Settled(after, (first, second, third))


def questions(line: DealLine, seed: bytes, game: Game, seat: int) -> list[Question]:
    """Give a seat's decisions with a choice, in order, of a deal that `check_deal` passed."""
    deal = _dealt(line, seed, game)
    return [
        Question(deal.copy(), game, line.game, action)
        for action in replay(line, deal)
        if deal.seat == seat
    ]


def replay(line: DealLine, deal: Deal) -> Iterator[Action]:
    """Carry out what is logged; yield each action that had alternatives before it is done.

    `Mismatch` at the first that the rules forbid, or that isn't the logged seat's.
    """
    return (action for action in steps(line, deal) if deal.forced() is None)


def steps(line: DealLine, deal: Deal) -> Iterator[Action]:
    """Carry out what is logged; yield each action before it is done. `Mismatch` as `replay`."""
    for name, seat_name, seat, action in _logged_actions(line):
        if deal.decision is not _DECISION_OF[type(action)]:
            due = "the deal is over" if deal.decision is None else f"a {deal.decision.name} is due"
            raise Mismatch(f"{name}: {due}")
        if seat != deal.seat:
            raise Mismatch(f"{seat_name} is {seat}; it must be {deal.seat}")
        yield action
        try:
            deal.apply(action)
        except RulesError as error:
            raise Mismatch(f"{name}: {error}") from error


def _dealt(line: DealLine, seed: bytes, game: Game) -> Deal:
    hands, talon = deal_cards(seed, line.deal)
    return Deal(game.dealer, hands, talon)


def _logged_actions(line: DealLine) -> Iterator[tuple[str, str, int, Action]]:
    """Yield each action: its name, the name of the figure that tells its seat, seat, action."""
    for number, (seat, amount) in enumerate(line.bids):
        yield f"bids[{number}]", f"bids[{number}][0]", seat, Bid(amount)
    to_left, to_right = (_card("gifts", text) for text in line.gifts)
    yield "gifts", "declarer", line.declarer, Give(to_left, to_right)
    yield "contract", "declarer", line.declarer, Raise(line.contract)
    for number, trick in enumerate(line.tricks):
        for place, text in enumerate(trick.cards):
            name = f"tricks[{number}].cards[{place}]"
            seat = (trick.lead + place) % 3 if place else trick.lead
            card = _card(name, text)
            yield name, f"tricks[{number}].lead", seat, Play(card, trick.marriage and not place)


def _card(name: str, text: str) -> Card:
    try:
        return Card.parse(text)
    except RulesError as error:
        raise Mismatch(f"{name}: {error}") from error
