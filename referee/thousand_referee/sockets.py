"""Short-lived folders for the sockets that bots dial."""

from __future__ import annotations

import os
import re
import stat
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final

from thousand_referee.errors import RefereeError
from thousand_referee.private_folders import private_folder

_PLAIN: Final = re.compile(r"[^%?#\udc80-\udcff]*")
"""What stands for itself in the address of a socket: gRPC reads it as a URI in UTF-8."""

_LONGEST: Final = 107
"""Bytes of a socket's longest path."""


def _check_address(folder: Path) -> None:
    """Refuse a folder that can't be part of a socket's address."""
    path = str(folder / "0.sock")
    if len(os.fsencode(path)) > _LONGEST or not _PLAIN.fullmatch(path):
        raise RefereeError(
            f"{tempfile.gettempdir()}: too long, or of characters that a socket's address can't "
            "have; set TMPDIR to a short and plain folder, such as /tmp"
        )


@contextmanager
def socket_folder() -> Iterator[Path]:
    """Make a folder for a match's sockets; remove those of processes that were killed.

    A socket's path must be short (107 bytes), so it is not in the data folder.
    """
    parent = Path(tempfile.gettempdir()) / f"thousand-{os.getuid()}"
    with ExitStack() as stack:
        try:
            with suppress(FileExistsError):
                parent.mkdir(mode=0o700)
            status = parent.lstat()
            if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid():
                raise RefereeError(
                    f"{parent} is another user's, or no folder; remove it, or set TMPDIR"
                )
            folder = stack.enter_context(private_folder(parent))
        except OSError as error:
            raise RefereeError(f"can't make a folder for sockets in {parent}: {error}") from error
        _check_address(folder)
        yield folder
