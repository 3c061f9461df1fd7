"""What bots printed: where it lies, and the line in it that names an error.

Bots' names in logs, and all that bots print, are strangers' text.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Final

from thousand_referee.bots import is_name
from thousand_referee.faults import FaultKind
from thousand_referee.text import cut, printable

TAIL_BYTES: Final = 64 * 1024
"""So much of the end of an output is looked at."""

LINE_LENGTH: Final = 200
"""Longer lines of a bot's are cut where they are shown."""

PROCESS_FAULTS: Final[frozenset[str]] = frozenset({FaultKind.CRASH, FaultKind.NO_START})
"""The faults for which the reason is in what the bot printed, if anywhere."""

_TRACEBACK: Final = "Traceback (most recent call last):"
_ERROR_LINE: Final = re.compile(
    r"^(?:\w[\w.]*(?:Error|Exception)\b|Error: |Exception in thread )[^\n]*", re.MULTILINE
)


def output_name(seat: int, name: str, start: int = 0) -> str:
    """Name the file for what a bot prints: one for each start of its process, from 0."""
    return f"{seat}-{name}{f'-restart-{start}' if start else ''}.log"


def output_files(folder: Path, seat: int, name: str) -> list[Path]:
    """Give the files in a match's output folder that are a bot's, in order of its starts."""
    if not is_name(name):  # such as one that leads to another folder
        return []
    files: list[Path] = []
    while (file := folder / output_name(seat, name, len(files))).is_file():
        files.append(file)
    return files


def output_folder_of(log: Path) -> Path:
    """Give the folder of the output that belongs to a log in a data folder."""
    tournament = log.absolute().parent
    return tournament.parent.parent / "output" / tournament.name / log.name.partition(".jsonl")[0]


def where_to_read(files: list[Path]) -> str:
    """Say where a bot's output is, which must not be none."""
    more = f", and {len(files) - 1} more of its restarts" if len(files) > 1 else ""
    return f"what it printed: {near_path(files[0])}{more}"


def last_words(files: list[Path]) -> str:
    """Give the line that tells best why a bot ended, safe to print and short; it may be empty."""
    tails = [tail_of(file) for file in files]
    errors = (last_error(tail) for tail in reversed(tails))
    said = next((error for error in errors if error), "")
    if not said:
        lines = [line.strip() for line in "\n".join(tails).splitlines() if line.strip()]
        said = lines[-1] if lines else ""
    return cut(printable(said), LINE_LENGTH)


def last_error(output: str) -> str:
    """Give the line that names the error of the last traceback in a bot's output, or nothing.

    Without a traceback, as for a program that can't be read, or one in another language,
    it is the last line that looks like an error's.
    """
    _, found, after = output.rpartition(_TRACEBACK)
    lines = after.splitlines() if found else []
    said = next((line.rstrip() for line in lines if line[:1].strip()), "")
    if not said:
        errors = _ERROR_LINE.findall(output[-TAIL_BYTES:])
        said = errors[-1].rstrip() if errors else ""
    return said


def tail_of(file: Path) -> str:
    """Give the end of a file as text; of one that can't be read, nothing."""
    try:
        with file.open("rb") as content:
            content.seek(max(0, content.seek(0, os.SEEK_END) - TAIL_BYTES))
            return content.read().decode(errors="replace")
    except OSError:
        return ""


def near_path(path: Path) -> str:
    """Spell a path as short as can be: from the working folder, if it is in there."""
    with suppress(ValueError, OSError):
        path = path.relative_to(Path.cwd())
    return printable(str(path))
