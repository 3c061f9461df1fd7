"""Folders that go with the process that made them, whichever process ids can be seen."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from arena_runs import wait_until
from thousand_referee.private_folders import private_folder

HOLD = """
import sys, time
from pathlib import Path
from thousand_referee.private_folders import private_folder
with private_folder(Path(sys.argv[1])) as folder:
    (folder / "inside").touch()
    time.sleep(3600)
"""


def test_a_folder_lasts_as_long_as_its_block(tmp_path: Path) -> None:
    with private_folder(tmp_path / "new" / "parent") as one, private_folder(one.parent) as two:
        (one / "file").touch()
        assert one.is_dir()
        assert sorted(one.parent.iterdir()) == sorted((one, two))
    assert list(one.parent.iterdir()) == []


def test_those_of_the_killed_are_swept_and_those_of_the_living_stay(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path)]) as holder:
        try:
            assert wait_until(lambda: bool(list(tmp_path.glob("*/inside"))))
            (held,) = tmp_path.iterdir()
            # As a process of another namespace has it, whose number nobody here has.
            strange = held.rename(tmp_path / "4194305-strange")
            with private_folder(tmp_path):
                assert strange.is_dir()
        finally:
            holder.kill()
    with private_folder(tmp_path) as own:
        assert list(tmp_path.iterdir()) == [own]


def test_what_is_no_folder_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "target").touch()
    (tmp_path / "link").symlink_to(tmp_path / "target")
    with private_folder(tmp_path):
        pass
    assert len(list(tmp_path.iterdir())) == 3
