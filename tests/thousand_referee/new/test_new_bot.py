"""``thousand new``: what it makes works as it is."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from arena_runs import thousand
from match_maker import match_spec
from thousand_referee.bots import read_bot
from thousand_referee.errors import ConfigError
from thousand_referee.match import play_match
from thousand_referee.new_bot import make_bot


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    make_bot(tmp_path / "mybot", "python")
    return tmp_path / "mybot"


def test_a_new_bot_plays_a_match_without_a_fault(folder: Path, tmp_path: Path) -> None:
    bot = read_bot(folder)
    assert bot.name == "mybot"
    twins = [bot.as_entry(name) for name in ("one", "two", "three")]
    summary = play_match(match_spec(tmp_path, *twins, games=2, tables=2))
    assert summary.faults == ({}, {}, {})


def test_its_tests_pass_and_leave_its_version_alone(folder: Path) -> None:
    version = read_bot(folder).version
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-W", "error"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert "2 passed" in done.stdout
    assert read_bot(folder).version == version


def test_its_code_is_formatted_and_typed(folder: Path) -> None:
    for arguments in (("ruff", "format", "--check"), ("ruff", "check"), ("mypy", "--strict")):
        done = subprocess.run(
            [sys.executable, "-m", *arguments, "bot.py", "test_bot.py"],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )
        assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("language", ["python", "javascript"])
def test_its_readme_has_ten_lines(tmp_path: Path, language: str) -> None:
    make_bot(tmp_path / "mybot", language)  # type: ignore[arg-type]
    text = (tmp_path / "mybot" / "README.md").read_text()
    assert len(text.splitlines()) == 10
    assert text.startswith("# mybot\n")


def test_a_bot_in_javascript_has_its_own_name(tmp_path: Path) -> None:
    make_bot(tmp_path / "Hot Shot #2", "javascript")
    folder = tmp_path / "Hot Shot #2"
    assert 'name = "Hot Shot #2"' in (folder / "bot.toml").read_text()
    for name in ("package.json", "package-lock.json"):
        assert json.loads((folder / name).read_text())["name"] == "hot-shot-2"


def test_nothing_that_is_there_is_touched(folder: Path) -> None:
    before = {path: path.read_bytes() for path in folder.iterdir()}
    with pytest.raises(ConfigError, match="is there already"):
        make_bot(folder, "javascript")
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize("name", ["", ".hidden", "a|b", "-dash", "x" * 65, "new\nline"])
def test_a_bad_name_makes_nothing(tmp_path: Path, name: str) -> None:
    parent = tmp_path / "_"
    parent.mkdir()
    with pytest.raises(ConfigError, match="no name"):
        make_bot(parent / name, "python")
    assert list(parent.iterdir()) == []


def test_a_folder_that_is_nowhere_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no such folder; make it first"):
        make_bot(tmp_path / "nowhere" / "mybot", "python")


def test_the_command_says_what_to_do_next(tmp_path: Path) -> None:
    done = thousand("new", tmp_path / "mybot")
    assert "bot.py" in done.stdout
    check = next(line for line in done.stdout.splitlines() if "thousand check" in line)
    assert json.loads(thousand(*check.split()[1:], "--json").stdout)
    again = thousand("new", tmp_path / "mybot", check=False)
    assert again.returncode == 1
    assert again.stderr.startswith("error: ")
