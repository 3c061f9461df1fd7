"""Short-lived folders of one process each, removed even if that process is killed.

Whoever made a folder holds a lock on it; the operating system lets go of that however
the process ends. So it doesn't matter whose process ids can be seen from where.
"""

from __future__ import annotations

import fcntl
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def private_folder(parent: Path) -> Iterator[Path]:
    """Make a folder in `parent` (made if need be) for the length of a block; OSError.

    Also remove those whose makers are gone.
    """
    parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    _sweep(parent)
    folder, lock = _make(parent)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def _make(parent: Path) -> tuple[Path, int]:
    """Make a folder and lock it; give it and what holds the lock."""
    while True:
        folder = parent / f"{os.getpid()}-{secrets.token_hex(4)}"
        folder.mkdir(mode=0o700)
        # Until it is locked, somebody else may sweep it.
        with suppress(FileNotFoundError):
            lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
            fcntl.flock(lock, fcntl.LOCK_EX)
            if folder.exists():
                return folder, lock
            os.close(lock)


def _sweep(parent: Path) -> None:
    """Remove the folders that nobody holds."""
    for folder in parent.iterdir():
        try:
            lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        except OSError:
            continue  # it went away, or isn't a folder
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
        except BlockingIOError:
            continue
        finally:
            os.close(lock)
