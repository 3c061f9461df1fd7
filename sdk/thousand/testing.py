"""Try a bot in a unit test: set up a position, or play a game, without any connection.

A king and a queen in hand, and the first trick won with the ace: time to announce? ::

    view = position(Decision.PLAY, "KH QH 9S TS KS QC AC", played="AS JS QS")
    assert ask(MyBot, view) == Play(Card.parse("KH"), announce=True)

A whole game, which also finds illegal choices::

    game, places = play_game([MyBot, MyBot, OtherBot], seed=1)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256

from thousand.bot import Bot
from thousand.errors import IllegalAction
from thousand.messages import DealEnd, GameEnd, GameStart, Notice, Prompt, Response, Welcome
from thousand.player import Player, decide, seat_bot
from thousand.positions import position
from thousand.rules import Action, Bid, Deal, Game, Give, Play, Raise, deal_cards
from thousand.view import View

__all__ = ["MATCH", "ScriptedReferee", "ask", "check", "decisions", "play_game", "position"]

MATCH = Welcome(games=1, tables=1, move_ms=1000, bank_ms=10_000, seed=b"a seed for tests")


def ask(bot_class: type[Bot], view: View) -> Action:
    """Ask a new bot for one decision; `IllegalAction` names a choice that is not legal."""
    action = decide(seat_bot(bot_class, MATCH, view.game), view)
    check(view, action)
    return action


def check(view: View, action: Action) -> None:
    """Raise `IllegalAction` unless the action is one of the view's legal choices."""
    choices: Sequence[object] = ()
    match action:
        case Bid(amount):
            choices = view.legal_bids
            legal = amount in choices
        case Raise(amount):
            choices = view.legal_raises
            legal = amount in choices
        case Give(to_left, to_right):
            choices = view.legal_gifts
            legal = to_left != to_right and to_left in choices and to_right in choices
        case Play():
            choices = view.legal_plays
            legal = action in choices
    if not legal:
        shown = ", ".join("pass" if choice is None else str(choice) for choice in choices)
        raise IllegalAction(
            f"{action!r} is not legal; when asked to {view.decision.name.lower()}, legal were: "
            f"{shown or 'none of this kind'}. The view: {view}"
        )


class ScriptedReferee:
    """Says given things to a bot class and keeps its answers, as over a stream."""

    def __init__(self, bot_class: type[Bot], welcome: Welcome = MATCH) -> None:
        self._player = Player(bot_class)
        self._next_id = 1
        list(self._player.receive(Response(welcome=welcome)))

    def tell(self, *notices: Notice) -> None:
        """Send notices."""
        list(self._player.receive(Response(notices=notices)))

    def ask(self, *views: View) -> tuple[Action, ...]:
        """Send one prompt for each view in one message; give the actions in that order."""
        first = self._next_id
        self._next_id += len(views)
        prompts = tuple(Prompt(first + index, view) for index, view in enumerate(views))
        answers = {
            answer.prompt_id: answer.action
            for answer in self._player.receive(Response(prompts=prompts))
        }
        return tuple(answers[prompt.id] for prompt in prompts)


def play_game(
    bot_classes: Sequence[type[Bot]], *, seed: int = 0, number: int = 0
) -> tuple[Game, tuple[int, int, int]]:
    """Play a whole game between three bot classes by seat; give its end and the places.

    The same `seed` and `number` deal the same cards. An illegal choice raises
    `IllegalAction` with the view it was made in.
    """
    if len(bot_classes) != 3:
        raise ValueError(f"a game needs three bot classes, not {len(bot_classes)}")
    game = Game()
    referees = [
        ScriptedReferee(
            bot_class, Welcome(1, 1, MATCH.move_ms, MATCH.bank_ms, bytes([seat]) + MATCH.seed)
        )
        for seat, bot_class in enumerate(bot_classes)
    ]
    _tell_all(referees, GameStart(number))
    cards_seed = sha256(f"thousand.testing {seed} {number}".encode()).digest()[:16]
    while not game.is_over:
        deal = Deal(game.dealer, *deal_cards(cards_seed, game.deals + 1))
        for view in decisions(deal, game, number=number):
            (action,) = referees[deal.seat].ask(view)
            check(view, action)
            deal.apply(action)
        game = game.settle(deal.outcome)
        _tell_all(referees, DealEnd.of(deal, game, number=number))
    places = game.places()
    _tell_all(referees, GameEnd(number, places, game.scores))
    return game, places


def decisions(deal: Deal, game: Game, *, number: int = 0) -> Iterator[View]:
    """Yield the view of each decision with a choice; apply an action before the next.

    Forced actions are carried out here, as the referee does.
    """
    while not deal.is_over:
        forced = deal.forced()
        if forced is None:
            yield View.of(deal, game, number=number, bank_ms=MATCH.bank_ms)
        else:
            deal.apply(forced)


def _tell_all(referees: Iterable[ScriptedReferee], notice: Notice) -> None:
    for referee in referees:
        referee.tell(notice)
