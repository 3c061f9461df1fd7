"""Bots of one name are told apart by the names by which their author called them."""

from __future__ import annotations

from pathlib import Path

import pytest

from quick_commands import quick_refusal
from thousand_referee.single_match import read_entries


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder with two versions of a bot called mybot, and a copy of one elsewhere."""
    for name in ("mybot", "before", "old/before", "other"):
        own = "other" if name == "other" else "mybot"
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "bot.toml").write_text(
            f'name = "{own}"\ncommand = ["python", "bot.py"]\n'
        )
    return tmp_path


@pytest.mark.parametrize(
    ("folders", "names"),
    [
        ("mybot mybot before", "mybot mybot#2 before"),
        ("mybot before before", "mybot before before#2"),
        ("mybot mybot mybot", "mybot mybot#2 mybot#3"),
        ("mybot before old/before", "mybot before before#2"),
        ("before other other", "mybot other other#2"),
    ],
)
def test_folders_name_bots_of_one_name(home: Path, folders: str, names: str) -> None:
    entries = read_entries([home / each for each in folders.split()])
    assert [entry.name for entry in entries] == names.split()


def test_the_folder_is_called_as_it_was_typed(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "yesterday").symlink_to("before")
    monkeypatch.chdir(home / "mybot")
    entries = read_entries([Path(), Path("../yesterday")], ["you"])
    assert [entry.name for entry in entries] == ["mybot", "yesterday"]


def test_a_tournament_file_with_two_of_a_name_is_told_what_to_add(home: Path) -> None:
    file = home / "t.toml"
    entries = ['[[entry]]\nbot = "mybot"\n', '[[entry]]\nbot = "other"\n']
    file.write_text("".join([*entries, '[[entry]]\nbot = "before"\n']))
    line = quick_refusal("tournament", "run", file, "--data", home / "data")
    assert line.endswith(
        "entry 3 (before): it is called 'mybot', as entry 1 is; "
        'add name = "before" to that [[entry]]'
    )
    file.write_text("".join([*entries, '[[entry]]\nbot = "mybot"\nname = "other"\n']))
    line = quick_refusal("tournament", "run", file, "--data", home / "data")
    assert line.endswith('as entry 2 is; change that to name = "other-2"')
