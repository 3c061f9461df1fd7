"""Readers of our output that go early, as `head` does."""

from __future__ import annotations

import io
import os
import subprocess
from pathlib import Path

from arena_runs import COMMAND
from thousand_referee.cli.progress import Progress


def test_a_reader_who_has_gone_is_no_error(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / "format").write_text("1\n")
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [str(COMMAND), "log", "list", "--data", str(data)],
            stdout=writer,
            stderr=subprocess.PIPE,
            check=False,
        )
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


class _GoneReader(io.StringIO):
    """A stream that nobody reads any more."""

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        raise BrokenPipeError


def test_progress_that_nobody_reads_does_not_stop_a_run() -> None:
    progress = Progress("demo", _GoneReader())
    progress.planned(10, 1)
    progress.ticked()
    progress.say("still here")
