"""What bot and referee say to each other, as plain values; `codec` puts them on the wire."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from thousand.cards import Card, cards_in
from thousand.rules import Action, Deal, Game
from thousand.view import View

PROTOCOL: Final = 1
"""Version of the protocol; additions do not change it."""

SERVICE: Final = "thousand.v1.RefereeService"
METHOD: Final = "Play"


@dataclass(frozen=True, slots=True)
class Hello:
    """A bot's first word: the one-time token of its seat, and what it is."""

    token: str
    protocol: int = PROTOCOL
    software: str = ""


@dataclass(frozen=True, slots=True)
class Welcome:
    """The referee's first word: what the match will be. Times are for each bot."""

    games: int
    tables: int
    move_ms: int
    bank_ms: int
    seed: bytes


class Prompt(NamedTuple):
    """One decision to take, with all there is to know."""

    id: int
    view: View


class Answer(NamedTuple):
    """A bot's decision."""

    prompt_id: int
    action: Action


@dataclass(frozen=True, slots=True)
class BadAnswer:
    """An answer that can't be read as an action; `problem` says why."""

    prompt_id: int
    problem: str


@dataclass(frozen=True, slots=True)
class GameStart:
    """A game has started."""

    game: int


@dataclass(frozen=True, slots=True)
class DealEnd:
    """A deal has ended: all its cards, and the scores after it.

    `hands` are the seven cards dealt to each seat, `bids` (seat, amount) with None for
    a pass, `gifts` those to the declarer's left and right, `played` all 24 cards in
    order, `announced` one for each trick.
    """

    game: int
    deal: int
    dealer: int
    hands: tuple[tuple[Card, ...], ...]
    talon: tuple[Card, ...]
    bids: tuple[tuple[int, int | None], ...]
    declarer: int
    contract: int
    gifts: tuple[Card, ...]
    played: tuple[Card, ...]
    leads: tuple[int, ...]
    announced: tuple[bool, ...]
    points: tuple[int, ...]
    scores: tuple[int, ...]
    barrel: tuple[int | None, ...]

    @classmethod
    def of(cls, deal: Deal, after: Game, *, number: int = 0) -> DealEnd:
        """Describe a deal that is over; `after` is the game's state once it is settled."""
        outcome = deal.outcome
        return cls(
            number, after.deals, deal.dealer, tuple(map(cards_in, deal.dealt)), deal.talon,
            tuple(deal.bids), outcome.declarer, outcome.contract, deal.gifts,
            tuple(deal.played), tuple(deal.leads), tuple(deal.announced), outcome.points,
            after.scores, after.barrel,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class GameEnd:
    """A game has ended: places (1 is best) and scores, by seat."""

    game: int
    places: tuple[int, ...]
    scores: tuple[int, ...]


Notice: TypeAlias = GameStart | DealEnd | GameEnd


@dataclass(frozen=True, slots=True)
class Request:
    """One message from a bot."""

    hello: Hello | None = None
    answers: tuple[Answer | BadAnswer, ...] = ()


@dataclass(frozen=True, slots=True)
class Response:
    """One message from the referee: notices are read before prompts are answered.

    `goodbye` ends the match for this bot and says why.
    """

    welcome: Welcome | None = None
    notices: tuple[Notice, ...] = ()
    prompts: tuple[Prompt, ...] = ()
    goodbye: str | None = None
