"""Short-lived folders for the sockets that bots dial."""

from __future__ import annotations

import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from thousand_referee.errors import RefereeError


@contextmanager
def socket_folder() -> Iterator[Path]:
    """Make a folder for a match's sockets; remove those of processes that were killed.

    A socket's path must be short (107 bytes), so it is not in the data folder.
    """
    parent = Path(tempfile.gettempdir()) / f"thousand-{os.getuid()}"
    folder = parent / f"{os.getpid()}-{secrets.token_hex(4)}"
    try:
        parent.mkdir(mode=0o700, exist_ok=True)
        if parent.stat().st_uid != os.getuid():
            raise RefereeError(f"{parent} is another user's; remove it, or set TMPDIR")
        for left in parent.iterdir():
            owner = left.name.partition("-")[0]
            if owner.isdigit() and not Path(f"/proc/{owner}").exists():
                shutil.rmtree(left, ignore_errors=True)
        folder.mkdir(mode=0o700)
    except OSError as error:
        raise RefereeError(f"can't make a folder for sockets, {folder}: {error}") from error
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
