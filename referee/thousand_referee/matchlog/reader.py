"""Reading match logs, which are hostile until proved good.

The shape of every line is checked here: that it is JSON of a known type, that the
first line and no other is a match line, and that the log is whole. What the lines say
is `verify`'s business.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, Final, cast

import msgspec

from thousand_referee.errors import LogError
from thousand_referee.matchlog.records import FORMAT, EndLine, Line, MatchLine
from thousand_referee.matchlog.writer import FINISHED_SUFFIX, RUNNING_SUFFIX

MAX_LINE_BYTES: Final = 1 << 20
MAX_LOG_BYTES: Final = 1 << 29
"""Limits against files made to exhaust memory or patience: 1 MiB, 512 MiB unpacked."""


class _Format(msgspec.Struct):
    """The part of a first line that every format has."""

    format: int


_line_decoder: Final = msgspec.json.Decoder(Line)
_format_decoder: Final = msgspec.json.Decoder(_Format)


def find_logs(folder: Path) -> Iterator[Path]:
    """Yield the logs in a folder and in all below it, finished or not, in order of paths."""
    suffixes = (FINISHED_SUFFIX, RUNNING_SUFFIX)
    yield from sorted(path for path in folder.rglob("*.jsonl*") if path.name.endswith(suffixes))


def read_log(path: Path) -> Iterator[tuple[int, Line]]:
    """Yield each line with its number, from 1; `LogError` at the first that can't be read.

    Takes a finished or an unfinished log. An unfinished one ends in an error too, after
    all the lines it has.
    """
    for number, line, _ in parse_lines(path, read_lines(path)):
        yield number, line


def read_lines(path: Path) -> Iterator[bytes]:
    """Yield the bytes of each whole line, unpacked, its newline included.

    `LogError` if the file breaks off in the middle, is damaged or exceeds the limits.
    """
    number = total = 0
    try:
        with _open(path) as file:
            while line := file.readline(MAX_LINE_BYTES + 1):
                total += len(line)
                if len(line) > MAX_LINE_BYTES:
                    raise LogError(
                        str(path), number + 1, f"the line is longer than {MAX_LINE_BYTES:,} bytes"
                    )
                if total > MAX_LOG_BYTES:
                    raise LogError(
                        str(path), number + 1, f"the log is larger than {MAX_LOG_BYTES:,} bytes"
                    )
                if not line.endswith(b"\n"):
                    raise _cut(path, number)
                number += 1
                yield line
    except EOFError as error:
        raise _cut(path, number) from error
    except (gzip.BadGzipFile, zlib.error) as error:
        raise LogError(
            str(path), number, f"the compressed file is damaged after line {number}: {error}"
        ) from error
    except OSError as error:
        raise LogError(str(path), 0, f"can't read it: {error.strerror or error}") from error


def parse_lines(path: Path, lines: Iterable[bytes]) -> Iterator[tuple[int, Line, bytes]]:
    """Yield number, line and bytes of each line of the log at `path`; `LogError` as `read_log`."""
    number = 0
    line: Line | None = None
    for number, raw in enumerate(lines, 1):
        if isinstance(line, EndLine):
            raise LogError(str(path), number, "nothing may follow the end line")
        if number == 1:
            _check_format(path, raw)
        line = _parse(path, number, raw)
        if isinstance(line, MatchLine) is not (number == 1):
            raise LogError(str(path), number, "the match line must be the first line, and no other")
        yield number, line, raw
    if not isinstance(line, EndLine):
        raise _cut(path, number)


def _open(path: Path) -> BinaryIO:
    if path.name.endswith(".gz"):
        return cast("BinaryIO", gzip.open(path, "rb"))
    return path.open("rb")


def _cut(path: Path, number: int) -> LogError:
    where = f"after line {number}" if number else "in its first line"
    return LogError(str(path), number, f"the log is cut {where}")


def _check_format(path: Path, raw: bytes) -> None:
    """Refuse formats of the future before their unknown keys can puzzle anyone."""
    try:
        header = _format_decoder.decode(raw)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return  # the error of the full reading says more
    if header.format > FORMAT:
        raise LogError(
            str(path),
            1,
            f"format {header.format} is newer than this program's {FORMAT}; update thousand-arena",
        )


def _parse(path: Path, number: int, raw: bytes) -> Line:
    try:
        return _line_decoder.decode(raw)
    except msgspec.ValidationError as error:
        raise LogError(str(path), number, f"not a line of a match log: {error}") from error
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise LogError(str(path), number, f"not JSON: {error}") from error
