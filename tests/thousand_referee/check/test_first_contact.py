"""The first line that an author sees names the cause."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from arena_runs import thousand
from thousand_referee.bot_output import last_error

NODE = """
node:internal/modules/cjs/loader:1143
  throw err;
  ^

Error: Cannot find module '@grpc/grpc-js'
Require stack:
- /bot/bot.js
    at Module._resolveFilename (node:internal/modules/cjs/loader:1140:15) {
  code: 'MODULE_NOT_FOUND',
}
"""
JAVA = """
Exception in thread "main" java.lang.IllegalStateException: no table
\tat Bot.main(Bot.java:7)
"""
PYTHON = """
  File "/bot/bot.py", line 2
    class B(Bot)
                ^
SyntaxError: expected ':'
"""


@pytest.mark.parametrize(
    ("output", "error"),
    [
        (NODE, "Error: Cannot find module '@grpc/grpc-js'"),
        (PYTHON, "SyntaxError: expected ':'"),
        (JAVA, 'Exception in thread "main" java.lang.IllegalStateException: no table'),
        (
            "TypeError: x is not a function\n    at play (bot.js:3:1)\n",
            "TypeError: x is not a function",
        ),
        ("Everything is fine\nErrors: none\n", ""),
        ("", ""),
    ],
)
def test_the_line_that_names_the_error(output: str, error: str) -> None:
    assert last_error(output) == error


@pytest.mark.parametrize(
    ("program", "first"),
    [
        ("class B(Bot)", "not ready: it ends before it says hello: SyntaxError: "),
        (
            "from thousand import Bot",
            "not ready: it ends before it says hello: it exited with status 0; does it call run()",
        ),
    ],
)
def test_bots_that_are_broken_at_first_sight(tmp_path: Path, program: str, first: str) -> None:
    (tmp_path / "bot.toml").write_text('name = "b"\ncommand = ["python", "bot.py"]\n')
    (tmp_path / "bot.py").write_text(textwrap.dedent(program))
    done = thousand("check", tmp_path, check=False)
    assert done.returncode == 1
    assert done.stdout.startswith(first), done.stdout
