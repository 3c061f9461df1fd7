"""A copy, beside the database, of all that no match log tells.

Users, owners of bots, entries, seeds: a damaged database file must not take them along. The
copy is replaced soon after one of them changed, and ``thousand store rebuild`` falls back
on it.
"""

from __future__ import annotations

import logging
import threading
import time
from typing import Final

from thousand_referee.errors import RefereeError
from thousand_referee.store.engine import writing
from thousand_referee.store.keeping import save_rows, watch_rows
from thousand_referee.tournament import Arena

DELAY_SECONDS: Final = 1.0
"""What changes within so long is written at once."""

RESTS: Final = 10.0
"""After a copy was written nothing is for so many times as long as that took."""

RETRY_SECONDS: Final = 30.0

_log: Final = logging.getLogger(__name__)


def save_keepsakes(arena: Arena) -> None:
    """Write the copy, if the database is the data folder's own file; DataError if it can't be."""
    if arena.store.is_file(arena.data.database):
        save_rows(arena.store.engine, arena.data.keepsakes)


class Keepsakes(threading.Thread):
    """Writes the copy whenever this process has changed what is in it, and once at the start."""

    def __init__(self, arena: Arena) -> None:
        super().__init__(name="keepsakes", daemon=True)
        self._arena = arena
        self._changed = threading.Event()
        self._is_over = threading.Event()
        watch_rows(arena.store.engine, self._changed.set)
        self._changed.set()

    def run(self) -> None:
        """Write until it is to end, and then a last time."""
        pause = DELAY_SECONDS
        while not self._is_over.is_set():
            self._changed.wait()
            self._is_over.wait(pause)
            self._changed.clear()
            began = time.monotonic()
            try:
                with writing(self._arena.store.engine):
                    pass  # a change that was told of is committed when we can write
                save_keepsakes(self._arena)
            except RefereeError as error:
                _log.error("the keepsakes can't be written: %s", error)
                pause = RETRY_SECONDS
                self._changed.set()
            else:
                pause = max(DELAY_SECONDS, RESTS * (time.monotonic() - began))

    def end(self) -> None:
        """Write what is not written yet, and end."""
        self._is_over.set()
        self._changed.set()
        if self.is_alive():
            self.join()
