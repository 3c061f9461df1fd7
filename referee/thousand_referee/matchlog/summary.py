"""What a match comes to: the one way from the lines of its log to its result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from thousand_referee.matchlog.records import (
    BotLine,
    DealLine,
    EndLine,
    FaultLine,
    GameLine,
    Line,
    MatchLine,
)

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class GameSummary:
    """One game of a match. Tuples of three are by seat.

    `points` are each seat's points of tricks and marriages, added up over the deals;
    `asked` the decisions it was asked, `ms` the milliseconds it was charged, `faults`
    the number of its faults in this game. `winners` and `out` are seats.
    """

    game: int
    block: int
    places: tuple[int, int, int]
    winners: tuple[int, ...]
    scores: tuple[int, int, int]
    deals: int
    out: tuple[int, ...]
    points: tuple[int, int, int]
    asked: tuple[int, int, int]
    ms: tuple[float, float, float]
    faults: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class MatchSummary:
    """One match. `bots` are by seat, `games` in order of their numbers.

    `faults` counts each kind by seat, those between games included. `times` are the
    histograms of charged time by seat, as the end line has them, `lag_ms` the
    referee's own longest lag, `deals` the number of deals in all games.
    """

    match: str
    tournament: str
    bots: tuple[BotLine, BotLine, BotLine]
    first_block: int
    games: tuple[GameSummary, ...]
    faults: tuple[dict[str, int], dict[str, int], dict[str, int]]
    times: tuple[dict[str, Any], dict[str, Any], dict[str, Any]]
    lag_ms: float
    deals: int
    started: str


def summarize(lines: Iterable[Line]) -> MatchSummary:
    """Sum up the lines of a whole match; ValueError if they are not one.

    Figures are taken as they stand; whether they are right is for `verify_log`.
    """
    header: MatchLine | None = None
    end: EndLine | None = None
    tallies: dict[int, _Tally] = {}
    games: dict[int, GameSummary] = {}
    kinds: tuple[Counter[str], Counter[str], Counter[str]] = (Counter(), Counter(), Counter())
    for line in lines:
        match line:
            case MatchLine():
                header = line
            case DealLine():
                tallies.setdefault(line.game, _Tally()).add_deal(line)
            case FaultLine():
                kinds[line.seat][line.kind] += 1
                if line.game is not None:
                    tallies.setdefault(line.game, _Tally()).faults[line.seat] += 1
            case GameLine():
                games[line.game] = tallies.pop(line.game, _Tally()).summary(line)
            case EndLine():
                end = line
    if header is None or end is None or sorted(games) != list(range(header.games)):
        raise ValueError("these are not the lines of a whole match")
    first, second, third = map(dict, kinds)
    return MatchSummary(
        match=header.match,
        tournament=header.tournament,
        bots=header.bots,
        first_block=header.first_block,
        games=tuple(games[number] for number in range(header.games)),
        faults=(first, second, third),
        times=end.times,
        lag_ms=end.lag_ms,
        deals=sum(game.deals for game in games.values()),
        started=header.started,
    )


class _Tally:
    """Sums over the lines of one game."""

    def __init__(self) -> None:
        self.faults = [0, 0, 0]
        self._points = [0, 0, 0]
        self._asked = [0, 0, 0]
        self._ms = [0.0, 0.0, 0.0]

    def add_deal(self, line: DealLine) -> None:
        for seat in range(3):
            self._points[seat] += line.points[seat]
            self._asked[seat] += line.asked[seat]
            self._ms[seat] += line.ms[seat]

    def summary(self, line: GameLine) -> GameSummary:
        return GameSummary(
            game=line.game,
            block=line.block,
            places=line.places,
            winners=line.winners,
            scores=line.scores,
            deals=line.deals,
            out=line.out,
            points=_three(self._points),
            asked=_three(self._asked),
            ms=_three([round(each, 3) for each in self._ms]),
            faults=_three(self.faults),
        )


def _three(items: list[_T]) -> tuple[_T, _T, _T]:
    first, second, third = items
    return first, second, third
