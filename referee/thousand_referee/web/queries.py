"""What the pages ask of the store. No query here reads games it doesn't show.

Lists of matches go by keyset: a page begins below the number of the last match of the
page before, newest first, so that it costs the same wherever it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from sqlalchemy import CompoundSelect, Row, Select, func, select, text, union_all

from thousand_referee.store import Store
from thousand_referee.store.engine import reading
from thousand_referee.store.finding import entry_names, is_called
from thousand_referee.store.schema import bot_versions, entries, games, matches, tournaments

PAGE_ROWS = 50

Three: TypeAlias = tuple[Any, Any, Any]


@dataclass(frozen=True, slots=True)
class EntryRow:
    """An entry of a tournament and what is known of its bot; one that is retired plays no more."""

    name: str
    version: str
    description: str
    gauntlet: bool
    retired: bool


@dataclass(frozen=True, slots=True)
class TournamentRow:
    """A tournament, its entries by name, and how far it is; times as logs have them.

    `phase` is open, running or closed, or None where no arena service runs it.

    `recent` are the starting times of its newest match and of one `recent_count` matches
    before, by which its speed is judged.
    """

    id: int
    name: str
    config: Mapping[str, Any]
    phase: str | None
    entries: tuple[EntryRow, ...]
    matches: int
    games: int
    first_started: str | None
    last_started: str | None
    recent_started: str | None
    recent_count: int

    @property
    def names(self) -> tuple[str, ...]:
        """The entries' names."""
        return tuple(entry.name for entry in self.entries)


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A finished match. `names`, `faults` and `times` are by seat."""

    id: int
    match: str
    tournament: str
    names: Three
    first_block: int
    games: int
    deals: int
    started: str
    lag_ms: float
    faults: tuple[Mapping[str, int], ...]
    times: tuple[Mapping[str, Any], ...]
    log: str

    @property
    def fault_count(self) -> int:
        """The faults of all its bots."""
        return sum(sum(kinds.values()) for kinds in self.faults)


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game of a match; lists by seat."""

    game: int
    block: int
    deals: int
    places: Three
    scores: Three
    points: Three
    faults: Three
    asked: Three
    ms: Three
    out: Three


@dataclass(frozen=True, slots=True)
class MatchPage:
    """Some matches of a list, newest first, and where the next page begins, if there is one."""

    rows: tuple[MatchRow, ...]
    next_before: int | None


@dataclass(frozen=True, slots=True)
class BotRow:
    """A name that entered tournaments: how many, and the versions entered under it."""

    name: str
    tournaments: int
    versions: int


def is_reachable(store: Store) -> bool:
    """Ask the database for something; DataError if it doesn't answer."""
    with reading(store.engine) as connection:
        return connection.execute(text("SELECT 1")).scalar() == 1


def tournament_rows(store: Store) -> tuple[TournamentRow, ...]:
    """Give all tournaments, by name."""
    with reading(store.engine) as connection:
        names = connection.scalars(select(tournaments.c.name).order_by(tournaments.c.name)).all()
    rows = (tournament_row(store, name) for name in names)
    return tuple(row for row in rows if row is not None)


def tournament_row(store: Store, name: str) -> TournamentRow | None:
    """Give a tournament; None if there is no such one."""
    own = matches.c.tournament_id
    with reading(store.engine) as connection:
        found = connection.execute(
            select(tournaments.c.id, tournaments.c.config, tournaments.c.phase).where(
                tournaments.c.name == name
            )
        ).one_or_none()
        if found is None:
            return None
        number, config, phase = found
        figures = (
            func.count(),
            func.coalesce(func.sum(matches.c.games), 0),
            func.min(matches.c.started),
            func.max(matches.c.started),
        )
        counts = connection.execute(select(*figures).where(own == number)).one()
        newest = (
            connection.scalars(
                select(matches.c.started)
                .where(own == number)
                .order_by(matches.c.id.desc())
                .limit(PAGE_ROWS)
            )
            .unique()
            .all()
        )
        listed = connection.execute(
            select(
                entries.c.name,
                bot_versions.c.version,
                func.coalesce(bot_versions.c.description, ""),
                func.coalesce(entries.c.gauntlet, False),
                func.coalesce(entries.c.retired, False),
            )
            .join_from(entries, bot_versions)
            .where(entries.c.tournament_id == number)
            .order_by(entries.c.name)
        )
        return TournamentRow(
            number,
            name,
            config,
            phase,
            tuple(EntryRow(*row) for row in listed),
            matches=counts[0],
            games=counts[1],
            first_started=counts[2],
            last_started=counts[3],
            recent_started=newest[-1] if newest else None,
            recent_count=len(newest),
        )


def match_page(
    store: Store, tournament: TournamentRow, before: int | None = None, bot: str | None = None
) -> MatchPage:
    """Give the newest matches of a tournament, or of one entry of it, below number `before`."""
    newest = matches.c.id.desc()
    with reading(store.engine) as connection:
        names = entry_names(connection, tournament.id)
        query = _match_query().where(matches.c.tournament_id == tournament.id)
        if bot is not None:
            number = next((number for number, name in names.items() if name == bot), None)
            query = _match_query().where(matches.c.id.in_(_newest_of(number, before)))
        elif before is not None:
            query = query.where(matches.c.id < before)
        rows = connection.execute(query.order_by(newest).limit(PAGE_ROWS + 1)).all()
    found = tuple(_match_row(row, tournament.name, names) for row in rows[:PAGE_ROWS])
    return MatchPage(found, found[-1].id if len(rows) > PAGE_ROWS else None)


def match_row(store: Store, tournament: str, match: str) -> MatchRow | None:
    """Give one match; None if there is no such one."""
    query = (
        _match_query()
        .join(tournaments, tournaments.c.id == matches.c.tournament_id)
        .where(tournaments.c.name == tournament, is_called(tournament, match))
        .add_columns(tournaments.c.id.label("tournament_id"))
    )
    with reading(store.engine) as connection:
        row = connection.execute(query).one_or_none()
        return (
            None
            if row is None
            else _match_row(row, tournament, entry_names(connection, row.tournament_id))
        )


def game_rows(store: Store, match_id: int) -> tuple[GameRow, ...]:
    """Give all games of the match with that number, in order."""
    by_seat = ("place", "score", "points", "faults", "asked", "ms", "out")
    columns = [games.c[f"{name}_{seat}"] for name in by_seat for seat in range(3)]
    query = (
        select(games.c.game, games.c.block, games.c.deals, *columns)
        .where(games.c.match_id == match_id)
        .order_by(games.c.game)
    )
    with reading(store.engine) as connection:
        return tuple(
            GameRow(*row[:3], *(tuple(row[start : start + 3]) for start in range(3, 24, 3)))
            for row in connection.execute(query)
        )


def log_paths(store: Store, tournament: str) -> tuple[str, ...]:
    """Give the logs of a tournament's finished matches, relative to the folder of logs."""
    query = (
        select(matches.c.log)
        .join(tournaments, tournaments.c.id == matches.c.tournament_id)
        .where(tournaments.c.name == tournament)
        .order_by(matches.c.match)
    )
    with reading(store.engine) as connection:
        return tuple(connection.scalars(query))


def match_ids(store: Store, tournament: str) -> tuple[str, ...]:
    """Give the ids of a tournament's finished matches, in order."""
    query = (
        select(matches.c.match)
        .join(tournaments, tournaments.c.id == matches.c.tournament_id)
        .where(tournaments.c.name == tournament)
        .order_by(matches.c.match)
    )
    with reading(store.engine) as connection:
        return tuple(connection.scalars(query))


def bot_rows(store: Store) -> tuple[BotRow, ...]:
    """Give all names that entered a tournament."""
    query = (
        select(
            entries.c.name,
            func.count(entries.c.tournament_id.distinct()),
            func.count(entries.c.bot_version_id.distinct()),
        )
        .group_by(entries.c.name)
        .order_by(entries.c.name)
    )
    with reading(store.engine) as connection:
        return tuple(BotRow(*row) for row in connection.execute(query))


def tournaments_of(store: Store, bot: str) -> tuple[str, ...]:
    """Give the names of the tournaments that a name entered."""
    query = (
        select(tournaments.c.name)
        .join_from(entries, tournaments)
        .where(entries.c.name == bot)
        .order_by(tournaments.c.id.desc())
    )
    with reading(store.engine) as connection:
        return tuple(connection.scalars(query))


def _newest_of(entry: int | None, before: int | None) -> CompoundSelect[Any]:
    """Select the numbers of the newest matches that an entry has at each seat."""
    by_seat = []
    for seat in range(3):
        query = select(matches.c.id).where(matches.c[f"entry_{seat}"] == entry)
        if before is not None:
            query = query.where(matches.c.id < before)
        few = query.order_by(matches.c.id.desc()).limit(PAGE_ROWS + 1).subquery()
        by_seat.append(select(few.c.id))
    return union_all(*by_seat)


def _match_query() -> Select[Any]:
    return select(
        matches.c.id, matches.c.match, matches.c.first_block, matches.c.games, matches.c.deals,
        matches.c.started, matches.c.lag_ms, matches.c.faults, matches.c.times, matches.c.log,
        matches.c.entry_0, matches.c.entry_1, matches.c.entry_2,
    )  # fmt: skip


def _match_row(row: Row[Any], tournament: str, names: Mapping[int, str]) -> MatchRow:
    return MatchRow(
        id=row.id,
        match=row.match,
        tournament=tournament,
        names=(names[row.entry_0], names[row.entry_1], names[row.entry_2]),
        first_block=row.first_block,
        games=row.games,
        deals=row.deals,
        started=row.started,
        lag_ms=row.lag_ms,
        faults=tuple(row.faults),
        times=tuple(row.times),
        log=row.log,
    )
