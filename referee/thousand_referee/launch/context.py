"""What an image is built from: files by path, packed alike whoever's they are."""

from __future__ import annotations

import io
import stat
import tarfile
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TypeAlias

from thousand_referee.bots import BotFolder, files_in

Content: TypeAlias = bytes | Path
"""A file's contents, or where it lies."""


def bot_files(bot: BotFolder, under: str = ".") -> dict[str, Content]:
    """Give the files that make a bot, by their paths in a build's context."""
    return {f"{under}/{name}": bot.folder / name for name in sorted(files_in(bot.folder))}


def folder_files(folder: Path, under: str) -> dict[str, Content]:
    """Give the files right in a folder, by their paths in a build's context."""
    return {f"{under}/{path.name}": path for path in sorted(folder.iterdir())}


@contextmanager
def pack(content: Mapping[str, Content]) -> Iterator[IO[bytes]]:
    """Pack files as a tar: everybody may read them, and times and owners don't count.

    So that the same files make the same layer, whoever checked them out.
    """
    with tempfile.TemporaryFile() as packed:
        with tarfile.open(fileobj=packed, mode="w") as tar:
            for name, each in content.items():
                _add(tar, name, each)
        packed.seek(0)
        yield packed


def _add(tar: tarfile.TarFile, name: str, content: Content) -> None:
    entry = tarfile.TarInfo(name)
    entry.mode = 0o644
    if isinstance(content, bytes):
        entry.size = len(content)
        tar.addfile(entry, io.BytesIO(content))
        return
    status = content.lstat()
    if stat.S_ISLNK(status.st_mode):
        entry.type, entry.linkname = tarfile.SYMTYPE, str(content.readlink())
        tar.addfile(entry)
        return
    if status.st_mode & stat.S_IXUSR:
        entry.mode = 0o755
    with content.open("rb") as file:
        entry.size = status.st_size
        tar.addfile(entry, file)
