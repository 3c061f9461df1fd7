from __future__ import annotations

import os
from pathlib import Path

import pytest

from thousand_referee import bots
from thousand_referee.bots import is_name, read_bot
from thousand_referee.errors import ConfigError

PYTHON = 'command = ["python", "bot.py"]\n'


def make_bot(folder: Path, toml: str = PYTHON, **files: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bot.toml").write_text(toml)
    for name, text in {"bot.py": "print()", **files}.items():
        (folder / name).write_text(text)
    return folder


def test_a_bot_with_a_command_only_is_named_after_its_folder(tmp_path: Path) -> None:
    bot = read_bot(make_bot(tmp_path / "clever"))
    assert bot.name == "clever"
    assert bot.command == ("python", "bot.py")
    assert bot.description == ""
    assert bot.folder == tmp_path / "clever"


def test_all_keys(tmp_path: Path) -> None:
    bot = read_bot(make_bot(tmp_path / "a", f'name = "Bot 2"\n{PYTHON}description = "Counts."'))
    assert (bot.name, bot.description) == ("Bot 2", "Counts.")


def test_an_entry_has_the_short_version_and_an_absolute_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_bot(tmp_path / "a")
    monkeypatch.chdir(tmp_path)
    bot = read_bot(Path("a"))
    entry = bot.as_entry("twin")
    assert (entry.name, entry.folder) == ("twin", str(tmp_path / "a"))
    assert entry.version == bot.digest[:16]
    assert len(bot.digest) == 64


@pytest.mark.parametrize(
    ("toml", "parts"),
    [
        ("", ("command: missing",)),
        ("command = []", ("command: empty", '["python", "bot.py"]')),
        ('command = [""]', ("command: empty",)),
        ('command = "python bot.py"', ("command: expected list, got str",)),
        ('command = ["python", 3]', ("command 2: expected str, got int",)),
        (r'command = ["python", "a\u0000b"]', ("command: contains a zero character",)),
        ('command = ["no-such-program-here"]', ("not found on PATH; install",)),
        ('command = ["./missing"]', ("command: './missing' is not found in the bot's folder;",)),
        ('command = ["../a/bot.py"]', ("command: '../a/bot.py' leaves",)),
        ('command = ["./bot.py"]', ("command: './bot.py' is not executable", "chmod +x")),
        ('command = ["bot.py"]', ("command: 'bot.py' is not found on PATH", 'write "./bot.py"')),
        (PYTHON + 'name = ""', ("name: '' is no name", "1 to 64 characters")),
        (PYTHON + 'name = "a/b"', ("name: 'a/b' is no name",)),
        (PYTHON + "name = 5", ("name: expected str, got int",)),
        (PYTHON + f'description = "{"x" * 1001}"', ("description: 1001 characters", "1000")),
        (PYTHON + 'colour = "red"', ("colour: unknown key", "command, name, description")),
        (PYTHON + "[limits]\nmemory = 1", ("limits: unknown key",)),
        (PYTHON + "command = []", ("not TOML", "overwrite")),
        (PYTHON + "name = ?", ("not TOML", "line 2")),
        ("command = [", ("not TOML",)),
    ],
)
def test_a_wrong_bot_toml_is_named_with_its_key(
    tmp_path: Path, toml: str, parts: tuple[str, ...]
) -> None:
    folder = make_bot(tmp_path / "bad", toml)
    with pytest.raises(ConfigError) as caught:
        read_bot(folder)
    message = str(caught.value)
    assert message.startswith(f"{folder / 'bot.toml'}: ")
    assert "\n" not in message
    for part in parts:
        assert part in message


def test_a_folder_name_that_is_no_name_needs_the_key(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"name: 'é' \(the folder's name; set this key\)"):
        read_bot(make_bot(tmp_path / "é"))


def test_missing_folder_missing_file_and_file_instead_of_folder(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="nowhere: no such folder; give the path"):
        read_bot(tmp_path / "nowhere")
    with pytest.raises(ConfigError, match=r"bot\.toml: no such file; write one"):
        read_bot(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match="file: not a folder"):
        read_bot(tmp_path / "file")
    (tmp_path / "odd" / "bot.toml").mkdir(parents=True)
    with pytest.raises(ConfigError, match=r"bot\.toml: not a file"):
        read_bot(tmp_path / "odd")


@pytest.mark.parametrize("name", ["a", "7", "Bot 2.1_b-c", "C++", "F#", "x" * 64])
def test_names(name: str) -> None:
    assert is_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "",
        " a",
        "a ",
        ".",
        "..",
        ".a",
        "a.",
        "-a",
        "a/b",
        "a\\b",
        "a\n",
        "a\0",
        "é",
        "x" * 65,
        "<b>",
    ],
)
def test_what_is_no_name(name: str) -> None:
    assert not is_name(name)


@pytest.mark.parametrize("program", ["python", "python3", "sh", "./run", "deep/run", "/bin/sh"])
def test_programs_that_can_be_run(tmp_path: Path, program: str) -> None:
    folder = make_bot(tmp_path / "a", f'command = ["{program}", "x"]', run="")
    (folder / "deep").mkdir()
    for file in (folder / "run", folder / "deep" / "run"):
        file.touch()
        file.chmod(0o755)
    assert read_bot(folder).command == (program, "x")


BY_SHA256SUM = "43957d2687c73c9d4b846b6b37ec189373089c7d85761f5faa0351182d5d1065"


def test_the_version_is_the_digest_laid_down(tmp_path: Path) -> None:
    make_bot(tmp_path / "a", PYTHON, run="#!/bin/sh\n")
    (tmp_path / "a" / "run").chmod(0o700)
    assert read_bot(tmp_path / "a").digest == BY_SHA256SUM


def test_the_version_is_the_same_elsewhere_and_with_caches(tmp_path: Path) -> None:
    one, two = make_bot(tmp_path / "a"), make_bot(tmp_path / "b" / "a")
    for folder in ("__pycache__", ".git"):
        (two / folder).mkdir()
        (two / folder / "x").write_text("cache")
    (two / "bot.pyc").write_text("cache")
    (two / "empty").mkdir()
    os.utime(two / "bot.py", (0, 0))
    assert read_bot(one).digest == read_bot(two).digest


def test_every_change_changes_the_version(tmp_path: Path) -> None:
    folder = make_bot(tmp_path / "a", data="1")
    digests = [read_bot(folder).digest]

    def changed() -> None:
        digests.append(read_bot(folder).digest)

    (folder / "data").write_text("2")
    changed()
    (folder / "data").chmod(0o755)
    changed()
    (folder / "data").rename(folder / "datum")
    changed()
    (folder / "deep").mkdir()
    (folder / "datum").rename(folder / "deep" / "datum")
    changed()
    (folder / "link").symlink_to("bot.py")
    changed()
    (folder / "link").unlink()
    (folder / "link").symlink_to("deep")
    changed()
    assert len(set(digests)) == len(digests)


def test_links_that_leave_the_folder_and_pipes_are_refused(tmp_path: Path) -> None:
    folder = make_bot(tmp_path / "a")
    (folder / "out").symlink_to("../b")
    with pytest.raises(ConfigError, match="out: a link that leaves"):
        read_bot(folder)
    (folder / "out").unlink()
    (folder / "etc").symlink_to("/etc")
    with pytest.raises(ConfigError, match="etc: a link that leaves"):
        read_bot(folder)
    (folder / "etc").unlink()
    (folder / "loop").symlink_to("loop")
    with pytest.raises(ConfigError, match="loop: a link that leaves"):
        read_bot(folder)
    (folder / "loop").unlink()
    os.mkfifo(folder / "pipe")
    with pytest.raises(ConfigError, match="pipe: neither file nor folder"):
        read_bot(folder)


def test_a_folder_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = make_bot(tmp_path / "a")
    with (folder / "model").open("wb") as file:
        file.truncate(100_000_001)
    with pytest.raises(ConfigError, match="a: more than 100 MB; keep data"):
        read_bot(folder)
    (folder / "model").unlink()
    monkeypatch.setattr(bots, "MAX_FILES", 2)
    read_bot(folder)
    (folder / "third").write_text("")
    with pytest.raises(ConfigError, match="a: more than 2 files"):
        read_bot(folder)
