"""What a bot is asked at one table of a check: a single situation, or a whole game.

A lesson is a generator: it yields notices and views, and is sent the action that answers
each view. It plays all other seats itself. An action must be legal when it is sent.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from hashlib import sha256
from random import Random
from typing import Final, TypeAlias

from thousand.messages import DealEnd, GameEnd, GameStart, Notice
from thousand.rules import Action, Deal, Game, deal_cards
from thousand.rules.dealing import SEED_BYTES
from thousand.rules.game import LAST_DEAL
from thousand.view import View
from thousand_referee.check.partner import lively
from thousand_referee.check.situations import SITUATIONS

Steps: TypeAlias = Generator[Notice | View, Action | None, None]

_LENGTH: Final = 12
"""Deals of a game of a check, but for the one that is played from its first deal."""

_OPENINGS: Final = (
    Game(),
    Game((0, 0, 0), deals=LAST_DEAL - _LENGTH),
    Game((-300, 640, 760), deals=LAST_DEAL - _LENGTH),
    Game((880, 860, 840), (0, None, None), deals=LAST_DEAL - _LENGTH),
    Game((860, 880, 875), (None, 1, None), deals=LAST_DEAL - _LENGTH),
    Game((840, 700, 880), (None, None, 2), deals=LAST_DEAL - _LENGTH),
    Game((880, 880, 880), (0, 0, 0), deals=LAST_DEAL - _LENGTH),
)


@dataclass(frozen=True, slots=True)
class Lesson:
    """One table of a check: what it is called, and what happens there.

    A situation shares its clock with all others, as they stand for one game together.
    """

    name: str
    steps: Steps
    is_situation: bool


def lessons(seed: str) -> list[Lesson]:
    """Give all lessons; the game's number is the place in the list.

    Seats change from one game to the next, so that each is sat at.
    """
    count = len(SITUATIONS)
    situations = [
        Lesson(situation.name, _situation(number, situation.view(number % 3)), True)
        for number, situation in enumerate(SITUATIONS)
    ]
    games = [
        Lesson(
            f"a game at seat {number % 3}",
            _game(number, number % 3, opening, _seed_of(seed, number)),
            False,
        )
        for number, opening in enumerate(_OPENINGS, count)
    ]
    return situations + games


def _seed_of(seed: str, number: int) -> bytes:
    return sha256(f"thousand check {seed} {number}".encode()).digest()[:SEED_BYTES]


def _situation(number: int, view: View) -> Steps:
    """Ask one question, and let that be the game."""
    yield GameStart(number)
    yield view._replace(game=number)
    scores = view.scores
    places = tuple(1 + sum(other > score for other in scores) for score in scores)
    yield GameEnd(number, places, scores)


def _game(number: int, seat: int, game: Game, seed: bytes) -> Steps:
    """Play a game to its end."""
    rng = Random(seed)
    yield GameStart(number)
    while not game.is_over:
        deal = Deal(game.dealer, *deal_cards(seed, game.deals + 1))
        while not deal.is_over:
            action = deal.forced()
            if action is None:
                view = View.of(deal, game, number=number)
                action = lively(view, rng) if deal.seat != seat else (yield view)
                assert action is not None
            deal.apply(action)
        game = game.settle(deal.outcome)
        yield DealEnd.of(deal, game, number=number)
    yield GameEnd(number, game.places(), game.scores)
