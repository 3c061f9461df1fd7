"""The terminal: lines read without blocking the match, and texts written."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from typing import Final

from rich.console import Console
from rich.text import Text

_CHUNK: Final = 4096
_LONGEST_LINE: Final = 1000


class Terminal:
    """Standard input and output, whether they are a terminal, pipes or files.

    `wants_to_leave` turns true at the end of input or output and at the first Ctrl-C; a
    second Ctrl-C stops the program.
    """

    def __init__(self) -> None:
        self.wants_to_leave = False
        self._console = _Console(self)
        self._descriptor = sys.stdin.fileno()
        self._buffer = b""
        self._ready = asyncio.Event()

    def open(self) -> None:
        """Take over Ctrl-C until the running event loop ends."""
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, self._interrupted)

    def write(self, *texts: Text | str) -> None:
        """Write lines."""
        for text in texts:
            self._console.print(text, soft_wrap=True, markup=False)

    async def read_line(self, prompt: str) -> str | None:
        """Ask for a line; None when there will be none any more."""
        self._console.print(prompt, end="", soft_wrap=True, markup=False)
        sys.stdout.flush()
        while b"\n" not in self._buffer and not self.wants_to_leave:
            await self._read()
        if b"\n" not in self._buffer:
            self.write("")
            return None
        line, _, self._buffer = self._buffer.partition(b"\n")
        if not sys.stdin.isatty():
            self.write("")  # nobody has pressed Enter there
        return line[:_LONGEST_LINE].decode(errors="replace")

    async def _read(self) -> None:
        """Wait for input and take it."""
        loop = asyncio.get_running_loop()
        self._ready.clear()
        try:
            loop.add_reader(self._descriptor, self._ready.set)
        except OSError:
            pass  # a file, which never makes anyone wait
        else:
            try:
                await self._ready.wait()
            finally:
                loop.remove_reader(self._descriptor)
        if self.wants_to_leave:
            return
        data = os.read(self._descriptor, _CHUNK)
        self._buffer += data
        self.wants_to_leave = not data

    def _interrupted(self) -> None:
        self.wants_to_leave = True
        self._ready.set()
        asyncio.get_running_loop().remove_signal_handler(signal.SIGINT)


class _Console(Console):
    """A console that stays silent once nobody reads it any more."""

    def __init__(self, terminal: Terminal) -> None:
        super().__init__(highlight=False)
        self._terminal = terminal

    def on_broken_pipe(self) -> None:
        self.quiet = True
        self._terminal.wants_to_leave = True
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
