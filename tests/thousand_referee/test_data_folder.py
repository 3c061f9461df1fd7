from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from thousand_referee.data_folder import DataFolder
from thousand_referee.errors import DataError

HOLD = """
import sys, time
from pathlib import Path
from thousand_referee.data_folder import DataFolder

with DataFolder.open(Path(sys.argv[1]), create=False).lock("cup"):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_new_folder_has_a_format_and_folders(tmp_path: Path) -> None:
    folder = DataFolder.open(tmp_path / "deep" / "data", create=True)
    assert folder.path == tmp_path / "deep" / "data"
    assert (folder.path / "format").read_text() == "1\n"
    assert folder.logs.is_dir()
    assert folder.output.is_dir()
    assert folder.database == folder.path / "arena.sqlite"
    assert DataFolder.open(folder.path, create=False) == folder
    assert DataFolder.open(folder.path, create=True) == folder


def test_an_empty_folder_becomes_a_data_folder(tmp_path: Path) -> None:
    (tmp_path / "123.format").write_text("")  # left by a process that was killed
    assert DataFolder.open(tmp_path, create=True).path == tmp_path


def test_paths_are_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert DataFolder.open(Path("data"), create=True).path == tmp_path / "data"


def test_what_is_no_data_folder(tmp_path: Path) -> None:
    with pytest.raises(
        DataError, match="none: no such folder; run it in the folder where you ran the tournament"
    ):
        DataFolder.open(tmp_path / "none", create=False)
    with pytest.raises(DataError, match="not a data folder of thousand-arena; use another --data"):
        DataFolder.open(tmp_path, create=False)
    (tmp_path / "thesis.txt").write_text("dear")
    with pytest.raises(DataError, match="not a data folder"):
        DataFolder.open(tmp_path, create=True)
    assert [each.name for each in tmp_path.iterdir()] == ["thesis.txt"]


def test_files_in_the_way(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    for path in (file, file / "data"):
        with pytest.raises(DataError, match="a file is in the way of a folder; use another"):
            DataFolder.open(path, create=True)
        with pytest.raises(DataError, match="a file is in the way"):
            DataFolder.open(path, create=False)
    DataFolder.open(tmp_path / "data", create=True).logs.rmdir()
    (tmp_path / "data" / "logs").write_text("")
    with pytest.raises(DataError, match="a file is in the way"):
        DataFolder.open(tmp_path / "data", create=True)


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="File name too long; make it writable, or use another"):
        DataFolder.open(tmp_path / ("x" * 300), create=True)
    with pytest.raises(DataError, match="use another --data"):
        DataFolder.open(Path("/proc/thousand"), create=True)


def test_other_formats(tmp_path: Path) -> None:
    folder = DataFolder.open(tmp_path / "data", create=True)
    (folder.path / "format").write_text("2\n")
    for create in (True, False):
        with pytest.raises(DataError, match=r"made by a newer thousand-arena \(format 2, this"):
            DataFolder.open(folder.path, create=create)
    (folder.path / "format").write_bytes(b"\xff\n")
    with pytest.raises(DataError, match=r"format: expected 1, got"):
        DataFolder.open(folder.path, create=True)


def test_a_tournament_is_held_once(tmp_path: Path) -> None:
    folder = DataFolder.open(tmp_path / "data", create=True)
    (folder.path / "locks" / "cup.lock").write_text("123456789012\n")  # of a killed process
    with folder.lock("cup"), folder.lock("other"):
        with (
            pytest.raises(DataError, match=f"'cup' is being run by process {os.getpid()}; wait"),
            folder.lock("cup"),
        ):
            pass
        with pytest.raises(DataError, match="is being run; wait"), folder.lock_whole():
            pass
    with folder.lock("cup"):
        pass
    with (
        folder.lock_whole(),
        pytest.raises(DataError, match=f"is being rebuilt by process {os.getpid()}"),
        folder.lock("cup"),
    ):
        pass


def test_the_lock_of_a_killed_process_is_free(tmp_path: Path) -> None:
    folder = DataFolder.open(tmp_path / "data", create=True)
    command = [sys.executable, "-c", HOLD, str(folder.path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with (
            pytest.raises(DataError, match=f"by process {holder.pid}; wait"),
            folder.lock("cup"),
        ):
            pass
        holder.send_signal(signal.SIGKILL)
        holder.wait()
    with folder.lock("cup"):
        pass


def test_a_lock_that_cannot_be_made(tmp_path: Path) -> None:
    folder = DataFolder.open(tmp_path / "data", create=True)
    with pytest.raises(DataError, match="File name too long"), folder.lock("x" * 300):
        pass
