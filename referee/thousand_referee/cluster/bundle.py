"""Bots' files as one piece of bytes, to be sent to other machines and unpacked there.

A bundle is compressed MessagePack. It holds the files that count for a bot's digest and
nothing else, and what was unpacked is compared with that digest.
"""

from __future__ import annotations

import os
import zlib
from pathlib import Path
from typing import Final, Literal

import msgspec

from thousand_referee.bots import MAX_BYTES, MAX_FILES, files_in, read_bot
from thousand_referee.errors import ConfigError, MatchVoid

_SLACK_PER_FILE: Final = 5_000
"""A path has at most 4,096 bytes."""


class _File(msgspec.Struct, frozen=True, array_like=True):
    """A file, an executable one, or a link; `data` are the contents, or the link's aim.

    `path` and a link's aim are relative to the bot's folder.
    """

    kind: Literal["f", "x", "l"]
    path: bytes
    data: bytes


def pack(folder: Path) -> bytes:
    """Pack a bot's files; ConfigError if one can't be read."""
    try:
        files = [_read(folder.resolve(), name) for name in sorted(files_in(folder))]
    except OSError as error:
        raise ConfigError(
            f"{error.filename}: can't be read ({error.strerror}); make it readable or remove it"
        ) from None
    return zlib.compress(msgspec.msgpack.encode(files))


def unpack(bundle: bytes, folder: Path, digest: str) -> None:
    """Unpack into a new folder; MatchVoid if this isn't the bot of that digest, whole.

    Nothing is written outside the folder, whatever the bundle says.
    """
    most = MAX_BYTES + MAX_FILES * _SLACK_PER_FILE
    try:
        inflater = zlib.decompressobj()
        content = inflater.decompress(bundle, most)
        files = msgspec.msgpack.decode(content, type=list[_File])
        if not inflater.eof or len(files) > MAX_FILES:
            raise ValueError("cut off, or too large")
        folder.mkdir(parents=True)
        # Links come last, so that nothing is written through one.
        for file in sorted(files, key=lambda file: file.kind == "l"):
            _write(folder, file)
    except (zlib.error, msgspec.MsgspecError, ValueError) as error:
        raise MatchVoid(f"the bundle of bot {digest[:16]} is damaged ({error})") from None
    except OSError as error:
        raise MatchVoid(
            f"bot {digest[:16]} can't be unpacked in {folder} ({error.strerror}); "
            "see to the worker's disk"
        ) from None
    try:
        found = read_bot(folder, in_container=True).digest
    except ConfigError as error:
        raise MatchVoid(f"the bundle of bot {digest[:16]} is no bot ({error})") from None
    if found != digest:
        raise MatchVoid(f"the bundle of bot {digest[:16]} holds another one, {found[:16]}")


def _read(folder: Path, name: str) -> _File:
    path = folder / name
    if path.is_symlink():
        aim = path.resolve().relative_to(folder)
        return _File("l", os.fsencode(name), os.fsencode(aim))
    is_executable = path.stat().st_mode & 0o100
    return _File("x" if is_executable else "f", os.fsencode(name), path.read_bytes())


def _write(folder: Path, file: _File) -> None:
    path = folder / _inside(file.path)
    path.parent.mkdir(parents=True, exist_ok=True)
    if file.kind == "l":
        path.symlink_to(os.path.relpath(folder / _inside(file.data), path.parent))
        return
    with path.open("xb") as out:
        out.write(file.data)
    path.chmod(0o755 if file.kind == "x" else 0o644)


def _inside(raw: bytes) -> Path:
    path = Path(os.fsdecode(raw))
    if not raw or b"\0" in raw or path.is_absolute() or ".." in path.parts:
        raise ValueError(f"{raw[:100]!r} is no path in a bot's folder")
    return path
