"""Telling a match in words: texts, with styles, from the lines of its log.

Names, details and answers are strangers' text; all goes through `printable`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from rich.text import Text

from thousand.cards import CARD_POINTS, Card, Suit
from thousand.rules import winning_place
from thousand.rules.game import BARREL_DEALS, TARGET
from thousand_referee.matchlog.card_texts import card_text, cards_text, hand_text, suit_text
from thousand_referee.matchlog.records import DealLine, FaultLine, GameLine, MatchLine, TrickLine
from thousand_referee.text import printable

_LONGEST_NAME: Final = 24
_ORDINALS: Final = ("", "1st", "2nd", "3rd")
_TITLE_STYLE: Final = "bold"
_FAULT_STYLE: Final = "yellow"
_NOTE_STYLE: Final = "dim"
_LEGEND: Final = "* takes the trick; the number is its points"


class Teller:
    """Knows who sits where, and how the game that is told stood before the next deal.

    IndexError or ValueError where a line has a seat or a card that doesn't exist.
    """

    def __init__(self, header: MatchLine) -> None:
        self._header = header
        self._names = tuple(_short(printable(bot.name)) for bot in header.bots)
        self._width = max(6, *map(len, self._names))
        self._scores = (0, 0, 0)
        self._barrel: tuple[int | None, int | None, int | None] = (None, None, None)

    def header(self) -> list[Text]:
        """Tell which match it is and who sits where."""
        header = self._header
        of_tournament = f" of {printable(header.tournament)}" if header.tournament else ""
        title = f"Match {printable(header.match)}{of_tournament}, {printable(header.started)}"
        seats = [f"{name} at seat {seat}" for seat, name in enumerate(self._names)]
        return [Text(title, _TITLE_STYLE), Text(", ".join(seats))]

    def game_title(self, game: int) -> list[Text]:
        """Begin a game."""
        title = f"Game {game}, block {self._header.first_block + game}"
        return [Text(), Text(title, _TITLE_STYLE), Text(_LEGEND, _NOTE_STYLE)]

    def game_in_short(self, line: GameLine) -> list[Text]:
        """Tell a game in one line."""
        text = Text(f"Game {line.game}, block {line.block}, {line.deals} deals: ")
        return [text.append(", ".join(self._ranking(line)))]

    def end(self, line: GameLine) -> list[Text]:
        """Tell how the game ended."""
        title = f"The game is over after {line.deals} deals"
        return [Text(), Text(title, _TITLE_STYLE), *map(Text, map(_indented, self._ranking(line)))]

    def deal(self, line: DealLine, faults: Sequence[FaultLine]) -> list[Text]:
        """Tell a deal, with the faults in it at their places."""
        at_bids, at_gifts, at_raise, *at_tricks = _by_place(faults, len(line.tricks))
        name_of = self._name
        declarer = name_of(line.declarer)
        texts = [
            Text(),
            Text(f"Deal {line.deal}, dealt by {name_of(line.dealer)}", _TITLE_STYLE),
            self._labelled("before", ", ".join(map(self._standing, range(3)))),
            *(
                self._labelled(name_of(seat), hand_text(_cards(line.hands[seat])))
                for seat in range(3)
            ),
            self._labelled("talon", cards_text(_cards(line.talon))),
            self._labelled("bids", ", ".join(self._auction(line))),
            *map(self.fault, at_bids),
            self._labelled("gifts", self._gifts(line)),
            *map(self.fault, at_gifts),
            self._labelled("plays", f"{declarer} plays {_contract(line)}"),
            *map(self.fault, at_raise),
        ]
        trump: Suit | None = None
        for number, trick in enumerate(line.tricks):
            lead = Card.parse(trick.cards[0])
            trump = lead.suit if trick.marriage else trump
            texts.append(self._trick(number + 1, trick, trump))
            texts += map(self.fault, at_tricks[number])
        texts.append(self._labelled("result", self._result(line)))
        self._scores, before = line.scores, self._scores
        self._barrel, used_before = line.barrel, self._barrel
        changes = (
            f"{name_of(seat)} {line.scores[seat]} ({line.scores[seat] - before[seat]:+})"
            for seat in range(3)
        )
        texts.append(self._labelled("scores", ", ".join(changes)))
        for seat in range(3):
            if told := barrel_news(line, seat, used_before[seat], name_of(seat)):
                texts.append(self._labelled("barrel", told))
        return texts

    def fault(self, line: FaultLine) -> Text:
        """Tell a fault."""
        told = f"{self._name(line.seat)}: {printable(line.kind)}: {printable(line.detail)}"
        if line.answer is not None:
            told += f'; the answer was "{printable(line.answer)}"'
        if line.action is not None:
            told += f"; played instead: {printable(line.action)}"
        if line.out is not None:
            told += f"; out of the {printable(line.out)}"
        return Text(_indented(f"! {told}"), _FAULT_STYLE)

    def _name(self, seat: int) -> str:
        if seat < 0:
            raise IndexError(f"there is no seat {seat}")
        return self._names[seat]

    def _labelled(self, label: str, content: str | Text) -> Text:
        text = Text(_indented(label.ljust(self._width + 2)), _NOTE_STYLE)
        return Text.assemble(text, content)

    def _standing(self, seat: int) -> str:
        used = self._barrel[seat]
        told = f"{self._name(seat)} {self._scores[seat]}"
        return told if used is None else f"{told} (on the barrel, {used} of {BARREL_DEALS} used)"

    def _auction(self, line: DealLine) -> Iterable[str]:
        for seat, amount in line.bids:
            yield f"{self._name(seat)} {'passes' if amount is None else amount}"

    def _gifts(self, line: DealLine) -> Text:
        to_left, to_right = map(card_text, _cards(line.gifts))
        left, right = (self._name((line.declarer + step) % 3) for step in (1, 2))
        return Text.assemble(to_left, f" to {left}, ", to_right, f" to {right}")

    def _trick(self, number: int, trick: TrickLine, trump: Suit | None) -> Text:
        cards = _cards(trick.cards)
        winning = winning_place(cards, trump)
        text = Text(_indented(f"{number} "))
        for place, card in enumerate(cards):
            name = self._name((trick.lead + place) % 3 if place else trick.lead)
            mark = "*" if place == winning else " "
            style = _TITLE_STYLE if place == winning else ""
            text.append(f" {name:<{self._width}} ", style)
            text.append(card_text(card, 3)).append(mark)
        text.append(f" {sum(CARD_POINTS[card] for card in cards):>2}")
        if trick.marriage:
            suit = cards[0].suit
            text.append(f", {self._name(trick.lead)} announces ").append(suit_text(suit))
            text.append(f" ({suit.marriage_value})")
        return text

    def _result(self, line: DealLine) -> str:
        points = ", ".join(f"{self._name(seat)} {line.points[seat]}" for seat in range(3))
        over = line.points[line.declarer] - line.contract
        made = (
            f"makes {line.contract}, {over} over"
            if over >= 0
            else f"fails {line.contract} by {-over}"
        )
        return f"{points}; {self._name(line.declarer)} {made}"

    def _ranking(self, line: GameLine) -> list[str]:
        seats = sorted(range(3), key=lambda seat: (line.places[seat], seat))
        return [
            f"{_ORDINALS[line.places[seat]]} {self._name(seat)} {line.scores[seat]}"
            + (" (out)" if seat in line.out else "")
            for seat in seats
        ]


def barrel_news(line: DealLine, seat: int, used_before: int | None, name: str) -> str | None:
    """Tell what a deal did to a seat on, to or from the barrel; None if that was nothing."""
    used = line.barrel[seat]
    if used_before is None:
        return None if used is None else f"{name} climbs it, {BARREL_DEALS} deals to win"
    if used is not None:
        return f"{name} stays, {BARREL_DEALS - used} left to win"
    if line.scores[seat] >= TARGET:
        return f"{name} wins from it"
    return f"{name} falls off" if seat == line.declarer else f"{name} had {BARREL_DEALS} deals"


def _by_place(faults: Iterable[FaultLine], tricks: int) -> list[list[FaultLine]]:
    """Sort faults by where they are told: bids, gifts, raise, then each trick.

    Those without a question stand with the bids.
    """
    places: list[list[FaultLine]] = [[] for _ in range(3 + tricks)]
    for fault in faults:
        prompt = fault.prompt or {}
        decision, played = prompt.get("decision"), prompt.get("played")
        place = {"give": 1, "raise": 2}.get(str(decision), 0)
        if decision == "play" and isinstance(played, list):
            place = 3 + len(played) // 3
        places[place].append(fault)
    return places


def _contract(line: DealLine) -> str:
    bid = max((amount for _, amount in line.bids if amount is not None), default=line.contract)
    return str(line.contract) if bid == line.contract else f"{line.contract}, raised from {bid}"


def _cards(texts: Iterable[str]) -> list[Card]:
    return [Card.parse(text) for text in texts]


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…"


def _indented(text: str) -> str:
    return "  " + text
