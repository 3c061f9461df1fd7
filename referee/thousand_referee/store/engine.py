"""The database's connections: how they are set up, and what its errors mean to people.

`postgres` has what is different there.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, unquote

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError

from thousand_referee.errors import ConfigError, DataError
from thousand_referee.store.postgres import begin_writing, held, is_postgres, open_postgres

BUSY_SECONDS: Final = 20
"""A writer waits so long for another one."""

_WRITES: Final = "thousand_writes"


class DamagedError(DataError):
    """The database file is no database, or is corrupt."""


def open_engine(location: str | Path, *, create: bool = True) -> Engine:
    """Make an engine for a database's URL or an SQLite file's path; connects later.

    Without `create`, DataError if an SQLite file isn't there. Where it can't be written,
    it can still be read. ConfigError for a URL that is none, or of a database that can't
    be used. It doesn't show the URL, in which there may be a password.
    """
    url = URL.create("sqlite", database=str(location))
    if isinstance(location, str) and "://" in location:
        try:
            url = make_url(location)
        except (ArgumentError, ValueError):
            raise ConfigError(
                "the database URL can't be used: it is none; write it as in "
                "postgresql+psycopg://USER:PASSWORD@HOST/DATABASE, special characters as %40"
            ) from None
        if url.get_backend_name() == "postgresql":
            return _open_postgres(url)
        if url.get_backend_name() != "sqlite":
            raise ConfigError(
                f"the database URL can't be used: {url.get_backend_name()!r} is neither "
                "postgresql nor sqlite; use one of these"
            )
    try:
        if url.database and url.database != ":memory:":
            url = _url_of_file(url, Path(url.database), create)
        engine = create_engine(url, connect_args={"timeout": BUSY_SECONDS})
    except (ArgumentError, NoSuchModuleError, ModuleNotFoundError, ValueError):
        raise ConfigError(
            "the database URL can't be used: not one of an SQLite file; write sqlite:///FILE"
        ) from None
    is_written = "immutable" not in url.query
    event.listen(engine, "connect", _set_up_sqlite if is_written else _set_up_reader)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _url_of_file(url: URL, file: Path, create: bool) -> URL:
    """Give the URL to open an SQLite file with; DataError if it can't be opened so."""
    if not file.exists():
        if create:
            return url
        raise DataError(
            f"{file}: no such database; run a tournament first, make it anew from the match logs "
            "(thousand store rebuild), or use another --data or --store"
        )
    if os.access(file, os.W_OK) and os.access(file.parent, os.W_OK):
        return url
    # Readers of a WAL database write beside it, unless told that nobody changes it.
    log = file.with_name(f"{file.name}-wal")
    if log.exists() and log.stat().st_size:
        raise DataError(
            f"{file}: it can't be written, and {log.name} holds results that are not in it yet; "
            "make the folder writable, or read a copy of it"
        )
    return url.set(
        database=f"file:{quote(str(file.absolute()))}", query={"immutable": "1", "uri": "true"}
    )


def _open_postgres(url: URL) -> Engine:
    try:
        return open_postgres(url)
    except (ArgumentError, NoSuchModuleError, ImportError, ValueError):
        raise ConfigError(
            "the database URL can't be used: PostgreSQL's driver isn't installed, or another "
            "one asked for; install thousand-arena[postgres] and write postgresql+psycopg://…"
        ) from None


def place_of(engine: Engine) -> str:
    """Name the database for a message: SQLite's file, or the URL without its secrets."""
    url = engine.url
    if url.get_backend_name() == "sqlite" and url.database:
        return unquote(url.database.removeprefix("file:"))
    return url.set(query={}).render_as_string(hide_password=True)


def location_of(engine: Engine) -> str:
    """Give what opens the same database elsewhere. It may have a password in it: don't show it."""
    if engine.url.get_backend_name() == "sqlite":
        return place_of(engine)
    return engine.url.render_as_string(hide_password=False)


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """Give a connection that sees one state of the database; errors become DataError."""
    with translated(engine), engine.connect() as connection:
        if is_postgres(engine):
            connection = connection.execution_options(isolation_level="REPEATABLE READ")
        yield connection


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """Give a connection in a transaction: all of it is kept, or with an error nothing."""
    with translated(engine), engine.execution_options(**{_WRITES: True}).begin() as connection:
        if is_postgres(engine):
            begin_writing(connection)
        yield connection


@contextmanager
def holding(engine: Engine, tournament: str) -> Iterator[None]:
    """Hold a tournament in a database that machines share; SQLite's data folder has locks."""
    if is_postgres(engine):
        with translated(engine), held(engine, place_of(engine), tournament):
            yield
    else:
        yield


@contextmanager
def translated(engine: Engine) -> Iterator[None]:
    """Turn SQLAlchemy's errors into DataError with the place and a remedy."""
    try:
        yield
    except SQLAlchemyError as error:
        raise _explain(place_of(engine), error) from error


def _set_up_sqlite(connection: sqlite3.Connection, _record: Any) -> None:
    """Set up a new connection.

    Python's own transactions are off, since they begin too late. Readers go on during a
    write (WAL). FULL: a result outlasts a power cut once it was entered, for one fsync
    per match; NORMAL would only promise a sound database.
    """
    connection.isolation_level = None
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
        connection.execute(f"PRAGMA {pragma}")


def _set_up_reader(connection: sqlite3.Connection, _record: Any) -> None:
    """Set up a connection to a file that can't be written."""
    connection.isolation_level = None


def _begin_sqlite(connection: Connection) -> None:
    """Begin a transaction; one that will write takes the write lock at once, and waits for it."""
    writes = connection.get_execution_options().get(_WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


_PROBLEMS: Final = {
    sqlite3.SQLITE_BUSY: f"locked by another program for {BUSY_SECONDS} s; stop that, and retry",
    sqlite3.SQLITE_FULL: "no space left for it; free some, then run the same command again",
    sqlite3.SQLITE_READONLY: "it can't be written; change that, or use another --data",
    sqlite3.SQLITE_CANTOPEN: "it can't be opened; check its folder, or use another --data",
    sqlite3.SQLITE_IOERR: "the disk fails to read or write it; check the disk and its space",
}
_DAMAGED: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def _explain(place: str, error: SQLAlchemyError) -> DataError:
    # A full disk ends SQLite's transaction, so that rolling it back can fail in its turn.
    earlier = error.__context__
    while earlier is not None:
        error = earlier if isinstance(earlier, SQLAlchemyError) else error
        earlier = earlier.__context__
    cause = getattr(error, "orig", None) or error
    code = getattr(cause, "sqlite_errorcode", 0) & 0xFF
    if code in _DAMAGED:
        return DamagedError(f"{place}: damaged ({cause}); rebuild it from the match logs")
    reason = " ".join(str(cause).split())
    problem = _PROBLEMS.get(code)
    return DataError(f"{place}: {problem} ({reason})" if problem else f"{place}: {reason}")
