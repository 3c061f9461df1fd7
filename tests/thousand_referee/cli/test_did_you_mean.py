"""Who gives the wrong thing is told which is the right one."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena_runs import EXAMPLE_BOTS, REPOSITORY
from quick_commands import quick, quick_refusal


def test_an_example_bot_that_is_called_by_its_name_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = ("match", EXAMPLE_BOTS / "random", "cautious", "random", "--data", tmp_path / "data")
    monkeypatch.chdir(REPOSITORY)
    line = quick_refusal(*match)
    assert line == "error: cautious: no such folder; did you mean example_bots/cautious?"
    monkeypatch.chdir(tmp_path)
    assert quick_refusal(*match).endswith(
        "cautious: no such folder; give the path of a bot's folder"
    )


@pytest.mark.parametrize(
    ("name", "text", "end"),
    [
        (
            "bot.toml",
            'command = ["python", "bot.py"]\n',
            "bot.toml: this looks like a bot.toml; a tournament file has [[entry]] tables",
        ),
        (
            "README.md",
            "# About\n\nWords.\n",
            "; correct it there, or give a tournament file, such as tournaments/demo.toml",
        ),
    ],
)
def test_a_file_that_is_no_tournament(tmp_path: Path, name: str, text: str, end: str) -> None:
    (tmp_path / name).write_text(text)
    assert quick_refusal("tournament", "run", tmp_path / name, "--data", tmp_path).endswith(end)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("block = 3", "block: unknown key; did you mean blocks? the keys here are entry, "),
        ("[time]\nmove = 3", "time.move: unknown key; did you mean move_ms? the keys here are "),
        ("xyz = 3", "xyz: unknown key; the keys here are "),
    ],
)
def test_a_key_that_is_nearly_right(tmp_path: Path, text: str, expected: str) -> None:
    (tmp_path / "t.toml").write_text(text)
    line = quick_refusal("tournament", "run", tmp_path / "t.toml", "--data", tmp_path / "data")
    assert expected in line


def test_a_new_bot_where_there_is_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert quick_refusal("new", "x/y") == "error: x: no such folder; make it first"


def test_a_new_bot_with_a_space_in_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    status, told, _ = quick("new", "My Bot")
    assert status == 0
    assert "thousand check 'My Bot'" in told
    assert (tmp_path / "My Bot" / "bot.toml").is_file()
    assert "is no name for a bot" in quick_refusal("new", "Bot?")
