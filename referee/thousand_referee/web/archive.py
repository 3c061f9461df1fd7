"""Many files as one archive, made while it is sent."""

from __future__ import annotations

import os
import tarfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

_PART_BYTES: Final = 1 << 18
_BLOCK: Final = tarfile.BLOCKSIZE


def tar_parts(folder: Path, names: Iterable[str]) -> Iterator[bytes]:
    """Yield a tar archive of files, named relative to their folder, part by part.

    Files that aren't there, or outside the folder, are left out. They must not change
    meanwhile; finished logs don't. Of the files one part is in memory.
    """
    top = folder.resolve()
    waiting = bytearray()
    for name in names:
        path = (top / name).resolve()
        if not path.is_relative_to(top):
            continue
        try:
            file = path.open("rb")
        except OSError:
            continue
        with file:
            info = tarfile.TarInfo(name)
            status = os.fstat(file.fileno())
            info.size, info.mtime, info.mode = status.st_size, int(status.st_mtime), 0o644
            waiting += info.tobuf(tarfile.PAX_FORMAT)
            left = info.size
            while left:
                part = file.read(min(left, _PART_BYTES))
                if not part:
                    raise OSError(f"{path} became shorter while it was sent")
                left -= len(part)
                waiting += part
                if len(waiting) >= _PART_BYTES:
                    yield bytes(waiting)
                    waiting.clear()
            waiting += b"\0" * (-info.size % _BLOCK)
    waiting += b"\0" * (2 * _BLOCK)
    yield bytes(waiting)
