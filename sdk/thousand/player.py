"""A bot's side of the conversation, without any input or output."""

from __future__ import annotations

import random
from collections.abc import Iterator
from hashlib import sha256
from typing import Final, TypeGuard

from thousand.bot import Bot
from thousand.cards import Card
from thousand.errors import MalformedMessage
from thousand.messages import Answer, DealEnd, GameEnd, Notice, Response, Welcome
from thousand.rules import Action, Bid, Decision, Give, Play, Raise
from thousand.view import View

MAX_AMOUNT: Final = 1000
"""No bid or contract comes near this; what is beyond is a mistake."""


class Player:
    """Keeps one bot for each game under way, and turns responses into answers."""

    def __init__(self, bot_class: type[Bot]) -> None:
        self._bot_class = bot_class
        self._bots: dict[int, Bot] = {}
        self._welcome: Welcome | None = None

    def receive(self, response: Response) -> Iterator[Answer]:
        """Read one response; yield the answers to its prompts, each when it is wanted.

        What the bot raises is passed on with a note of what it was asked; TypeError
        when it returned something that is no answer. `MalformedMessage` when the
        referee asks before it said welcome.
        """
        if response.welcome is not None:
            self._welcome = response.welcome
        for notice in response.notices:
            self._notify(notice)
        for prompt in response.prompts:
            view = prompt.view
            try:
                action = decide(self._bot_of(view.game), view)
            except Exception as error:
                error.add_note(f"The bot was asked to {view.decision.name.lower()}: {view}")
                raise
            yield Answer(prompt.id, action)

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
                raise MalformedMessage("the referee spoke of a game before it said welcome")
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
    """Ask a bot, and give its choice as an action; TypeError if it returned something else.

    Whether the choice is legal is for the referee to say.
    """
    choice: object
    match view.decision:
        case Decision.PLAY:
            choice = bot.play(view)
            match choice:
                case Card():
                    return Play.of(choice)
                case Play(Card(), bool()):
                    return choice
            raise _nonsense(bot, "play", "a Card or a Play", choice)
        case Decision.BID:
            choice = bot.bid(view)
            if choice is None or _is_amount(choice):
                return Bid(choice or None)
            raise _nonsense(bot, "bid", "an int from 0 to 1000, or None to pass", choice)
        case Decision.RAISE:
            choice = bot.raise_contract(view)
            if _is_amount(choice):
                return Raise(choice)
            raise _nonsense(bot, "raise_contract", "an int from 0 to 1000", choice)
        case Decision.GIVE:
            choice = bot.give(view)
            match choice:
                case (Card() as to_left, Card() as to_right):
                    return Give(to_left, to_right)
            raise _nonsense(bot, "give", "two Cards, (to_left, to_right)", choice)


def _is_amount(amount: object) -> TypeGuard[int]:
    return type(amount) is int and 0 <= amount <= MAX_AMOUNT


def _nonsense(bot: Bot, method: str, wanted: str, choice: object) -> TypeError:
    hint = "; is a return missing?" if choice is None else ""
    return TypeError(f"{type(bot).__name__}.{method} must return {wanted}, not {choice!r}{hint}")
