"""Takes match logs apart and puts changed ones together, as a forger would."""

from __future__ import annotations

import gzip
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from thousand_referee.matchlog.writer import checked_part


def read_values(path: Path) -> list[dict[str, Any]]:
    """Give the lines of a finished log as plain values that may be changed."""
    return [msgspec.json.decode(line) for line in gzip.decompress(path.read_bytes()).splitlines()]


def write_values(path: Path, values: Iterable[dict[str, Any]], *, forged: bool) -> Path:
    """Write a finished log; `forged` makes the checksum right for it."""
    lines = [msgspec.json.encode(value) + b"\n" for value in values]
    return write_raw(path, lines, forged=forged)


def write_raw(path: Path, lines: list[bytes], *, forged: bool) -> Path:
    """Write a finished log from the bytes of its lines."""
    if forged:
        end = msgspec.json.decode(lines[-1])
        end["sha256"] = sha256(b"".join(lines[:-1]) + checked_part(lines[-1])).hexdigest()
        lines = [*lines[:-1], msgspec.json.encode(end) + b"\n"]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(b"".join(lines), 1))
    return path
