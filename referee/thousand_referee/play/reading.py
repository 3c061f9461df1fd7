"""What a person may answer to a question, and what they meant by a line they typed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from thousand.cards import CARDS, Card
from thousand.rules import Action, Bid, Decision, Give, Play, Raise
from thousand.view import View

_SUIT_NAMES: Final = {"♠": "S", "♣": "C", "♦": "D", "♥": "H"}
_PASSES: Final = ("p", "pass", "0")


class Misread(Exception):
    """A line that is no answer to the question; the text says what would be one."""


def choices(view: View) -> tuple[Action | Card, ...]:
    """Give what is numbered from 1: the legal actions, or the cards that may be given."""
    match view.decision:
        case Decision.BID:
            return tuple(map(Bid, view.legal_bids))
        case Decision.RAISE:
            return tuple(map(Raise, view.legal_raises))
        case Decision.GIVE:
            return tuple(sorted(view.legal_gifts, key=_as_held))
        case Decision.PLAY:
            return tuple(sorted(view.legal_plays, key=lambda play: _as_held(play.card)))


def _as_held(card: Card) -> tuple[int, int]:
    """Sort cards as a hand is shown: by suit, the strongest first."""
    return card.suit, -card.rank


def read_action(view: View, line: str) -> Action:
    """Read an answer: numbers of choices, or amounts and cards; `Misread` if it is none."""
    words = line.lower().replace(",", " ").split()
    numbered = choices(view)
    if view.decision is Decision.GIVE:
        if len(words) != 2:
            raise Misread("name two cards: for the left opponent, then for the right one")
        to_left, to_right = (_card(word, numbered) for word in words)
        if to_left == to_right:
            raise Misread("name two different cards")
        return Give(to_left, to_right)
    if len(words) != 1:
        raise Misread("type one of the numbers")
    (word,) = words
    if word.isdecimal() and 1 <= int(word) <= len(numbered):
        choice = numbered[int(word) - 1]
        assert not isinstance(choice, Card)
        return choice
    action = _play(word) if view.decision is Decision.PLAY else _amount(view.decision, word)
    if action not in numbered:
        raise Misread(f"{line.strip()!r} is not among the choices; type one of the numbers")
    return action


def _amount(decision: Decision, word: str) -> Action | None:
    if decision is Decision.BID and word in _PASSES:
        return Bid(None)
    if not word.isdecimal():
        return None
    return Bid(int(word)) if decision is Decision.BID else Raise(int(word))


def _play(word: str) -> Action | None:
    card = _find_card(word.removesuffix("!"))
    return None if card is None else Play(card, word.endswith("!"))


def _card(word: str, numbered: Sequence[object]) -> Card:
    if word.isdecimal() and 1 <= int(word) <= len(numbered):
        choice = numbered[int(word) - 1]
        assert isinstance(choice, Card)
        return choice
    card = _find_card(word)
    if card not in numbered or card is None:
        raise Misread(f"{word!r} is none of your cards; type two of the numbers")
    return card


def _find_card(word: str) -> Card | None:
    """Read ``10h``, ``th`` or ``10♥`` as the ten of hearts."""
    text = word.upper().replace("10", "T")
    for symbol, letter in _SUIT_NAMES.items():
        text = text.replace(symbol, letter)
    return next((card for card in CARDS if str(card) == text), None)
