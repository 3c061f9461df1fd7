"""What no match log tells, copied to a file and read back from it."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import msgspec
from sqlalchemy import Engine, UpdateBase, event, select

from thousand_referee.errors import DataError
from thousand_referee.store.engine import reading
from thousand_referee.store.schema import FORMAT, KEPT_TABLES

_MODE: Final = 0o600
"""It has seeds, and hashes of tokens: that is nobody else's business."""

Rows = dict[str, list[dict[str, Any]]]


class _Kept(msgspec.Struct, frozen=True):
    """The file: the database's format, and rows by table."""

    format: int
    rows: Rows


def watch_rows(engine: Engine, changed: Callable[[], None]) -> None:
    """Call back when a row that is copied is written by this engine, before that is committed."""

    def look(_connection: Any, statement: Any, *_rest: Any) -> None:
        if isinstance(statement, UpdateBase) and statement.table in KEPT_TABLES:
            changed()

    event.listen(engine, "after_execute", look)


def save_rows(engine: Engine, path: Path) -> None:
    """Copy the rows to a file, which is replaced when the new one is complete.

    One process or thread does so at a time, so that no older copy replaces a newer one.
    """
    with _alone(path.parent):
        _save_rows(engine, path)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _save_rows(engine: Engine, path: Path) -> None:
    with reading(engine) as connection:
        rows = {
            table.name: [dict(row) for row in connection.execute(select(table)).mappings()]
            for table in KEPT_TABLES
        }
    fresh = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _MODE)
        with os.fdopen(descriptor, "wb") as file:
            file.write(msgspec.json.encode(_Kept(FORMAT, rows)))
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except OSError as error:
        raise DataError(f"{path}: can't be written ({error.strerror}); free some space") from error


def load_rows(path: Path) -> Rows | None:
    """Give the copied rows by table; None if there is no copy, or none of this format."""
    try:
        kept = msgspec.json.decode(path.read_bytes(), type=_Kept)
    except (OSError, msgspec.MsgspecError):
        return None
    return kept.rows if kept.format == FORMAT else None
