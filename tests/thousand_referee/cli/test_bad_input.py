"""Whatever is wrong with what a command is given: one line, exit status not 0, no traceback."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena_runs import COMMAND, EXAMPLE_BOTS, REPOSITORY, thousand, tournament_file
from quick_commands import quick_refusal, the_line


def refusal(*arguments: str | Path, **environment: str) -> str:
    """Run a command that must fail; give its one line on standard error."""
    done = thousand(*arguments, check=False, **environment)
    return the_line(done.returncode, done.stdout, done.stderr)


def bot_folder(folder: Path, toml: str) -> Path:
    folder.mkdir(parents=True)
    (folder / "bot.toml").write_text(toml)
    return folder


def run_file(tmp_path: Path, text: str) -> str:
    """Run a tournament file with this text; give the refusal."""
    file = tmp_path / "wrong.toml"
    file.write_text(text)
    return quick_refusal("tournament", "run", file, "--data", tmp_path / "data")


ENTRIES = "".join(
    f'[[entry]]\nbot = "{EXAMPLE_BOTS / name}"\n' for name in ("counter", "cautious", "random")
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("blocks = ", ["wrong.toml"]),
        ("blocks = 3\nblock = 3\n" + ENTRIES, ["wrong.toml", "block"]),
        ('blocks = "many"\n' + ENTRIES, ["wrong.toml", "blocks"]),
        ("blocks = 0\n" + ENTRIES, ["wrong.toml", "blocks"]),
        ("[time]\nmove = 3\n" + ENTRIES, ["wrong.toml", "time", "move"]),
        (ENTRIES.rpartition("[[entry]]")[0], ["wrong.toml", "3 entries"]),
        (ENTRIES + ENTRIES.rpartition("[[entry]]")[1] + ENTRIES.rpartition("]]")[2], ["random"]),
        (ENTRIES + '[[entry]]\nbot = "nowhere"\n', ["entry 4", "nowhere", "no such folder"]),
    ],
)
def test_a_wrong_tournament_file(tmp_path: Path, text: str, expected: list[str]) -> None:
    line = run_file(tmp_path, text)
    for part in expected:
        assert part in line


def test_a_tournament_file_that_is_not_there(tmp_path: Path) -> None:
    line = quick_refusal("tournament", "run", tmp_path / "no.toml", "--data", tmp_path / "data")
    assert "no.toml" in line


@pytest.mark.parametrize(
    ("toml", "expected"),
    [
        ("", "command"),
        ("command = []", "command"),
        ('command = ["no-such-program-anywhere"]', "no-such-program-anywhere"),
        ('command = ["./bot.py"]', "bot.py"),
        ("command = 3", "command"),
        ('command = ["python", "bot.py"]\ncolour = "red"', "colour"),
        ('command = ["python"', "bot.toml"),
    ],
)
def test_a_wrong_bot_toml(tmp_path: Path, toml: str, expected: str) -> None:
    bot = bot_folder(tmp_path / "bot", toml)
    others = [EXAMPLE_BOTS / "random"] * 2
    line = quick_refusal("match", bot, *others, "--data", tmp_path / "data")
    assert "bot.toml" in line
    assert expected in line


def test_a_missing_bot_folder(tmp_path: Path) -> None:
    others = [EXAMPLE_BOTS / "random"] * 2
    line = quick_refusal("match", tmp_path / "nobody", *others, "--data", tmp_path / "data")
    assert "nobody" in line


def test_a_data_folder_of_a_newer_format(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / "format").write_text("99\n")
    file = tournament_file(tmp_path, "counter", "cautious", "random")
    for arguments in (
        ("tournament", "run", file, "--data", data),
        ("standings", "--data", data),
        ("tournament", "list", "--data", data),
        ("store", "rebuild", "--data", data),
    ):
        assert "newer" in quick_refusal(*arguments)


def test_a_data_folder_that_is_not_one(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "things").mkdir()
    (tmp_path / "things" / "photo").write_text("")
    file = tournament_file(tmp_path, "counter", "cautious", "random")
    assert "file" in quick_refusal("tournament", "run", file, "--data", tmp_path / "file")
    assert "things" in quick_refusal("tournament", "run", file, "--data", tmp_path / "things")
    assert "no such folder" in quick_refusal("standings", "--data", tmp_path / "nowhere")


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system with next to no room; mounting one needs to be root."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=200k", "none", str(disk)],
        capture_output=True,
        check=False,
    )
    if mounted.returncode:
        pytest.skip("mounting a small disk needs root")
    yield disk
    subprocess.run(["umount", "-l", str(disk)], check=True)


def test_a_full_disk_stops_the_run_and_keeps_what_is_finished(
    tmp_path: Path, tiny_disk: Path
) -> None:
    file = tournament_file(tmp_path, "counter", "cautious", "random", blocks=40, games_per_match=4)
    done = thousand("tournament", "run", file, "--data", tiny_disk / "data", check=False)
    assert done.returncode == 1
    assert done.stderr.strip().splitlines()[-1].startswith("error: ")
    assert "free some space" in done.stderr or "full" in done.stderr
    data = tmp_path / "copy"
    shutil.copytree(tiny_disk / "data", data)
    (data / "arena.sqlite").touch()
    thousand("log", "verify", "--data", data)


def test_a_read_only_disk(tmp_path: Path, tiny_disk: Path) -> None:
    subprocess.run(["mount", "-o", "remount,ro", str(tiny_disk)], check=True)
    file = tournament_file(tmp_path, "counter", "cautious", "random")
    assert "disk" in refusal("tournament", "run", file, "--data", tiny_disk / "data")


def test_unknown_names_tell_what_there_is(tmp_path: Path) -> None:
    file = tournament_file(tmp_path, "counter", "cautious", "cautious", blocks=1)
    data = tmp_path / "data"
    thousand("tournament", "run", file, "--data", data, "--jobs", "2")
    assert "'t'" in quick_refusal("standings", "other", "--data", data)
    assert "bot0" in quick_refusal("standings", "t", "--anchor", "bot9", "--data", data)
    assert "log list" in quick_refusal("log", "show", "nothing", "--data", data)
    file.write_text(file.read_text().replace("seed = 5", "seed = 6"))
    assert "seed" in quick_refusal("tournament", "run", file, "--data", data)


def test_help_is_quick_and_imports_no_heavy_library() -> None:
    code = (
        "import sys; from thousand_referee.cli.main import thousand;"
        "thousand.main(['--help'], standalone_mode=False);"
        "heavy = {'numpy', 'sqlalchemy', 'grpc', 'docker', 'starlette', 'rich'} & set(sys.modules);"
        "sys.exit(', '.join(heavy) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "tournament" in done.stdout


def test_a_reader_that_leaves_early_is_no_error(tmp_path: Path) -> None:
    done = subprocess.run(
        f"{COMMAND} --help | head -1", shell=True, capture_output=True, text=True, check=True,
        cwd=REPOSITORY,
    )  # fmt: skip
    assert not done.stderr


def test_logs_without_their_tournament_are_not_taken_for_another_ones(tmp_path: Path) -> None:
    file = tournament_file(tmp_path, "cautious", "cautious", "cautious", blocks=1)
    data = tmp_path / "data"
    thousand("tournament", "run", file, "--data", data, "--jobs", "2")
    for left in data.glob("arena.sqlite*"):
        left.unlink()
    assert "store rebuild" in quick_refusal("tournament", "run", file, "--data", data)
    thousand("store", "rebuild", "--data", data)
    thousand("tournament", "run", file, "--data", data)


def test_a_link_is_not_taken_for_the_folder_of_sockets(tmp_path: Path) -> None:
    precious = tmp_path / "precious" / "2024-photos"
    precious.mkdir(parents=True)
    (tmp_path / f"thousand-{os.getuid()}").symlink_to(tmp_path / "precious")
    bots = [EXAMPLE_BOTS / "random"] * 3
    refusal("match", *bots, "--games", "1", "--data", tmp_path / "data", TMPDIR=str(tmp_path))
    assert precious.is_dir()


@pytest.mark.parametrize("seed", ["\udcff", "", "x" * 201])
def test_a_seed_that_is_none(tmp_path: Path, seed: str) -> None:
    bots = [EXAMPLE_BOTS / "random"] * 3
    done = thousand("match", *bots, "--seed", seed, "--data", tmp_path / "data", check=False)
    assert done.returncode == 2
    assert "--seed" in done.stderr
