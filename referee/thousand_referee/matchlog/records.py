"""The lines of a match log. `docs/LOG.md` tells authors and researchers about them.

Cards are written ``AS``; lists by seat have three elements.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, TypeAlias

import msgspec

from thousand_referee.spec import FaultLimits, TimeLimits

FORMAT: Final = 1

Seat: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=2)]
"""A seat; anything else is refused when the line is read."""


class BotLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who sat at a seat: the entry's name and the digest of its files."""

    name: str
    version: str


class RulesLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Score that ends a game, and the deal that does."""

    target: int
    deals: int


class MatchLine(msgspec.Struct, frozen=True, tag="match", kw_only=True, forbid_unknown_fields=True):
    """The first line. `seeds` are the block seeds, one for each game, in hex."""

    format: int
    match: str
    tournament: str
    bots: tuple[BotLine, BotLine, BotLine]
    first_block: int
    games: int
    time: TimeLimits
    faults: FaultLimits
    rules: RulesLine
    seeds: tuple[str, ...]
    tables: int
    started: str


class TrickLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A trick: who led, the cards in playing order, whether the lead announced."""

    lead: int
    cards: tuple[str, str, str]
    marriage: bool


class DealLine(msgspec.Struct, frozen=True, tag="deal", kw_only=True, forbid_unknown_fields=True):
    """A whole deal, written when it is settled.

    `bids` start with forehand, null is a pass. `gifts` went to the declarer's left and
    right. `points` are tricks and marriages; `scores` and `barrel` (deals used, or
    null) are those after the deal. `asked` counts the decisions each seat was asked
    (one that was asked again counts once), `ms` is the time it was charged.
    """

    game: int
    deal: int
    dealer: int
    hands: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
    talon: tuple[str, ...]
    bids: tuple[tuple[int, int | None], ...]
    declarer: int
    gifts: tuple[str, str]
    contract: int
    tricks: tuple[TrickLine, ...]
    points: tuple[int, int, int]
    scores: tuple[int, int, int]
    barrel: tuple[int | None, int | None, int | None]
    asked: tuple[int, int, int]
    ms: tuple[float, float, float]


class FaultLine(msgspec.Struct, frozen=True, tag="fault", kw_only=True, forbid_unknown_fields=True):
    """A bot's fault, written when it happens: before the line of its deal.

    `game`, `deal`, `prompt` (what was asked, as `spelling.prompt_of` writes it) and
    `action` (what the referee played instead) are null when no question was open.
    `answer` is what came back. `out` says whether the bot is now out of the "game" or
    of the "match".
    """

    game: int | None
    deal: int | None
    seat: Seat
    kind: str
    detail: str
    prompt: dict[str, Any] | None = None
    answer: str | None = None
    action: str | None = None
    out: str | None = None


class GameLine(msgspec.Struct, frozen=True, tag="game", kw_only=True, forbid_unknown_fields=True):
    """The end of a game. `out` are the seats the referee excluded; they are placed last."""

    game: int
    block: int
    places: tuple[int, int, int]
    winners: tuple[int, ...]
    scores: tuple[int, int, int]
    deals: int
    out: tuple[int, ...]


class EndLine(msgspec.Struct, frozen=True, tag="end", kw_only=True, forbid_unknown_fields=True):
    """The last line. `sha256` is over all bytes of the log before its own key and comma.

    `times` are the histograms of charged time by seat, `lag_ms` the longest time that
    the referee itself was late, which no bot is charged.
    """

    match: str
    games: int
    times: tuple[dict[str, Any], dict[str, Any], dict[str, Any]]
    lag_ms: float
    sha256: str


Line: TypeAlias = MatchLine | DealLine | FaultLine | GameLine | EndLine
