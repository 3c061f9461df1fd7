"""The data folder: where everything a tournament leaves behind lies.

::

    DATA/format                                  "1": what the rest looks like
    DATA/arena.sqlite                            the store, unless it is elsewhere by URL
    DATA/keepsakes.json                          of the store, what the logs don't tell
    DATA/logs/TOURNAMENT/MATCH.jsonl.gz          a log for each finished match
    DATA/output/TOURNAMENT/MATCH/SEAT-NAME.log   what the bots printed
    DATA/output/TOURNAMENT/.running/             copies of bots' files, while matches last
    DATA/builds/IMAGE.log                        how the images of bots were built
    DATA/voids/TOURNAMENT.jsonl                  matches that came to nothing, and why
    DATA/locks/TOURNAMENT.lock                   held, with its process id, by who runs it
    DATA/incoming/SUBMISSION.tar.gz              a bot that waits for its check
    DATA/bots/BOT/VERSION/                       a bot that passed it, for ever
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from thousand_referee.errors import DataError

FORMAT: Final = 1

STORE_VARIABLE: Final = "THOUSAND_STORE"
"""The environment variable with the URL of a store that is elsewhere."""

SINGLE_MATCHES: Final = "_matches"
"""The folder, among those of the tournaments, for matches that belong to none.

No tournament can have this name.
"""

_WHOLE: Final = ".data"
"""The lock of the folder as a whole; no tournament can have this name."""

_SERVER: Final = ".server"
"""The lock of the folder's arena server."""


@dataclass(frozen=True, slots=True)
class DataFolder:
    """A data folder of a format this program knows; `path` is absolute."""

    path: Path

    @classmethod
    def open(cls, path: Path, *, create: bool) -> DataFolder:
        """Open a data folder; with `create` make it if it isn't there, and all its folders.

        DataError if it can't be read (or made), isn't a data folder, or is of a newer format.
        """
        folder = cls(path.absolute())
        with _translated(folder.path):
            if create:
                folder.path.mkdir(parents=True, exist_ok=True)
            folder._check_format(create)
            if create:
                for each in (folder.logs, folder.output, folder._locks):
                    each.mkdir(exist_ok=True)
        return folder

    @property
    def database(self) -> Path:
        """The file of the store."""
        return self.path / "arena.sqlite"

    @property
    def keepsakes(self) -> Path:
        """The file with a copy of what is in the store and in no log."""
        return self.path / "keepsakes.json"

    @property
    def logs(self) -> Path:
        """The folder of all match logs, one folder in it for each tournament."""
        return self.path / "logs"

    @property
    def output(self) -> Path:
        """The folder of what bots printed, one folder in it for each tournament."""
        return self.path / "output"

    @property
    def builds(self) -> Path:
        """The folder of the logs of images' builds."""
        return self.path / "builds"

    @property
    def voids(self) -> Path:
        """The folder of the records of void matches, a file in it for each tournament."""
        return self.path / "voids"

    @property
    def incoming(self) -> Path:
        """The folder of archives that were submitted, and of what is made of them."""
        return self.path / "incoming"

    @property
    def bots(self) -> Path:
        """The folder of submitted bots: a folder for each bot, and in it for each version."""
        return self.path / "bots"

    @property
    def _locks(self) -> Path:
        return self.path / "locks"

    @contextmanager
    def lock(self, tournament: str) -> Iterator[None]:
        """Hold a tournament; DataError, with the process id, if another process does.

        However this process ends, the operating system lets go of the tournament.
        """
        with (
            self._held(_WHOLE, fcntl.LOCK_SH, "the data folder is being rebuilt"),
            self._held(tournament, fcntl.LOCK_EX, f"tournament {tournament!r} is being run"),
        ):
            yield

    @contextmanager
    def lock_server(self) -> Iterator[None]:
        """Hold the folder for an arena server; DataError if another process is its server."""
        with (
            self._held(_WHOLE, fcntl.LOCK_SH, "the data folder is being rebuilt"),
            self._held(_SERVER, fcntl.LOCK_EX, "an arena server uses it"),
        ):
            yield

    @contextmanager
    def lock_whole(self) -> Iterator[None]:
        """Hold the folder for oneself; DataError while a tournament or a server of it runs."""
        with self._held(_WHOLE, fcntl.LOCK_EX, "a tournament or server of it is being run"):
            yield

    @contextmanager
    def _held(self, name: str, kind: int, refusal: str) -> Iterator[None]:
        file = self._locks / f"{name}.lock"
        with _translated(file):
            descriptor = os.open(file, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            with _translated(file):
                try:
                    fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
                except BlockingIOError:
                    owner = os.pread(descriptor, 20, 0).decode(errors="replace").strip()
                    by = f" by process {owner}" if owner else ""
                    raise DataError(
                        f"{self.path}: {refusal}{by}; wait until it ends, or stop it"
                    ) from None
                os.ftruncate(descriptor, 0)
                if kind == fcntl.LOCK_EX:
                    os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
            yield
        finally:
            os.close(descriptor)

    def _check_format(self, create: bool) -> None:
        file = self.path / "format"
        try:
            text = file.read_text(encoding="ascii", errors="replace").strip()
        except FileNotFoundError:
            if not self.path.is_dir():
                raise DataError(
                    f"{self.path}: no such folder; run it in the folder where you ran the "
                    "tournament, or use --data"
                ) from None
            others = [each.name for each in self.path.iterdir() if each.suffix != ".format"]
            if others or not create:
                raise DataError(
                    f"{self.path}: not a data folder of thousand-arena; use another --data"
                ) from None
            fresh = self.path / f"{os.getpid()}.format"
            fresh.write_text(f"{FORMAT}\n", encoding="ascii")
            fresh.replace(file)
            return
        if not text.isdecimal():
            raise DataError(f"{file}: expected {FORMAT}, got {text[:20]!r}; use another --data")
        if int(text) > FORMAT:
            raise DataError(
                f"{self.path}: made by a newer thousand-arena (format {text}, this program knows "
                f"{FORMAT}): update it or use another --data"
            )


@contextmanager
def _translated(path: Path) -> Iterator[None]:
    """Translate the operating system's errors."""
    try:
        yield
    except (FileExistsError, NotADirectoryError):
        raise DataError(f"{path}: a file is in the way of a folder; use another --data") from None
    except OSError as error:
        raise DataError(
            f"{path}: {error.strerror or error}; make it writable, or use another --data"
        ) from error
