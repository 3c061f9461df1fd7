"""A match log at a glance, for lists of many."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from thousand_referee.errors import LogError
from thousand_referee.matchlog.reader import read_log
from thousand_referee.matchlog.records import DealLine, FaultLine, GameLine, MatchLine
from thousand_referee.matchlog.writer import RUNNING_SUFFIX


@dataclass(frozen=True, slots=True)
class LogDescription:
    """What a log holds, as far as it can be read.

    `match` and `tournament` come from the path if the first line can't be read. `names`
    are by seat, and empty then. `games`, `deals` and `faults` count what is there;
    `games_planned` is what the match was to have. `size` is the file's, in bytes.
    `problem` says why the log is not complete, else it is None.
    """

    path: str
    match: str
    tournament: str
    names: tuple[str, ...]
    games: int
    games_planned: int
    deals: int
    faults: int
    size: int
    problem: str | None

    @property
    def is_complete(self) -> bool:
        """Whether the log can be read from the first line to the end line."""
        return self.problem is None

    @property
    def is_running(self) -> bool:
        """Whether the match is still being played, or was left without an end."""
        return self.path.endswith(RUNNING_SUFFIX)


def describe_log(path: Path) -> LogDescription:
    """Describe a log; one that is broken is described up to there."""
    header: MatchLine | None = None
    games = deals = faults = 0
    problem = None
    try:
        for _, line in read_log(path):
            match line:
                case MatchLine():
                    header = line
                case DealLine():
                    deals += 1
                case FaultLine():
                    faults += 1
                case GameLine():
                    games += 1
    except LogError as error:
        problem = error.problem
    try:
        size = path.stat().st_size
    except OSError:
        size = 0  # it has been finished, and so renamed, in the meantime
    return LogDescription(
        path=str(path),
        match=path.name.partition(RUNNING_SUFFIX)[0] if header is None else header.match,
        tournament=path.parent.name if header is None else header.tournament,
        names=() if header is None else tuple(bot.name for bot in header.bots),
        games=games,
        games_planned=0 if header is None else header.games,
        deals=deals,
        faults=faults,
        size=size,
        problem=problem,
    )
