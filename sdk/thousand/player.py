"""A bot's side of the conversation, without any input or output."""

from __future__ import annotations

import random
from collections.abc import Iterator
from hashlib import sha256
from typing import TypeGuard

from thousand.bot import Bot
from thousand.cards import Card
from thousand.messages import Answer, DealEnd, GameEnd, Notice, Response, Welcome
from thousand.rules import Action, Bid, Decision, Give, Play, Raise
from thousand.view import View


class Player:
    """Keeps one bot for each game under way, and turns responses into answers."""

    def __init__(self, bot_class: type[Bot]) -> None:
        self._bot_class = bot_class
        self._bots: dict[int, Bot] = {}
        self._welcome: Welcome | None = None

    def receive(self, response: Response) -> Iterator[Answer]:
        """Read one response; yield the answers to its prompts, each when it is wanted.

        ValueError when a bot is asked before the referee said welcome; TypeError when
        the bot returned something that is no answer.
        """
        if response.welcome is not None:
            self._welcome = response.welcome
        for notice in response.notices:
            self._notify(notice)
        for prompt in response.prompts:
            yield Answer(prompt.id, decide(self._bot_of(prompt.view.game), prompt.view))

    def _notify(self, notice: Notice) -> None:
        bot = self._bot_of(notice.game)
        if isinstance(notice, DealEnd):
            bot.on_deal_end(notice)
        elif isinstance(notice, GameEnd):
            del self._bots[notice.game]
            bot.on_game_end(notice)

    def _bot_of(self, game: int) -> Bot:
        """Give the game's bot, made when the game is first heard of."""
        bot = self._bots.get(game)
        if bot is None:
            if self._welcome is None:
                raise ValueError("the referee asked before it said welcome")
            bot = seat_bot(self._bot_class, self._welcome, game)
            self._bots[game] = bot
        return bot


def seat_bot(bot_class: type[Bot], welcome: Welcome, game: int) -> Bot:
    """Make the bot of one game, with a random generator of that game's own.

    The generator's seed is SHA-256 of ``"thousand game 1"``, a zero byte, the match's
    seed, and the game as four bytes, big-endian.
    """
    bot = bot_class()
    digest = sha256(b"thousand game 1\0" + welcome.seed + game.to_bytes(4, "big")).digest()
    bot.rng = random.Random(int.from_bytes(digest, "big"))
    bot.match = welcome
    bot.on_game_start()
    return bot


def decide(bot: Bot, view: View) -> Action:
    """Ask a bot, and give its choice as an action; TypeError if it returned something else."""
    choice: object
    match view.decision:
        case Decision.PLAY:
            choice = bot.play(view)
            if isinstance(choice, Play):
                return choice
            if isinstance(choice, Card):
                return Play(choice)
            wanted = "a Play or a Card"
        case Decision.BID:
            choice = bot.bid(view)
            if choice is None or _is_amount(choice):
                return Bid(choice or None)
            wanted = "a bid from 0 to 1000, or None to pass"
        case Decision.RAISE:
            choice = bot.raise_contract(view)
            if _is_amount(choice):
                return Raise(choice)
            wanted = "a contract from 0 to 1000"
        case Decision.GIVE:
            choice = bot.give(view)
            match choice:
                case (Card() as to_left, Card() as to_right):
                    return Give(to_left, to_right)
            wanted = "two Cards"
    method = view.decision.name.lower().replace("raise", "raise_contract")
    raise TypeError(f"{type(bot).__name__}.{method} must return {wanted}, not {choice!r}")


def _is_amount(amount: object) -> TypeGuard[int]:
    return isinstance(amount, int) and 0 <= amount <= 1000
