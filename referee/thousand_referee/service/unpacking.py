"""Archives of bots: packing a folder, and unpacking what strangers packed.

An archive is a ``.tar.gz`` of plain files, `bot.toml` at its top. Whatever else can be in
one is refused, before anything of it is written: links, devices, sparse files, names that
leave the folder, that differ only in case, that people can't read or that other systems
can't have, and files that don't count for a bot's version, since they could change a bot
behind its version's back. Nothing is ever written outside of the given folder.
"""

from __future__ import annotations

import gzip
import io
import os
import tarfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final
from unicodedata import normalize

from thousand_referee.bots import files_in
from thousand_referee.errors import ConfigError, Unacceptable
from thousand_referee.service.config import Limits

MAX_PATH_BYTES: Final = 500
MAX_NAME_BYTES: Final = 150
MAX_DEPTH: Final = 20
MAX_RATIO: Final = 200
"""Text hardly shrinks to less than a tenth; more than this is a bomb."""

_RATIO_FROM: Final = 4 * 1024 * 1024
"""Bytes unpacked before the ratio counts: tar pads small files with zeros."""

_FORBIDDEN: Final = frozenset('\\:*?"<>|')
_NOT_COUNTED: Final = frozenset({"__pycache__", ".git"})
_RESERVED: Final = frozenset(
    {"con", "prn", "aux", "nul"}
    | {f"{name}{digit}" for name in ("com", "lpt") for digit in range(10)}
)
_CHUNK: Final = 64 * 1024


def pack(folder: Path, target: IO[bytes]) -> None:
    """Write a bot's folder as an archive: the files that make its version, always alike.

    ConfigError for what no archive may have.
    """
    with (
        gzip.GzipFile(filename="", mode="wb", fileobj=target, mtime=0) as zipped,
        tarfile.open(fileobj=zipped, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        for name in sorted(files_in(folder), key=os.fsencode):
            path = folder / name
            if path.is_symlink():
                raise ConfigError(f"{path}: a link; replace it by what it leads to")
            if not path.is_file():
                raise ConfigError(f"{path}: no plain file; remove it from the bot's folder")
            try:
                _check_name(name)
                with path.open("rb") as file:
                    member = tarfile.TarInfo(name)
                    status = os.fstat(file.fileno())
                    member.size = status.st_size
                    member.mode = 0o755 if status.st_mode & 0o100 else 0o644
                    archive.addfile(member, file)
            except Unacceptable as error:
                raise ConfigError(f"{folder}: {error}") from None
            except OSError as error:
                raise ConfigError(f"{path}: can't be read ({error.strerror or error})") from None


def unpack(archive: Path, folder: Path, limits: Limits) -> int:
    """Unpack an archive into a folder that is made for it; give the number of files.

    Unacceptable, saying why, for an archive that isn't as it should be. What was written
    before that was found stays in the folder, which is the caller's to remove.
    """
    folder.mkdir(parents=True)
    taken: dict[str, str] = {}
    count = 0
    try:
        with archive.open("rb") as packed, gzip.GzipFile(fileobj=packed, mode="rb") as zipped:
            reader = _Limited(zipped, limits.unpacked_mb << 20, archive.stat().st_size)
            with tarfile.open(fileobj=io.BufferedReader(reader, _CHUNK), mode="r|") as members:
                for member in members:
                    name = _check_member(member)
                    _claim(name, member.isdir(), taken)
                    if member.isdir():
                        continue
                    count += 1
                    if count > limits.files:
                        raise Unacceptable(f"more than {limits.files} files; leave some out")
                    _write(members, member, folder / name)
    except (tarfile.TarError, EOFError, zlib.error, gzip.BadGzipFile, ValueError) as error:
        raise Unacceptable(f"no sound .tar.gz ({error}); pack it with thousand submit") from None
    if not (folder / "bot.toml").is_file():
        raise Unacceptable("no bot.toml at its top; pack the bot's folder itself, not its parent")
    return count


def _check_member(member: tarfile.TarInfo) -> str:
    """Give a member's name without the slash at its end; Unacceptable for what may not be."""
    name = member.name.removesuffix("/") if member.isdir() else member.name
    if member.isdir() and name == ".":
        return name
    shown = ascii(name.removeprefix("./"))[:200]
    if member.issym() or member.islnk():
        raise Unacceptable(f"{shown} is a link; replace it by what it leads to")
    if member.issparse() or not (
        member.isdir() or member.type in (tarfile.REGTYPE, tarfile.AREGTYPE)
    ):
        raise Unacceptable(f"{shown} is neither file nor folder; leave it out")
    return _check_name(name.removeprefix("./"))


def _check_name(name: str) -> str:
    """Give the name if files may be called so in an archive; else Unacceptable."""
    problem = next(_problems_of(name), None)
    if problem is not None:
        raise Unacceptable(f"the name {ascii(name)[:200]} {problem}; use another")
    return name


def _problems_of(name: str) -> Iterator[str]:
    try:
        size = len(name.encode())
    except UnicodeEncodeError:
        yield "is not UTF-8"
        return
    parts = name.split("/")
    if name.startswith("/"):
        yield "is absolute"
    if ".." in parts:
        yield "leaves the bot's folder"
    if "" in parts or "." in parts:
        yield "has an empty part"
    if not name.isprintable():
        yield "has a character that doesn't print"
    if not _FORBIDDEN.isdisjoint(name):
        yield 'has one of \\ : * ? " < > |'
    if size > MAX_PATH_BYTES or len(parts) > MAX_DEPTH:
        yield "is too long, or too deep"
    for part in parts:
        if len(part.encode()) > MAX_NAME_BYTES:
            yield "has a part that is too long"
        if part != part.strip() or part.endswith("."):
            yield "has a part with a space or dot at its end"
        if part.partition(".")[0].casefold() in _RESERVED:
            yield "is a device's on some systems"
    if not _NOT_COUNTED.isdisjoint(part.casefold() for part in parts) or name.endswith(".pyc"):
        yield "doesn't count for a bot's version"


def _claim(name: str, is_folder: bool, taken: dict[str, str]) -> None:
    """Note a name and its folders; Unacceptable if another is the same but for case and form.

    `taken` has, by the name without such differences, the name with a slash for a folder.
    """
    parts = name.split("/")
    for depth in range(1, len(parts) + 1):
        path = "/".join(parts[:depth])
        kind = path + "/" if depth < len(parts) or is_folder else path
        key = normalize("NFC", path).casefold()
        is_again = key in taken and depth == len(parts) and not is_folder
        there = taken.setdefault(key, kind)
        if there != kind or is_again:
            raise Unacceptable(
                f"{ascii(kind)[:200]} and {ascii(there)[:200]} are the same file on some systems, "
                "or in the archive twice; rename or remove one"
            )


def _write(members: tarfile.TarFile, member: tarfile.TarInfo, path: Path) -> None:
    """Write a file that can't be there yet, for nobody to change."""
    source = members.extractfile(member)
    assert source is not None  # it is a plain file
    path.parent.mkdir(parents=True, exist_ok=True)
    mode = 0o555 if member.mode & 0o100 else 0o444
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode)
    with os.fdopen(descriptor, "wb") as target:
        left = member.size
        while left:
            chunk = source.read(min(_CHUNK, left))
            if not chunk:
                raise EOFError("it ends in the middle of a file")
            target.write(chunk)
            left -= len(chunk)


class _Limited(io.RawIOBase):
    """Reads a stream up to a limit; Unacceptable beyond, or if it unpacks to too much."""

    def __init__(self, source: IO[bytes] | gzip.GzipFile, limit: int, packed: int) -> None:
        self._source = source
        self._limit = limit
        self._most = max(_RATIO_FROM, MAX_RATIO * packed)
        self._count = 0

    def readable(self) -> bool:
        """Give true."""
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        """Read what comes."""
        data = self._source.read(len(buffer))
        self._count += len(data)
        if self._count > self._limit:
            raise Unacceptable(f"more than {self._limit >> 20} MB unpacked; leave some out")
        if self._count > self._most:
            raise Unacceptable(f"it unpacks to more than {MAX_RATIO} times its size; no bot does")
        buffer[: len(data)] = data
        return len(data)
