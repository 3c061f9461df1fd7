"""Bots of strangers play locked in, whatever a tournament's file leaves out."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena_runs import EXAMPLE_BOTS, thousand
from thousand_referee.errors import ConfigError
from thousand_referee.service.config import read_config
from thousand_referee.tournament_file import TournamentFile, read_tournament

PUBLIC = 'listen = "0.0.0.0:7800"\ninsecure = true\n'
LOCKED_IN = '[sandbox]\nkind = "docker"\nmemory_mb = 300\n'
PROCESS = '[sandbox]\nkind = "process"\n'
OPEN = 'mode = "open"\n'
WAITING = "accepts_entries = true\n"
ENTRIES = "".join(
    f'[[entry]]\nbot = "{EXAMPLE_BOTS / bot}"\n' for bot in ("cautious", "random", "counter")
)


def read(folder: Path, settings: str, tournament: str) -> TournamentFile:
    """Read a server's settings with one tournament."""
    (folder / "server.toml").write_text('tournaments = ["cup.toml"]\n' + settings)
    (folder / "cup.toml").write_text(tournament)
    (file,) = read_config(folder / "server.toml").read_tournaments()
    return file


@pytest.mark.parametrize("kind", [OPEN, WAITING])
def test_bots_play_in_the_sandbox_they_were_checked_in(tmp_path: Path, kind: str) -> None:
    file = read(tmp_path, PUBLIC + LOCKED_IN, kind)
    assert (file.sandbox.kind, file.sandbox.memory_mb) == ("docker", 300)
    own = read(tmp_path, PUBLIC + LOCKED_IN, kind + '[sandbox]\nkind = "docker"\n')
    assert (own.sandbox.kind, own.sandbox.memory_mb) == ("docker", 256)
    assert read_tournament(tmp_path / "cup.toml").sandbox == own.sandbox


def test_a_tournament_that_nobody_enters_is_as_its_file_says(tmp_path: Path) -> None:
    assert read(tmp_path, PUBLIC + LOCKED_IN, ENTRIES).sandbox.kind == "process"


@pytest.mark.parametrize("kind", [OPEN, WAITING])
@pytest.mark.parametrize("settings", [PUBLIC, 'http = "[::]:7880"\ninsecure = true\n'])
def test_no_tournament_of_a_public_server_is_without_a_sandbox(
    tmp_path: Path, kind: str, settings: str
) -> None:
    with pytest.raises(ConfigError, match=r"cup\.toml: sandbox\.kind: bots can be entered by"):
        read(tmp_path, settings + LOCKED_IN, kind + PROCESS)
    trusted = read(tmp_path, f"trusted_authors = true\n{settings}{LOCKED_IN}", kind + PROCESS)
    assert trusted.sandbox.kind == "process"
    assert read(tmp_path, LOCKED_IN, kind + PROCESS).sandbox.kind == "process"


def test_the_server_does_not_start_with_such_a_tournament(tmp_path: Path) -> None:
    with pytest.raises(ConfigError):
        read(tmp_path, PUBLIC + LOCKED_IN, OPEN + PROCESS)
    done = thousand("serve", "--config", tmp_path / "server.toml", check=False)
    assert done.returncode != 0
    assert "sandbox.kind: bots can be entered by whoever reaches 0.0.0.0:7800" in done.stderr
