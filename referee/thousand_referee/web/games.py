"""One game out of a match log, laid out for the page that replays it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

import msgspec

from thousand.errors import RulesError
from thousand_referee.errors import LogError
from thousand_referee.matchlog.reader import read_log
from thousand_referee.matchlog.records import DealLine, FaultLine, GameLine, Line, MatchLine
from thousand_referee.matchlog.replay import Mismatch
from thousand_referee.text import printable
from thousand_referee.web.steps import DealSteps, deal_steps

_LOGS_KEPT: Final = 8
_GAMES_KEPT: Final = 32


class GameSteps(msgspec.Struct, frozen=True, kw_only=True):
    """A whole game, by deals and steps. Names are printable; lists are by seat."""

    match: str
    tournament: str
    game: int
    block: int
    games: int
    names: tuple[str, str, str]
    places: tuple[int, int, int]
    scores: tuple[int, int, int]
    out: tuple[int, ...]
    deals: tuple[DealSteps, ...]


def read_game(path: Path, number: int) -> GameSteps:
    """Lay out a game of a finished log.

    LogError if the log can't be read, has no such game, or makes no sense. The games
    looked at last are kept, so do not change what is given.
    """
    try:
        changed = path.stat().st_mtime_ns
    except OSError as error:
        raise LogError(str(path), 0, f"can't read it: {error.strerror}") from error
    return _read_game(path, changed, number)


@lru_cache(maxsize=_GAMES_KEPT)
def _read_game(path: Path, changed: int, number: int) -> GameSteps:
    lines = _lines_of(path, changed)
    header = lines[0]
    assert isinstance(header, MatchLine)  # the reader sees to it
    if not 0 <= number < header.games:
        raise LogError(
            str(path), 0, f"there is no game {number}; games are 0 to {header.games - 1}"
        )
    try:
        return _lay_out(header, number, lines)
    except (Mismatch, RulesError, ValueError, IndexError) as error:
        raise LogError(
            str(path), 0, f"game {number} makes no sense ({error}); thousand log verify tells more"
        ) from error


@lru_cache(maxsize=_LOGS_KEPT)
def _lines_of(path: Path, _changed: int) -> tuple[Line, ...]:
    return tuple(line for _, line in read_log(path))


def _lay_out(header: MatchLine, number: int, lines: Sequence[Line]) -> GameSteps:
    names = (
        printable(header.bots[0].name),
        printable(header.bots[1].name),
        printable(header.bots[2].name),
    )
    before: tuple[int, int, int] = (0, 0, 0)
    barrel: tuple[int | None, int | None, int | None] = (None, None, None)
    deals: list[DealSteps] = []
    faults: list[FaultLine] = []
    end: GameLine | None = None
    for line in lines:
        if isinstance(line, FaultLine) and line.game == number:
            faults.append(line)
        elif isinstance(line, DealLine) and line.game == number:
            deals.append(deal_steps(line, faults, names, before, barrel))
            faults = []
            before, barrel = line.scores, line.barrel
        elif isinstance(line, GameLine) and line.game == number:
            end = line
    if end is None or not deals:
        raise ValueError("it has no end, or no deals")
    return GameSteps(
        match=header.match,
        tournament=header.tournament,
        game=number,
        block=end.block,
        games=header.games,
        names=names,
        places=end.places,
        scores=end.scores,
        out=end.out,
        deals=tuple(deals),
    )
