"""How the result of one match enters the database, whoever found it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, insert, select

from thousand_referee.errors import DataError
from thousand_referee.matchlog.summary import GameSummary, MatchSummary
from thousand_referee.store.schema import bot_versions, entries, games, matches, tournaments
from thousand_referee.times import TimeHistogram


class MisfitError(DataError):
    """A match was played by another bot, or another version of it, than was entered."""


@dataclass(frozen=True, slots=True)
class Roster:
    """A tournament's number, and its entries by name: their number and bot version."""

    tournament_id: int
    entries: Mapping[str, tuple[int, str]]


def read_roster(connection: Connection, tournament: str) -> Roster | None:
    """Read the roster of the tournament of that name; None if there is no such tournament."""
    number = connection.scalar(select(tournaments.c.id).where(tournaments.c.name == tournament))
    if number is None:
        return None
    rows = connection.execute(
        select(entries.c.name, entries.c.id, bot_versions.c.version)
        .join_from(entries, bot_versions)
        .where(entries.c.tournament_id == number)
    )
    return Roster(number, {name: (entry_id, version) for name, entry_id, version in rows})


def insert_match(connection: Connection, roster: Roster, summary: MatchSummary, log: str) -> bool:
    """Enter a match and its games; False, and no change, if it is there already.

    MisfitError if a bot, or its version, is not the tournament's. ValueError for times
    that are none.
    """
    known = select(matches.c.id).where(
        matches.c.tournament_id == roster.tournament_id, matches.c.match == summary.match
    )
    if connection.scalar(known) is not None:
        return False
    for times in summary.times:
        TimeHistogram.from_json(times)
    result = connection.execute(insert(matches).values(match_row(roster, summary, log)))
    (match_id,) = result.inserted_primary_key or (None,)
    connection.execute(insert(games), [game_row(match_id, game) for game in summary.games])
    return True


def match_row(roster: Roster, summary: MatchSummary, log: str) -> dict[str, Any]:
    """Give a match's row but for its id; MisfitError as above."""
    return {
        "tournament_id": roster.tournament_id,
        "match": summary.match,
        **_by_seat("entry", [_entry_id(roster, summary, seat) for seat in range(3)]),
        "first_block": summary.first_block,
        "games": len(summary.games),
        "deals": summary.deals,
        "started": summary.started,
        "lag_ms": summary.lag_ms,
        "times": list(summary.times),
        "faults": list(summary.faults),
        "log": log,
    }


def _entry_id(roster: Roster, summary: MatchSummary, seat: int) -> int:
    bot = summary.bots[seat]
    entry_id, version = roster.entries.get(bot.name, (0, ""))
    if version != bot.version:
        problem = f"has version {version}" if version else "is not entered"
        raise MisfitError(
            f"match {summary.match} was played by {bot.name!r}, version {bot.version}, which "
            f"{problem} in tournament {summary.tournament!r}"
        )
    return entry_id


def game_row(match_id: int | None, game: GameSummary) -> dict[str, Any]:
    """Give a game's row."""
    return {
        "match_id": match_id,
        "game": game.game,
        "block": game.block,
        "deals": game.deals,
        **_by_seat("place", game.places),
        **_by_seat("score", game.scores),
        **_by_seat("points", game.points),
        **_by_seat("faults", game.faults),
        **_by_seat("asked", game.asked),
        **_by_seat("ms", game.ms),
        **_by_seat("out", [seat in game.out for seat in range(3)]),
    }


def _by_seat(name: str, values: Any) -> dict[str, Any]:
    return {f"{name}_{seat}": values[seat] for seat in range(3)}
