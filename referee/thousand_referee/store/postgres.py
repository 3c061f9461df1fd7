"""What is different in PostgreSQL: connections, one writer at a time, who holds a tournament.

SQLite has one writer at a time, and its file is locked by the data folder. In PostgreSQL,
which several machines may share, advisory locks see to both.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import Final

from sqlalchemy import URL, Connection, Engine, create_engine, text

from thousand_referee.errors import DataError

CONNECT_SECONDS: Final = 10

_WRITERS: Final = int.from_bytes(b"thousand")
"""The lock that every writing transaction takes."""


def open_postgres(url: URL) -> Engine:
    """Make an engine; connects later. ImportError if psycopg isn't installed."""
    if url.drivername == "postgresql":
        url = url.set(drivername="postgresql+psycopg")
    arguments = {
        "connect_timeout": CONNECT_SECONDS,
        "application_name": f"thousand {os.getpid()} on {socket.gethostname()}"[:63],
    }
    return create_engine(url, connect_args=arguments, pool_pre_ping=True)


def is_postgres(engine: Engine) -> bool:
    """Whether this is PostgreSQL."""
    return engine.dialect.name == "postgresql"


def begin_writing(connection: Connection) -> None:
    """Wait for all other writers; the end of the transaction lets the next one in."""
    connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _WRITERS})


@contextmanager
def held(engine: Engine, place: str, tournament: str) -> Iterator[None]:
    """Hold a tournament; DataError, with the process and its machine, if another one does.

    The lock is this connection's: however this process ends, the server lets go of it.
    """
    digest = sha256(f"thousand tournament\0{tournament}".encode()).digest()
    key = int.from_bytes(digest[:8], signed=True)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        if not connection.scalar(text("SELECT pg_try_advisory_lock(:key)"), {"key": key}):
            raise DataError(
                f"{place}: tournament {tournament!r} is being run by {_owner(connection, key)}; "
                "wait until it ends, or stop it"
            )
        try:
            yield
        finally:
            connection.invalidate()  # closes it, whatever state it is in, and with it the lock


def _owner(connection: Connection, key: int) -> str:
    """Say who holds a lock, as far as the server tells."""
    query = text(
        "SELECT application_name FROM pg_locks JOIN pg_stat_activity USING (pid) "
        "WHERE locktype = 'advisory' AND objsubid = 1 AND granted "
        "AND classid = :high AND objid = :low"
    )
    parts = {"high": (key >> 32) & 0xFFFFFFFF, "low": key & 0xFFFFFFFF}
    name = connection.scalar(query, parts)
    process = str(name or "").removeprefix("thousand ")
    return f"process {process}" if process else "another process"
