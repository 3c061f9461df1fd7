"""Matches as a whole: what goes wrong with us, and what many matches leave behind."""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from fault_bench import left_processes, left_sockets
from match_maker import EXAMPLES, bot, faulty_bot, match_spec
from referee_bench import short_games
from thousand_referee.errors import DataError, MatchVoid, RefereeError
from thousand_referee.launch.process import ProcessLauncher
from thousand_referee.match import play_match
from thousand_referee.matchlog.writer import LogWriter
from thousand_referee.referee import Referee
from thousand_referee.sockets import socket_folder
from thousand_referee.spec import FaultLimits, MatchSpec

RANDOM, CAUTIOUS, COUNTER = (bot(EXAMPLES / name) for name in ("random", "cautious", "counter"))


def new_match(folder: Path, name: str = "m") -> MatchSpec:
    return match_spec(folder, RANDOM, CAUTIOUS, COUNTER, name=name, games=2, tables=2)


def fail_after(calls: int, method: Callable[..., object], error: Exception) -> object:
    """Make a method that does its work so often, then raises."""
    left = [calls]

    def failing(*args: object, **kwargs: object) -> object:
        left[0] -= 1
        if left[0] < 0:
            raise error
        return method(*args, **kwargs)

    return failing


def test_the_same_match_is_played_the_same_way_again(tmp_path: Path) -> None:
    with short_games(3):
        first, second = (play_match(new_match(tmp_path / name)) for name in ("one", "two"))
    assert [game.scores for game in first.games] == [game.scores for game in second.games]
    assert first.faults == ({}, {}, {})


@pytest.mark.parametrize(
    ("owner", "method", "error"),
    [
        (LogWriter, "write", DataError("the disk is full")),
        (Referee, "take", RuntimeError("a bug where messages are made")),
        (Referee, "hear", RuntimeError("a bug where messages are read")),
        (Referee, "check_time", RuntimeError("a bug where the time is looked at")),
        (Referee, "welcome", RuntimeError("a bug at the very start")),
        (ProcessLauncher, "start", MatchVoid("no process can be started")),
    ],
)
@pytest.mark.parametrize("calls", [1, 2])
def test_trouble_of_ours_ends_the_match_and_is_no_bots_fault(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    owner: type,
    method: str,
    error: Exception,
    calls: int,
) -> None:
    monkeypatch.setattr(owner, method, fail_after(calls, getattr(owner, method), error))
    with short_games(3), pytest.raises(type(error), match=str(error)):
        play_match(new_match(tmp_path))
    assert left_processes() == []
    assert left_sockets() == []
    assert list((tmp_path / "logs").iterdir()) == []


def test_a_socket_folder_that_can_not_be_made_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "file"))
    with pytest.raises(RefereeError, match="can't make a folder for sockets"):
        play_match(new_match(tmp_path))


def test_sockets_of_a_match_process_that_was_killed_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    parent = tmp_path / f"thousand-{os.getuid()}"
    dead = parent / f"{os.getpid()}-dead"
    dead.mkdir(parents=True)
    with socket_folder() as living:
        with short_games(1):
            play_match(new_match(tmp_path))
        assert list(parent.iterdir()) == [living]
    assert list(parent.iterdir()) == []


def test_output_of_every_start_has_a_file_of_its_own(tmp_path: Path) -> None:
    spec = match_spec(tmp_path, RANDOM, faulty_bot("dies_on_import", tmp_path), CAUTIOUS)
    with short_games(1):
        play_match(spec)
    names = sorted(path.name for path in (tmp_path / "output" / "m").iterdir())
    assert names == [
        "0-random.log",
        "1-dies_on_import-restart-1.log",
        "1-dies_on_import-restart-2.log",
        "1-dies_on_import.log",
        "2-cautious.log",
    ]
    assert "ModuleNotFoundError" in (tmp_path / "output" / "m" / names[3]).read_text()


def test_many_matches_in_one_process_leave_nothing_behind(tmp_path: Path) -> None:
    def open_things() -> tuple[int, int]:
        gc.collect()
        return len(list(Path("/proc/self/fd").iterdir())), threading.active_count()

    once = FaultLimits(restarts=1)
    bots = (faulty_bot("exits_early", tmp_path), faulty_bot("malformed", tmp_path), RANDOM)
    with short_games(1):
        counts = []
        for number in range(5):
            play_match(match_spec(tmp_path, *bots, name=f"m{number}", faults=once))
            counts.append(open_things())
    assert counts[1:] == [counts[1]] * 4
