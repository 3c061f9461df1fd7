"""A version is its files: matches notice when those change, and nothing mixed counts."""

from __future__ import annotations

import os
import pickle
import shutil
import signal
from pathlib import Path

import pytest

from arena_runs import (
    EXAMPLE_BOTS,
    has_begun,
    played_games,
    start,
    thousand,
    tournament_file,
    unfinished_logs,
    wait_until,
)
from match_maker import bot, match_spec
from referee_bench import short_games
from thousand_referee.bots import read_bot
from thousand_referee.errors import BotChanged, MatchVoid
from thousand_referee.match import play_match
from thousand_referee.matchlog.reader import find_logs, read_log
from thousand_referee.matchlog.records import MatchLine
from thousand_referee.spec import BotVersion
from thousand_referee.versions import check_version, copy_version, own_copies
from thousand_referee.voids import read_voids, record_void


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(EXAMPLE_BOTS / "random", tmp_path / "bots" / "random"))


def change(folder: Path) -> None:
    with (folder / "bot.py").open("a") as file:
        file.write("# changed\n")


def test_a_copy_has_the_files_that_count_and_is_the_same_version(
    folder: Path, tmp_path: Path
) -> None:
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "bot.cpython-311.pyc").write_bytes(b"left by Python")
    (folder / "bin").mkdir()
    (folder / "bin" / "tool").write_text("#!/bin/sh\n")
    (folder / "bin" / "tool").chmod(0o700)
    (folder / "link").symlink_to(folder / "bin")
    (folder / "bin" / "other").symlink_to("tool")
    entered = bot(folder)
    copy = copy_version(entered, tmp_path / "copy")
    assert copy == BotVersion(
        entered.name, entered.version, str(tmp_path / "copy"), entered.command
    )
    assert read_bot(tmp_path / "copy").version == entered.version
    assert not (tmp_path / "copy" / "__pycache__").exists()
    assert (tmp_path / "copy" / "link").resolve() == tmp_path / "copy" / "bin"
    assert os.access(tmp_path / "copy" / "link" / "other", os.X_OK)


def test_a_change_before_the_match(folder: Path) -> None:
    entered = bot(folder)
    check_version(entered)
    change(folder)
    with pytest.raises(BotChanged) as caught:
        check_version(entered)
    for part in (str(folder), "random", entered.version, read_bot(folder).version, "restore"):
        assert part in str(caught.value)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


@pytest.mark.parametrize("what", ["written", "added", "removed", "executable", "same size"])
def test_every_change_is_noticed_when_the_next_match_begins(
    folder: Path, tmp_path: Path, what: str
) -> None:
    (folder / "data").write_text("1234")
    spec = match_spec(tmp_path, bot(folder), bot(folder), bot(folder))
    with own_copies(spec):
        match what:
            case "written":
                change(folder)
            case "added":
                (folder / "more").touch()
            case "removed":
                (folder / "data").unlink()
            case "executable":
                (folder / "bot.py").chmod(0o755)
            case "same size":
                before = (folder / "data").stat()
                (folder / "data").write_text("1235")
                os.utime(folder / "data", ns=(before.st_atime_ns, before.st_mtime_ns))
    with pytest.raises(BotChanged), own_copies(spec):
        pass
    assert not list((tmp_path / "output" / ".running").iterdir())


def test_a_folder_that_is_gone(folder: Path) -> None:
    entered = bot(folder)
    check_version(entered)
    shutil.rmtree(folder)
    with pytest.raises(BotChanged, match="No such file"):
        check_version(entered)


def test_a_change_while_files_are_copied_voids_the_match(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copyfile, text = shutil.copyfile, (folder / "bot.py").read_text()

    def copy_and_change(source: Path, target: Path) -> None:
        (folder / "bot.py").write_text("something else")
        copyfile(source, target)
        (folder / "bot.py").write_text(text)

    monkeypatch.setattr(shutil, "copyfile", copy_and_change)
    with pytest.raises(MatchVoid, match="touched"):
        copy_version(bot(folder), tmp_path / "copy")


def test_copies_that_can_not_be_made_are_no_bots_fault(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "output").touch()
    spec = match_spec(tmp_path, bot(folder), bot(folder), bot(folder))
    with pytest.raises(MatchVoid, match="can't be copied into"), own_copies(spec):
        pass


def test_a_bot_in_a_container_is_its_image(tmp_path: Path) -> None:
    there = BotVersion("x", "0" * 16, "/nowhere", ("python",), image="sha256:1")
    spec = match_spec(tmp_path, there, there, there)
    with own_copies(spec) as same:
        assert same is spec
    assert not (tmp_path / "output").exists()


def test_a_bot_that_writes_to_its_own_files_changes_its_copy_only(
    folder: Path, tmp_path: Path
) -> None:
    text = (folder / "bot.py").read_text()
    (folder / "bot.py").write_text(
        "from pathlib import Path\n"
        "assert not Path('seen').exists()\n"
        "Path('seen').touch()\n"
        "Path('bot.toml').write_text('changed')\n" + text
    )
    entered = bot(folder)
    for number in range(2):
        with short_games(1):
            spec = match_spec(tmp_path, entered, entered, entered, name=f"m{number}")
            assert play_match(spec).faults == ({}, {}, {})
    check_version(entered)
    assert not list((tmp_path / "output" / ".running").iterdir())


def test_voids_outlast_a_kill_in_the_middle_of_a_line(tmp_path: Path) -> None:
    path = tmp_path / "voids" / "t.jsonl"
    assert read_voids(path) == ()
    spec = match_spec(tmp_path)
    record_void(path, spec, "Docker went away")
    with path.open("ab") as file:
        file.write(b'\n{"match":"m","bots":["an')
    record_void(path, spec, "its process\nwas killed")
    assert [void.reason for void in read_voids(path)] == [
        "Docker went away",
        "its process\nwas killed",
    ]
    assert read_voids(path)[0].bots == ("anna", "boris", "clara")


def versions_played(data: Path, name: str) -> set[str]:
    """Find which versions of a bot the finished logs tell of."""
    found = set()
    for path in find_logs(data / "logs"):
        header = next(read_log(path))[1]
        assert isinstance(header, MatchLine)
        if path.suffix == ".gz":
            found |= {bot.version for bot in header.bots if bot.name == name}
    return found


@pytest.mark.study
def test_a_run_stops_when_a_bots_files_change_and_goes_on_when_they_are_restored(
    tmp_path: Path, folder: Path
) -> None:
    file = tournament_file(tmp_path, folder, "random", "random", blocks=6, games_per_match=6)
    data, text = tmp_path / "data", (folder / "bot.py").read_text()
    entered = read_bot(folder).version
    run = start("tournament", "run", file, "--data", data, "--jobs", "1")
    assert wait_until(lambda: bool(unfinished_logs(data)), 30)
    change(folder)
    _, errors = run.communicate(timeout=100)
    assert run.returncode == 1, errors
    assert "Traceback" not in errors
    for part in ("bot0", entered, read_bot(folder).version, "another name"):
        assert part in errors.strip().splitlines()[-1]
    assert versions_played(data, "bot0") <= {entered}
    finished = len(played_games(data))
    assert finished < 36
    assert any("bot0" in void.reason for void in read_voids(data / "voids" / "t.jsonl"))

    refused = thousand("tournament", "run", file, "--data", data, check=False)
    assert refused.returncode == 1
    assert len(played_games(data)) == finished

    (folder / "bot.py").write_text(text)
    run = start("tournament", "run", file, "--data", data, "--jobs", "1")
    assert wait_until(lambda: has_begun(data), 30)
    run.send_signal(signal.SIGINT)
    _, errors = run.communicate(timeout=100)
    assert run.returncode == 130, errors
    assert len(played_games(data)) == finished + 6
    assert versions_played(data, "bot0") == {entered}
