"""Finding matches and entries by the names people know: for every module that asks the store."""

from __future__ import annotations

from sqlalchemy import ColumnElement, Connection, select

from thousand_referee.store.schema import entries, matches


def entry_names(connection: Connection, tournament_id: int) -> dict[int, str]:
    """Give the names of a tournament's entries by their numbers."""
    rows = connection.execute(
        select(entries.c.id, entries.c.name).where(entries.c.tournament_id == tournament_id)
    )
    return {row.id: row.name for row in rows}


def is_called(tournament: str, match: str) -> ColumnElement[bool]:
    """Find a match by its id, which may lack the tournament's name, as lists show it."""
    return matches.c.match.in_((match, f"{tournament}-{match}"))
