"""A line on standard error that tells how far something is."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final, TextIO

FIRST_SECONDS: Final = 2.0
"""Where standard error is no terminal, the first line is written after so long …"""

PLAIN_SECONDS: Final = 10.0
"""… and then one this often."""


class StatusLine:
    """At a terminal a line that is redrawn and never wraps; elsewhere a line now and then.

    A reader who has gone, or a full disk, is no reason to stop what is under way.
    """

    def __init__(self, out: TextIO | None = None, *, patience_seconds: float = 0.0) -> None:
        """Write to standard error, or `out`, for the first time when so much time has passed."""
        self._out = out or sys.stderr
        self._is_terminal = self._out.isatty()
        self._quiet_until = time.monotonic() + (
            patience_seconds if self._is_terminal else FIRST_SECONDS
        )
        self._width = 0

    def tick(self, describe: Callable[[], str]) -> None:
        """Tell how it goes, if it is time to."""
        now = time.monotonic()
        if now < self._quiet_until:
            return
        if self._is_terminal:
            self._draw(describe())
        else:
            self._quiet_until = now + PLAIN_SECONDS
            self._write(describe() + "\n")

    def say(self, text: str) -> None:
        """Write a line of its own."""
        self.clear()
        self._write(text + "\n")

    def clear(self) -> None:
        """Take the line off the terminal."""
        if self._width:
            self._write("\r" + " " * self._width + "\r")
            self._width = 0

    def _draw(self, text: str) -> None:
        # In the last column a terminal may go on to the next line.
        shown = text[: shutil.get_terminal_size().columns - 1]
        self._write("\r" + shown.ljust(self._width))
        self._width = len(shown)

    def _write(self, text: str) -> None:
        with suppress(OSError):
            self._out.write(text)
            self._out.flush()
