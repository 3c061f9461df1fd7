"""What a person at the terminal gets to read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rich.text import Text

from thousand.cards import Card
from thousand.messages import DealEnd, GameEnd
from thousand.rules import Action, Decision
from thousand.view import Trick, View
from thousand_referee.matchlog.card_texts import card_text
from thousand_referee.matchlog.telling_view import ViewTeller, choice_text, labelled
from thousand_referee.play.reading import choices

_PER_LINE: Final = 10
_ORDINALS: Final = ("", "1st", "2nd", "3rd")

_ASKED: Final = {
    Decision.BID: "your bid",
    Decision.GIVE: "two cards to give, left then right",
    Decision.RAISE: "your contract",
    Decision.PLAY: "your card",
}

HELP: Final = """\
Type the number of a choice, or what it says: 110 or p to bid and pass, AS or 10h for a
card, KH! to announce a marriage, two cards to give. Also:
  t  all tricks of this deal    h  a hint (with --hint BOT)
  ?  this help                  q  quit: the bots finish the match, the log is kept"""


class Screen:
    """Words for one match; `names` are by seat, printable, the person's own being "you"."""

    def __init__(self, names: Sequence[str], seat: int) -> None:
        self._names = names
        self._seat = seat
        self._teller = ViewTeller(names, you=seat)
        self._scores: tuple[int, ...] = (0, 0, 0)
        self._seen_tricks = 0

    def welcome(self) -> Text:
        """Say who sits where."""
        left, right = (self._names[(self._seat + step) % 3] for step in (1, 2))
        return Text(
            f"{left} sits on your left, {right} on your right; ? helps, q quits.\n"
            "* marks the card that takes a trick."
        )

    def game_start(self, number: int, games: int) -> list[Text]:
        """Begin a game."""
        self._scores = (0, 0, 0)
        return [Text(), Text(f"Game {number + 1} of {games}", "bold")] if games > 1 else []

    def question(self, view: View) -> list[Text]:
        """Show what the person sees and may answer; of the tricks the latest."""
        whole = len(view.played) // 3
        latest = max(1, whole - self._seen_tricks)
        self._seen_tricks = whole
        return [
            Text(),
            Text(f"Deal {view.deal}, dealt by {self._names[view.dealer]}", "bold"),
            *self._teller.view(view, tricks=latest),
            *_numbered(view),
        ]

    def prompt(self, view: View) -> str:
        """Give the words before the cursor."""
        return f"{_ASKED[view.decision]} (? helps): "

    def tricks(self, view: View) -> list[Text]:
        """Show all tricks of the deal."""
        return self._teller.tricks(view.tricks) or [Text("  no trick yet")]

    def hint(self, name: str, action: Action) -> Text:
        """Say what a bot would do."""
        return Text.assemble(f"  {name} would choose: ", choice_text(action))

    def deal_end(self, deal: DealEnd) -> list[Text]:
        """Say how a deal ended: the tricks not seen yet, points and scores."""
        tricks = [
            Trick(lead, deal.played[3 * index : 3 * index + 3], announced)
            for index, (lead, announced) in enumerate(zip(deal.leads, deal.announced, strict=True))
        ]
        unseen, self._seen_tricks = len(tricks) - self._seen_tricks, 0
        before, self._scores = self._scores, deal.scores
        made = deal.points[deal.declarer] >= deal.contract
        verb = ("make" if made else "fail") + ("" if deal.declarer == self._seat else "s")
        points = zip(self._names, deal.points, strict=True)
        changes = zip(self._names, deal.scores, before, strict=True)
        return [
            Text(),
            *self._teller.tricks(tricks)[-unseen:],
            Text(
                f"Deal {deal.deal} is over: {self._names[deal.declarer]} {verb} {deal.contract}",
                "bold",
            ),
            labelled("points", ", ".join(f"{name} {count}" for name, count in points)),
            labelled(
                "scores",
                ", ".join(f"{name} {now} ({now - old:+})" for name, now, old in changes),
            ),
        ]

    def game_end(self, game: GameEnd) -> list[Text]:
        """Say who won."""
        seats = sorted(range(3), key=lambda seat: (game.places[seat], seat))
        ranking = (
            f"{_ORDINALS[game.places[seat]]} {self._names[seat]} {game.scores[seat]}"
            for seat in seats
        )
        return [Text(), Text(f"The game is over: {', '.join(ranking)}", "bold")]


def _numbered(view: View) -> Iterator[Text]:
    """Number the choices, some on a line."""
    line = Text(" ")
    for number, choice in enumerate(choices(view), 1):
        text = card_text(choice) if isinstance(choice, Card) else choice_text(choice)
        line.append(f" {number:>2} ", "bold cyan").append(text).append("  ")
        if number % _PER_LINE == 0:
            yield line
            line = Text(" ")
    if len(line) > 1:
        yield line
