"""Telling in words what one seat knows when it is asked, and what it may answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from rich.text import Text

from thousand.rules import Action, Bid, Decision, Give, Play, Raise, winning_place
from thousand.rules.game import BARREL_DEALS
from thousand.view import Trick, View
from thousand_referee.matchlog.card_texts import card_text, cards_text, hand_text, suit_text

_LABEL_WIDTH: Final = 10
_LABEL_STYLE: Final = "dim"
_LEAST_WIDTH: Final = 6

QUESTIONS: Final = {
    Decision.BID: "bid",
    Decision.GIVE: "give two cards",
    Decision.RAISE: "raise the contract or keep it",
    Decision.PLAY: "play a card",
}
"""What each decision asks for."""


class ViewTeller:
    """Tells views of one match; `names` are by seat and can be printed as they are.

    What the seat `you` does is told in the second person.
    """

    def __init__(self, names: Sequence[str], you: int | None = None) -> None:
        self._names = names
        self._you = you
        self._width = max(_LEAST_WIDTH, *map(len, names))

    def question(self, view: View) -> Text:
        """Say in one line where the game is and who is asked for what."""
        is_asked = "are asked" if view.seat == self._you else "is asked"
        return Text(
            f"Deal {view.deal}, dealt by {self._names[view.dealer]}: "
            f"{self._names[view.seat]} {is_asked} to {QUESTIONS[view.decision]}",
            "bold",
        )

    def view(self, view: View, *, tricks: int | None = None) -> list[Text]:
        """Tell all of a view that is not empty, the hand last.

        Of whole tricks only so many of the latest are told, if `tricks` says so.
        """
        standings = (self._standing(view, seat) for seat in range(3))
        texts = [labelled("scores", ", ".join(standings))]
        if view.bids:
            texts.append(labelled("bids", ", ".join(map(self._bid, view.bids))))
        if view.declarer is not None:
            texts.append(labelled("contract", self._contract(view)))
            texts.append(labelled("talon", cards_text(view.talon)))
        if view.gifts:
            texts.append(labelled("gifts", self._gifts(view)))
        whole = len(view.played) // 3
        texts += self.tricks(view.tricks)[0 if tricks is None else whole - min(whole, tricks) :]
        if any(view.points):
            points = zip(self._names, view.points, strict=True)
            texts.append(labelled("points", ", ".join(f"{name} {count}" for name, count in points)))
        return [*texts, labelled("hand", hand_text(view.hand))]

    def _standing(self, view: View, seat: int) -> str:
        told, used = f"{self._names[seat]} {view.scores[seat]}", view.barrel[seat]
        return told if used is None else f"{told} (on the barrel, {used} of {BARREL_DEALS} used)"

    def _bid(self, bid: tuple[int, int | None]) -> str:
        seat, amount = bid
        passes = "pass" if seat == self._you else "passes"
        return f"{self._names[seat]} {passes if amount is None else amount}"

    def _contract(self, view: View) -> Text:
        assert view.declarer is not None
        plays = "play" if view.declarer == self._you else "plays"
        text = Text(f"{self._names[view.declarer]} {plays} {view.contract}")
        if view.trump is not None:
            text.append(", trump is ").append(suit_text(view.trump))
        return text

    def _gifts(self, view: View) -> Text:
        if not view.is_declarer:
            assert view.declarer is not None
            return Text.assemble(card_text(view.gifts[0]), f" from {self._names[view.declarer]}")
        (left, right), names = view.gifts, self._names
        return Text.assemble(
            card_text(left),
            f" to {names[view.left]}, ",
            card_text(right),
            f" to {names[view.right]}",
        )

    def tricks(self, tricks: Iterable[Trick]) -> list[Text]:
        """Tell tricks, one on a line, from the first one of a deal on."""
        told = []
        trump = None
        for number, trick in enumerate(tricks, 1):
            trump = trick.cards[0].suit if trick.announced else trump
            label = f"trick {number}" if len(trick.cards) == 3 else "on table"
            text = labelled(label, self._trick(trick, winning_place(trick.cards, trump)))
            if trick.announced:
                suit = trick.cards[0].suit
                announces = "announce" if trick.lead == self._you else "announces"
                text.append(f", {self._names[trick.lead]} {announces} ").append(suit_text(suit))
                text.append(f" ({suit.marriage_value})")
            told.append(text)
        return told

    def _trick(self, trick: Trick, winning: int) -> Text:
        text = Text()
        for place, card in enumerate(trick.cards):
            name = self._names[(trick.lead + place) % 3]
            text.append(f"{name:<{self._width}} ", "bold" if place == winning else "")
            text.append(card_text(card, 3)).append("* " if place == winning else "  ")
        text.rstrip()
        return text


def labelled(label: str, content: str | Text) -> Text:
    """Give a line that begins with what it is about."""
    return Text.assemble((f"  {label:<{_LABEL_WIDTH}}", _LABEL_STYLE), content)


def choice_text(action: Action) -> Text:
    """Give an action as people write it: ``pass``, ``120``, ``10♥``, ``K♥ announced``."""
    match action:
        case Bid(None):
            return Text("pass")
        case Bid(amount) | Raise(amount):
            return Text(str(amount))
        case Give(to_left, to_right):
            return Text.assemble(card_text(to_left), " to the left, ", card_text(to_right))
        case Play(card, announce):
            return card_text(card).append(" announced" if announce else "")
