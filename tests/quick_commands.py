"""Running ``thousand`` in the process of the tests, which saves the second of a new one."""

from __future__ import annotations

import io
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from unittest.mock import patch

from thousand_referee.cli import main


def quick(*arguments: str | Path) -> tuple[int, str, str]:
    """Run a command; give its exit status, and what it printed, standard error last."""
    out, errors = io.StringIO(), io.StringIO()
    status = 0
    with (
        redirect_stdout(out),
        redirect_stderr(errors),
        patch.object(sys, "argv", ["thousand", *map(str, arguments)]),
    ):
        try:
            main()
        except SystemExit as exited:
            status = exited.code if isinstance(exited.code, int) else 1
    return status, out.getvalue(), errors.getvalue()


def quick_refusal(*arguments: str | Path) -> str:
    """Run a command that must fail; give its one line on standard error."""
    return the_line(*quick(*arguments))


def the_line(status: int, out: str, errors: str) -> str:
    """Give the one line of a command that failed as it should."""
    assert status not in (0, 130)
    assert not out
    lines = errors.strip().splitlines()
    assert len(lines) == 1, errors
    assert lines[0].startswith("error: ")
    return lines[0]
