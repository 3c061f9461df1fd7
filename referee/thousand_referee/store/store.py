"""The store's one class: everything the program writes to and asks of its database."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import msgspec
from sqlalchemy import Connection, Engine, Text, cast, false, func, insert, inspect, select, update

from thousand_referee.errors import DataError
from thousand_referee.matchlog.summary import MatchSummary
from thousand_referee.store.engine import holding, open_engine, place_of, reading, writing
from thousand_referee.store.entering import insert_match, read_roster
from thousand_referee.store.finding import entry_names
from thousand_referee.store.migrate import upgrade
from thousand_referee.store.resume import resumed_seed
from thousand_referee.store.schema import (
    FORMAT,
    bot_versions,
    bots,
    entries,
    games,
    matches,
    meta,
    metadata,
    submissions,
    tournaments,
)
from thousand_referee.store.values import StoredEntry, StoredTournament
from thousand_referee.times import TimeHistogram
from thousand_referee.tournament_file import Entry, TournamentFile

if TYPE_CHECKING:
    from thousand_referee.ratings.game_table import GameTable

_ROWS_AT_ONCE = 2_000
_decode_times = msgspec.json.Decoder(list[TimeHistogram]).decode


class Store:
    """An open database. All methods raise DataError when it can't be read or written.

    Every writing method is one transaction. Threads may share a store. One process
    should write at a time; another one's writes are waited for.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    @classmethod
    def open(cls, location: str | Path, *, create: bool = True) -> Store:
        """Open the database at a URL or of an SQLite file.

        With `create` the file is made if it isn't there. An older format is upgraded.
        DataError if it is not a database of this program, or of a newer format.
        """
        engine = open_engine(location, create=create)
        try:
            with reading(engine) as connection:
                is_current = _read_format(connection, engine) == FORMAT
            if not is_current:
                with writing(engine) as connection:
                    known = _read_format(connection, engine)
                    if known is None:
                        metadata.create_all(connection)
                        connection.execute(insert(meta).values(key="format", value=str(FORMAT)))
                    elif known < FORMAT:
                        upgrade(connection, known, FORMAT)
        except BaseException:
            engine.dispose()
            raise
        return cls(engine)

    def is_file(self, path: Path) -> bool:
        """Whether the database is that SQLite file."""
        return self.engine.url.database == str(path)

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    @contextmanager
    def hold(self, tournament: str) -> Iterator[None]:
        """Hold a tournament, where machines share the database; DataError if another does."""
        with holding(self.engine, tournament):
            yield

    def create_or_resume(self, file: TournamentFile, fresh_seed: str) -> str:
        """Create the tournament a file describes, or go on with it; give its seed.

        The seed of a new tournament is the file's, or else `fresh_seed`. ConfigError if the
        stored tournament of this name can't go on as the file has it: see `resume`.
        """
        with writing(self.engine) as connection:
            number = connection.scalar(
                select(tournaments.c.id).where(tournaments.c.name == file.name)
            )
            if number is None:
                seed = fresh_seed if file.seed is None else file.seed
                row = {"name": file.name, "seed": seed, "config": file.config()}
                result = connection.execute(insert(tournaments).values(row))
                (number,) = result.inserted_primary_key or (None,)
            else:
                seed = self._resume(connection, number, file)
            self._write_entries(connection, number, file.entries)
        return seed

    def enter_match(self, summary: MatchSummary, log: str) -> bool:
        """Enter a finished match; False, and nothing changes, if that was done before.

        `log` is the path of its log relative to the folder of logs. DataError if the
        tournament is unknown, or a bot or its version isn't the tournament's.
        """
        with writing(self.engine) as connection:
            roster = read_roster(connection, summary.tournament)
            if roster is None:
                raise self._no_tournament(connection, summary.tournament)
            return insert_match(connection, roster, summary, log)

    def tournaments(self) -> tuple[StoredTournament, ...]:
        """Give all tournaments, by name."""
        with reading(self.engine) as connection:
            return _read_tournaments(connection)

    def tournament(self, name: str) -> StoredTournament:
        """Give one tournament; DataError, naming those there are, if there is no such one."""
        with reading(self.engine) as connection:
            for tournament in _read_tournaments(connection):
                if tournament.name == name:
                    return tournament
            raise self._no_tournament(connection, name)

    def finished_matches(self, tournament: str) -> set[str]:
        """Give the ids of the matches that were entered; DataError for an unknown tournament."""
        with reading(self.engine) as connection:
            number = self._number_of(connection, tournament)
            query = select(matches.c.match).where(matches.c.tournament_id == number)
            return set(connection.scalars(query))

    def game_table(self, tournament: str) -> GameTable:
        """Give all games of a tournament's finished matches, in the order they were entered."""
        from thousand_referee.ratings.game_table import GameTable

        columns = [games.c.block]
        columns += [games.c[f"{name}_{seat}"] for name in ("place", "points") for seat in range(3)]
        columns += [games.c.deals, *(games.c[f"faults_{seat}"] for seat in range(3))]
        with reading(self.engine) as connection:
            number = self._number_of(connection, tournament)
            names = entry_names(connection, number)
            query = (
                select(matches.c.entry_0, matches.c.entry_1, matches.c.entry_2, *columns)
                .join_from(games, matches)
                .where(matches.c.tournament_id == number)
                .order_by(matches.c.id, games.c.game)
                .execution_options(yield_per=_ROWS_AT_ONCE)
            )
            return GameTable.of_ids(connection.execute(query), names, sorted(names.values()))

    def times_by_bot(self, tournament: str) -> dict[str, TimeHistogram]:
        """Give the charged times of every entry's decisions, over all finished matches."""
        with reading(self.engine) as connection:
            number = self._number_of(connection, tournament)
            names = entry_names(connection, number)
            # As text, since decoding it is most of the work, and others do that faster.
            query = (
                select(
                    cast(matches.c.times, Text),
                    *(matches.c[f"entry_{seat}"] for seat in range(3)),
                )
                .where(matches.c.tournament_id == number)
                .execution_options(yield_per=_ROWS_AT_ONCE)
            )
            totals = {entry: TimeHistogram() for entry in names}
            for text, *seats in connection.execute(query):
                for entry, times in zip(seats, _decode_times(text), strict=True):
                    totals[entry].merge(times)
        return {names[entry]: total for entry, total in totals.items()}

    def _number_of(self, connection: Connection, tournament: str) -> int:
        query = select(tournaments.c.id).where(tournaments.c.name == tournament)
        number: int | None = connection.scalar(query)
        if number is None:
            raise self._no_tournament(connection, tournament)
        return number

    def _no_tournament(self, connection: Connection, name: str) -> DataError:
        known = connection.scalars(select(tournaments.c.name).order_by(tournaments.c.name)).all()
        listing = f"there are {', '.join(map(repr, known))}" if known else "there is none yet"
        return DataError(f"{place_of(self.engine)}: no tournament {name!r}; {listing}")

    def _resume(self, connection: Connection, number: int, file: TournamentFile) -> str:
        (stored,) = _read_tournaments(connection, number)
        proof = connection.scalar(
            select(tournaments.c.seed_proof).where(tournaments.c.id == number)
        )
        ranges = connection.execute(
            select(matches.c.first_block, matches.c.games)
            .where(matches.c.tournament_id == number)
            .distinct()
        )
        seed = resumed_seed(stored, proof, [(first, count) for first, count in ranges], file)
        connection.execute(
            update(tournaments)
            .where(tournaments.c.id == number)
            .values(seed=seed, config=file.config(), seed_proof=None)
        )
        return seed

    def _write_entries(
        self, connection: Connection, number: int | None, listed: Sequence[Entry]
    ) -> None:
        """Insert the entries that aren't there, and keep what is now known of the others."""
        there = connection.execute(
            select(entries.c.name, entries.c.id).where(entries.c.tournament_id == number)
        )
        ids: dict[str, int] = {row.name: row.id for row in there}
        for entry in listed:
            values: dict[str, Any] = {
                "tournament_id": number,
                "name": entry.name,
                "bot_version_id": _write_version(connection, entry),
                "folder": str(entry.bot.folder),
                "gauntlet": entry.gauntlet,
            }
            if entry.name in ids:
                known = entries.c.id == ids[entry.name]
                connection.execute(update(entries).where(known).values(values))
            else:
                connection.execute(insert(entries).values(values))


def _read_format(connection: Connection, engine: Engine) -> int | None:
    """Give the database's format, None if it is empty; DataError if it isn't this program's."""
    names = inspect(connection).get_table_names()
    if not names:
        return None
    place = place_of(engine)
    value = None
    if meta.name in names:
        value = connection.scalar(select(meta.c.value).where(meta.c.key == "format"))
    if value is None or not value.isdecimal():
        raise DataError(f"{place}: a database of another program; use another one")
    if int(value) > FORMAT:
        raise DataError(
            f"{place}: made by a newer thousand-arena (format {value}, this program knows "
            f"{FORMAT}): update it or use another --data"
        )
    return int(value)


def _write_version(connection: Connection, entry: Entry) -> int | None:
    """Give the number of an entry's bot version, in the database with all that is known."""
    bot = entry.bot
    values: dict[str, Any] = {
        "digest": bot.digest,
        "command": list(bot.command),
        "description": bot.description,
    }
    same = bot_versions.c.version == bot.version
    number = connection.scalar(select(bot_versions.c.id).where(same))
    if number is None:
        result = connection.execute(insert(bot_versions).values(version=bot.version, **values))
        (number,) = result.inserted_primary_key or (None,)
    else:
        connection.execute(update(bot_versions).where(same).values(values))
    return number


def _read_tournaments(
    connection: Connection, number: int | None = None
) -> tuple[StoredTournament, ...]:
    """Read all tournaments, or the one with that number, in two queries."""
    counts = (
        select(
            tournaments.c.id,
            tournaments.c.name,
            tournaments.c.seed,
            tournaments.c.config,
            func.count(matches.c.id),
            func.coalesce(func.sum(matches.c.games), 0),
            func.min(matches.c.started),
            func.max(matches.c.started),
            tournaments.c.phase,
        )
        .join_from(tournaments, matches, isouter=True)
        .group_by(tournaments.c.id, tournaments.c.name, tournaments.c.seed, tournaments.c.phase)
        .order_by(tournaments.c.name)
    )
    listed = select(
        entries.c.tournament_id,
        entries.c.name,
        bot_versions.c.version,
        entries.c.folder,
        entries.c.gauntlet,
        bots.c.name,
        func.coalesce(entries.c.retired, false()),
    ).join_from(entries, bot_versions)
    listed = listed.join(submissions, isouter=True).join(bots, isouter=True)
    if number is not None:
        counts = counts.where(tournaments.c.id == number)
        listed = listed.where(entries.c.tournament_id == number)
    by_tournament: dict[int, list[StoredEntry]] = {}
    for tournament_id, *values in connection.execute(listed.order_by(entries.c.name)):
        by_tournament.setdefault(tournament_id, []).append(StoredEntry(*values))
    return tuple(
        StoredTournament(name, seed, config, tuple(by_tournament.get(key, ())), *figures)
        for key, name, seed, config, *figures in connection.execute(counts)
    )
