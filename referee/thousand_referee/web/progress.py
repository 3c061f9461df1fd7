"""How far a tournament is, and how long it will take."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Final, Literal

from thousand_referee.balanced import balanced_schedule
from thousand_referee.schedule import schedule
from thousand_referee.web.queries import TournamentRow

QUIET_SECONDS: Final = 60.0
QUIET_GAPS: Final = 10
"""After so long, and so many usual gaps, without a new match a tournament counts as paused."""


_planning: Final = threading.Lock()


@dataclass(frozen=True, slots=True)
class Progress:
    """`state` says what is going on; open is for entries, and closed for ever.

    An open tournament is at rest when all its entries have played what they were to, until
    somebody enters; as far as can be seen from its matches.

    `total` games are None where the schedule isn't known, or has no end.

    `seconds_left` is an estimate, None unless it is being played.
    """

    state: Literal["empty", "open", "playing", "paused", "at rest", "complete", "closed"]
    games: int
    total: int | None
    seconds_left: float | None

    @property
    def is_final(self) -> bool:
        """Whether nothing more will happen."""
        return self.state in ("complete", "closed")

    @property
    def share(self) -> float | None:
        """The share of games played, 0 to 1."""
        return None if not self.total else min(1.0, self.games / self.total)


def progress_of(row: TournamentRow, now: datetime | None = None) -> Progress:
    """Say how far a tournament is; `now` is the present unless given."""
    total = planned_games(row)
    if total is not None and row.games >= total:
        return Progress("complete", row.games, total, None)
    if row.phase == "closed":
        return Progress("closed", row.games, total, None)
    if not row.matches:
        return Progress("open" if row.phase == "open" else "empty", 0, total, None)
    latest, earlier = _time(row.last_started), _time(row.recent_started)
    if latest is None or earlier is None:
        return Progress("paused", row.games, total, None)
    gap = (latest - earlier).total_seconds() / max(1, row.recent_count - 1)
    quiet = ((now or datetime.now(UTC)) - latest).total_seconds()
    if quiet > max(QUIET_SECONDS, QUIET_GAPS * gap):
        is_resting = row.phase == "open" and row.config.get("mode") == "open"
        return Progress("at rest" if is_resting else "paused", row.games, total, None)
    left = None
    if total is not None and row.recent_count > 1:
        left = (total - row.games) / (row.games / row.matches) * gap
    return Progress("playing", row.games, total, left)


def planned_games(row: TournamentRow) -> int | None:
    """Give the number of games a tournament has in the end; None where that isn't known."""
    playing = [entry for entry in row.entries if not entry.retired]
    names = tuple(entry.name for entry in playing)
    challengers = tuple(entry.name for entry in playing if entry.gauntlet)
    figures = (row.config.get(key) for key in ("blocks", "blocks_per_entry", "games_per_match"))
    blocks, blocks_per_entry, games_per_match = figures
    if row.config.get("mode") == "open" or not isinstance(games_per_match, int):
        return None
    with _planning:  # a large balanced schedule takes half a second: once is enough
        return _planned(names, challengers, blocks, blocks_per_entry, games_per_match)


@lru_cache(maxsize=64)
def _planned(
    names: tuple[str, ...],
    challengers: tuple[str, ...],
    blocks: int | None,
    blocks_per_entry: int | None,
    games_per_match: int,
) -> int | None:
    try:
        if isinstance(blocks_per_entry, int):
            return balanced_schedule(names, blocks_per_entry, games_per_match).games
        if isinstance(blocks, int):
            return schedule(names, challengers, blocks, games_per_match).games
    except ValueError:
        pass  # too few entries so far
    return None


def _time(text: str | None) -> datetime | None:
    try:
        found = datetime.fromisoformat(text or "")
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def duration_text(seconds: float) -> str:
    """Give a duration as people say it: ``40 s``, ``12 min``, ``3 h 20 min``, ``2 days``."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    if minutes < 90:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    if hours < 48:
        return f"{hours} h {minutes} min" if minutes else f"{hours} h"
    return f"{round(hours / 24)} days"
