"""A record of the matches of a tournament that came to nothing, and why.

One JSON object on each line, appended in one write: a kill loses at most the last one,
and what it left of a line is skipped when the file is read.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from thousand_referee.errors import DataError
from thousand_referee.spec import MatchSpec


class Void(msgspec.Struct, frozen=True, kw_only=True):
    """One void match: its id, who sat where, why, and when (UTC)."""

    match: str
    bots: tuple[str, str, str]
    reason: str
    at: str


def record_void(path: Path, spec: MatchSpec, reason: str) -> None:
    """Append a void to a tournament's record; DataError if the disk doesn't take it."""
    first, second, third = (bot.name for bot in spec.bots)
    void = Void(
        match=spec.match,
        bots=(first, second, third),
        reason=reason,
        at=datetime.now(UTC).isoformat(timespec="seconds"),
    )
    try:
        path.parent.mkdir(exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        try:
            # Begins on a line of its own, even after one that a kill broke off.
            os.write(descriptor, b"\n" + msgspec.json.encode(void) + b"\n")
        finally:
            os.close(descriptor)
    except OSError as error:
        raise DataError(f"{path}: can't be written ({error.strerror}); free some space") from error


def read_voids(path: Path) -> tuple[Void, ...]:
    """Give a tournament's voids in order; none if there is no record. DataError as above."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise DataError(f"{path}: can't be read ({error.strerror}); make it readable") from error
    voids = []
    for line in data.splitlines():
        try:
            voids.append(msgspec.json.decode(line, type=Void))
        except (msgspec.MsgspecError, UnicodeError):
            continue
    return tuple(voids)
