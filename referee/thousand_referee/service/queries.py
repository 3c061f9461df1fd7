"""What the API reads of matches and games, page by page.

A page begins after the last row of the one before, found by an index: the hundredth page
takes no longer than the first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, or_, select

from thousand_referee.errors import Missing, Unacceptable
from thousand_referee.store import Store
from thousand_referee.store.engine import reading
from thousand_referee.store.finding import entry_names, is_called
from thousand_referee.store.schema import games, matches, tournaments

MOST_ROWS: Final = 100


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A finished match; tuples are by seat."""

    match: str
    entries: tuple[str, str, str]
    first_block: int
    games: int
    started: str
    faults: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game; tuples are by seat."""

    match: str
    game: int
    block: int
    entries: tuple[str, str, str]
    places: tuple[int, int, int]
    scores: tuple[int, int, int]
    deals: int


def list_matches(
    store: Store, tournament: str, *, entry: str = "", size: int = 0, token: str = ""
) -> tuple[tuple[MatchRow, ...], str]:
    """Give a page of matches, and the next page's token, empty on the last page.

    Missing if there is no such tournament or entry, Unacceptable for a token that is none.
    """
    most = _page_size(size)
    (after,) = _numbers(token, 1)
    with reading(store.engine) as connection:
        number, names = _roster(connection, tournament)
        query = select(matches).where(matches.c.tournament_id == number, matches.c.id > after)
        if entry:
            known = [each for each, name in names.items() if name == entry]
            if not known:
                raise Missing(f"no entry {entry!r} in tournament {tournament!r}")
            query = query.where(or_(*(matches.c[f"entry_{seat}"] == known[0] for seat in range(3))))
        rows = connection.execute(query.order_by(matches.c.id).limit(most + 1)).all()
    page = tuple(
        MatchRow(
            match=row.match,
            entries=_names(row, names),
            first_block=row.first_block,
            games=row.games,
            started=row.started,
            faults=_three([sum(kinds.values()) for kinds in row.faults]),
        )
        for row in rows[:most]
    )
    return page, str(rows[most - 1].id) if len(rows) > most else ""


def list_games(
    store: Store, tournament: str, *, match: str = "", size: int = 0, token: str = ""
) -> tuple[tuple[GameRow, ...], str]:
    """Give a page of games, and the next page's token; errors as above."""
    most = _page_size(size)
    after_match, after_game = _numbers(token, 2)
    with reading(store.engine) as connection:
        number, names = _roster(connection, tournament)
        query = (
            select(games, matches.c.match, *(matches.c[f"entry_{seat}"] for seat in range(3)))
            .join_from(games, matches)
            .where(matches.c.tournament_id == number)
            .where(
                or_(
                    games.c.match_id > after_match,
                    (games.c.match_id == after_match) & (games.c.game > after_game),
                )
            )
        )
        if match:
            query = query.where(is_called(tournament, match))
        rows = connection.execute(
            query.order_by(games.c.match_id, games.c.game).limit(most + 1)
        ).all()
    page = tuple(
        GameRow(
            match=row.match,
            game=row.game,
            block=row.block,
            entries=_names(row, names),
            places=_three([row.place_0, row.place_1, row.place_2]),
            scores=_three([row.score_0, row.score_1, row.score_2]),
            deals=row.deals,
        )
        for row in rows[:most]
    )
    last = rows[most - 1] if len(rows) > most else None
    return page, "" if last is None else f"{last.match_id}.{last.game}"


def log_of(store: Store, tournament: str, match: str) -> str:
    """Give the path of a match's log in the folder of logs; Missing if there is no such match."""
    with reading(store.engine) as connection:
        number, _ = _roster(connection, tournament)
        log: str | None = connection.scalar(
            select(matches.c.log).where(
                matches.c.tournament_id == number, is_called(tournament, match)
            )
        )
    if log is None:
        raise Missing(f"no finished match {match!r} in tournament {tournament!r}")
    return log


def seats_of(store: Store, tournament: str, match: str) -> tuple[str, tuple[str, str, str]]:
    """Give a finished match's whole id, and its entries' names by seat; Missing as above."""
    with reading(store.engine) as connection:
        number, names = _roster(connection, tournament)
        row = connection.execute(
            select(matches.c.match, matches.c.entry_0, matches.c.entry_1, matches.c.entry_2).where(
                matches.c.tournament_id == number, is_called(tournament, match)
            )
        ).first()
    if row is None:
        raise Missing(f"no finished match {match!r} in tournament {tournament!r}")
    return row.match, _names(row, names)


def _roster(connection: Connection, tournament: str) -> tuple[int, dict[int, str]]:
    """Give a tournament's number, and its entries' names by their numbers."""
    number = connection.scalar(select(tournaments.c.id).where(tournaments.c.name == tournament))
    if number is None:
        raise Missing(f"no tournament {tournament!r}; thousand server tournaments lists them")
    return number, entry_names(connection, number)


def _names(row: Any, names: dict[int, str]) -> tuple[str, str, str]:
    return names[row.entry_0], names[row.entry_1], names[row.entry_2]


def _three(values: list[int]) -> tuple[int, int, int]:
    first, second, third = values
    return first, second, third


def _page_size(size: int) -> int:
    return min(size, MOST_ROWS) or MOST_ROWS


def _numbers(token: str, count: int) -> list[int]:
    """Give the numbers that a page's token stands for: those before all rows if it is empty."""
    if not token:
        return [-1] * count
    parts = token.split(".")
    if len(parts) != count or not all(
        part.isascii() and part.isdecimal() and len(part) < 18 for part in parts
    ):
        raise Unacceptable("this page_token is none; take it from the response before")
    return [int(part) for part in parts]
