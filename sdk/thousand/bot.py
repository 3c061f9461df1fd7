"""The class that a bot's author extends, and how one is run."""

from __future__ import annotations

import random

from thousand.cards import Card
from thousand.defaults import default_action
from thousand.messages import DealEnd, GameEnd, Welcome
from thousand.rules import Bid, Give, Play
from thousand.view import View


class Bot:
    """A player of Thousand. Extend it, write `play`, and `run` your class.

    There is one instance for each game, so plain attributes are a memory of that game;
    many games may be under way at a time, and methods are called one after the other.
    Every decision gets a `View`: what your seat knows, and your legal choices. All but
    `play` have a plain default.

    Attributes:
        rng: a random generator for this game. A bot that draws lots from nothing else
            plays the same game again when given the same seed.
        match: limits of the match, such as the time for a decision.

    Both are there from `on_game_start` on, but not yet in ``__init__``.
    """

    rng: random.Random
    match: Welcome

    def bid(self, view: View) -> int | None:
        """Choose from ``view.legal_bids``; None passes.

        Default: pass, or open with 100 as forehand.
        """
        action = default_action(view)
        assert isinstance(action, Bid)
        return action.amount

    def give(self, view: View) -> tuple[Card, Card]:
        """Choose two of ``view.legal_gifts``: for your left and your right opponent.

        Default: the two cheapest cards that break no marriage.
        """
        action = default_action(view)
        assert isinstance(action, Give)
        return action.to_left, action.to_right

    def raise_contract(self, view: View) -> int:
        """Choose from ``view.legal_raises``, the present contract among them.

        Default: keep the contract.
        """
        return view.legal_raises[0]

    def play(self, view: View) -> Play | Card:
        """Choose from ``view.legal_plays``; a bare card is played without announcing.

        This one has no default: your class must have it.
        """
        raise NotImplementedError(_no_play(type(self)))

    def on_game_start(self) -> None:
        """Prepare for a game, before its first question."""

    def on_deal_end(self, deal: DealEnd) -> None:
        """Learn from a deal that has ended; nothing of it is hidden any more."""

    def on_game_end(self, game: GameEnd) -> None:
        """Learn how the game ended; the instance is dropped after this."""


def run(bot_class: type[Bot]) -> None:
    """Play one match for the arena that started this process; does not return.

    Exit status 0 after a whole match, 1 after an error, 2 when no arena started it.
    TypeError when `bot_class` is no class that extends `Bot` and has a method `play`.
    """
    if not isinstance(bot_class, type) or not issubclass(bot_class, Bot):
        raise TypeError(f"run needs a class that extends Bot, as in run(MyBot), not {bot_class!r}")
    if bot_class.play is Bot.play:
        raise TypeError(_no_play(bot_class))
    from thousand.client import main

    main(bot_class)


def _no_play(bot_class: type[Bot]) -> str:
    return f"{bot_class.__name__} must have a method play(self, view)"
