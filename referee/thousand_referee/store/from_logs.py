"""From match logs back to the database."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Connection, delete, insert, select
from sqlalchemy.exc import DataError as ImpossibleValue

from thousand.rules import block_seed
from thousand_referee.bots import is_name
from thousand_referee.data_folder import SINGLE_MATCHES
from thousand_referee.errors import DataError, LogError
from thousand_referee.matchlog.reader import find_logs, read_log
from thousand_referee.matchlog.records import MatchLine
from thousand_referee.matchlog.summary import MatchSummary, summarize
from thousand_referee.matchlog.writer import FINISHED_SUFFIX
from thousand_referee.store.engine import DamagedError, reading, writing
from thousand_referee.store.entering import MisfitError, Roster, insert_match, read_roster
from thousand_referee.store.keeping import load_rows
from thousand_referee.store.schema import (
    KEPT_TABLES,
    bot_versions,
    entries,
    games,
    matches,
    tournaments,
)
from thousand_referee.store.store import Store


@dataclass(slots=True)
class LogsEntered:
    """How many matches were entered from logs, and a line for each log that was skipped."""

    matches: int = 0
    skipped: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What a rebuilt database rests on.

    `recovered` names the tournaments of which no more is known than their logs tell:
    no seed, no folders. `damage` says why the old database was of no use, and where it
    is kept; None if all its tournaments and entries were taken over. Of a damaged one
    an arena's `keepsakes.json` tells as much.
    """

    logs: LogsEntered
    recovered: tuple[str, ...]
    damage: str | None


def enter_logs(store: Store, logs: Path, tournament: str) -> LogsEntered:
    """Enter those finished logs of a tournament that its coordinator didn't live to enter.

    `logs` is the folder of all logs. Logs of entered matches are not read again. Those
    that can't be read or don't fit, as of cards from another seed, are skipped and listed.
    """
    result = LogsEntered()
    for path in _finished_logs(logs / tournament, store.finished_matches(tournament)):
        with _skipping(path, result):
            header, summary = _read(path)
            with writing(store.engine) as connection:
                result.matches += _enter(connection, header, summary, path.relative_to(logs))
    return result


def rebuild(database: Path, logs: Path) -> Rebuilt:
    """Make an SQLite database anew: matches from their logs, the rest from the old one.

    The new database replaces the old one when it is complete; with an error the old one
    stays as it is. Nobody else may use it meanwhile (`DataFolder.lock_whole`). Logs that
    can't be read or don't fit are skipped and listed, never touched. They are taken at
    their word: whether they are right is for `verify` to say. DataError as for `Store`.
    """
    fresh = database.with_name(database.name + ".new")
    try:
        _remove(fresh)
        result = LogsEntered()
        rows, damage = _rows_to_keep(database)
        if damage is not None and (copy := load_rows(database.with_name("keepsakes.json"))):
            rows = {table: copy.get(table.name, []) for table in KEPT_TABLES}
        with Store.open(fresh) as store:
            with writing(store.engine) as connection:
                for table, kept in rows.items():
                    if kept:
                        connection.execute(insert(table), kept)
                _enter_all(connection, logs, result)
            with reading(store.engine) as connection:
                recovered = _recovered(connection)
        if fresh.with_name(fresh.name + "-wal").exists():  # SQLite deletes it when it is done
            raise DataError(f"{fresh}: not written completely; free some space there")
        if damage is not None:
            damage += _keep_damaged(database)
        # The old database's journal must not be taken for the new one's.
        for suffix in ("-wal", "-shm"):
            database.with_name(database.name + suffix).unlink(missing_ok=True)
        fresh.replace(database)
        _sync_folder(database.parent)
    except OSError as error:
        raise DataError(
            f"{database}: can't be replaced ({error.strerror}); make its folder writable"
        ) from error
    finally:
        with suppress(OSError):
            _remove(fresh)
    return Rebuilt(result, recovered, damage)


def rebuild_shared(store: Store, logs: Path) -> Rebuilt:
    """Do the same inside a database that is no file, all in one transaction.

    What can't be found in the logs must not be lost: DataError if the log of any entered
    match isn't in this folder, as when machines with other data folders share the database.
    """
    result = LogsEntered()
    with writing(store.engine) as connection:
        missing = [
            log for log in connection.scalars(select(matches.c.log)) if not (logs / log).is_file()
        ]
        if missing:
            raise DataError(
                f"{logs}: {len(missing)} matches of the database have no log here, such as "
                f"{missing[0]}; bring the logs of all data folders together first"
            )
        connection.execute(delete(games))
        connection.execute(delete(matches))
        _enter_all(connection, logs, result)
        return Rebuilt(result, _recovered(connection), None)


def _enter_all(connection: Connection, logs: Path, result: LogsEntered) -> None:
    for path in _finished_logs(logs, ()):
        if path.is_relative_to(logs / SINGLE_MATCHES):
            continue
        with _skipping(path, result):
            header, summary = _read(path)
            with connection.begin_nested():
                result.matches += _enter(connection, header, summary, path.relative_to(logs))


def _recovered(connection: Connection) -> tuple[str, ...]:
    """Name the tournaments that are known from their logs only."""
    unknown = select(tournaments.c.name).where(tournaments.c.seed.is_(None))
    return tuple(connection.scalars(unknown.order_by(tournaments.c.name)))


def _rows_to_keep(database: Path) -> tuple[dict[Any, list[dict[str, Any]]], str | None]:
    """Read what logs don't tell from the old database; no rows, and why, if it is damaged."""
    if not database.exists():
        return {}, None
    try:
        with Store.open(database) as store, reading(store.engine) as connection:
            return {
                table: [dict(row) for row in connection.execute(select(table)).mappings()]
                for table in KEPT_TABLES
            }, None
    except DamagedError as error:
        return {}, str(error)


def _keep_damaged(database: Path) -> str:
    kept = database.with_name(database.name + ".damaged")
    kept.unlink(missing_ok=True)
    os.link(database, kept)
    return f"; it is kept as {kept.name}"


@contextmanager
def _skipping(path: Path, result: LogsEntered) -> Iterator[None]:
    """List a log that turns out to be of no use; errors of the database are no log's fault."""
    try:
        yield
    except LogError as error:
        result.skipped.append(str(error))
    except (MisfitError, ValueError, OverflowError) as error:
        result.skipped.append(f"{path}: {error}")
    except ImpossibleValue as error:  # SQLite takes any; PostgreSQL's columns have limits
        result.skipped.append(f"{path}: {str(error.orig).splitlines()[0]}")


def _enter(connection: Connection, header: MatchLine, summary: MatchSummary, log: Path) -> bool:
    """Enter a match from its log, with its tournament if need be; False if it is there.

    What it raises for a log that doesn't fit must undo all of it.
    """
    roster = _recover(connection, header, read_roster(connection, header.tournament))
    is_new = insert_match(connection, roster, summary, log.as_posix())
    if (seed := _seed_of(connection, roster)) is not None:
        _check_cards(header, seed)
    return is_new


def _finished_logs(folder: Path, finished: Collection[str]) -> Iterator[Path]:
    for path in find_logs(folder):
        match = path.name.removesuffix(FINISHED_SUFFIX)
        if match != path.name and match not in finished:
            yield path


def _read(path: Path) -> tuple[MatchLine, MatchSummary]:
    """Read a log; LogError or ValueError if it is broken, or not the log its path says."""
    lines = (line for _, line in read_log(path))
    header = next(lines)
    assert isinstance(header, MatchLine)  # read_log sees to it
    if (path.parent.name, path.name) != (header.tournament, header.match + FINISHED_SUFFIX):
        raise ValueError(
            f"the log of match {header.match!r} of tournament {header.tournament!r}; "
            "move it to where that belongs"
        )
    names = {bot.name for bot in header.bots}
    if len(names) < 3 or not all(map(is_name, (header.tournament, *names))):
        raise ValueError("its tournament and bots don't have proper names, all different")
    if not header.games == len(header.seeds) >= 1:
        raise ValueError("it doesn't have one seed for each of its games")
    summary = summarize(chain([header], lines))
    for game in summary.games:
        if (
            game.block != header.first_block + game.game
            or not 1 == min(game.places) <= max(game.places) <= 3
        ):
            raise ValueError(f"game {game.game} has a wrong block or impossible places")
    return header, summary


def _recover(connection: Connection, header: MatchLine, roster: Roster | None) -> Roster:
    """Give the roster with the log's bots in it, if the tournament is only known from logs.

    Any other roster is given as it is.
    """
    if roster is None:
        number = _insert_tournament(connection, header)
        roster = Roster(number, {})
    else:
        if _seed_of(connection, roster) is not None:
            return roster
    known = dict(roster.entries)
    for bot in header.bots:
        if bot.name not in known:
            same = bot_versions.c.version == bot.version
            version_id = connection.scalar(select(bot_versions.c.id).where(same))
            entry_id = _insert(
                connection,
                entries,
                tournament_id=roster.tournament_id,
                name=bot.name,
                bot_version_id=version_id or _insert(connection, bot_versions, version=bot.version),
            )
            known[bot.name] = (entry_id, bot.version)
    return Roster(roster.tournament_id, known)


def _seed_of(connection: Connection, roster: Roster) -> str | None:
    same = tournaments.c.id == roster.tournament_id
    seed: str | None = connection.scalar(select(tournaments.c.seed).where(same))
    return seed


def _check_cards(header: MatchLine, seed: str) -> None:
    trio = [bot.name for bot in header.bots]
    for game, in_log in enumerate(header.seeds):
        if block_seed(seed, trio, header.first_block + game).hex() != in_log:
            raise ValueError(
                f"the cards of game {game} are not from the seed of tournament "
                f"{header.tournament!r}; move the log away"
            )


def _insert_tournament(connection: Connection, header: MatchLine) -> int:
    names = ("tables", "time", "faults")
    return _insert(
        connection,
        tournaments,
        name=header.tournament,
        config={name: msgspec.to_builtins(getattr(header, name)) for name in names},
        seed_proof={
            "trio": [bot.name for bot in header.bots],
            "block": header.first_block,
            "seed": header.seeds[0],
        },
    )


def _insert(connection: Connection, table: Any, **values: Any) -> int:
    result = connection.execute(insert(table).values(values))
    (number,) = result.inserted_primary_key or (0,)
    return int(number)


def _remove(database: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        database.with_name(database.name + suffix).unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    """Make a renaming in this folder outlast a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
