from __future__ import annotations

import zlib
from pathlib import Path

import msgspec
import pytest

from match_maker import EXAMPLES
from thousand_referee.bots import read_bot
from thousand_referee.cluster import bundle
from thousand_referee.cluster.bundle import pack, unpack
from thousand_referee.errors import ConfigError, MatchVoid

TOML = 'command = ["./run.sh", "--fast"]\n'


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    folder = tmp_path / "bot"
    (folder / "data" / "deep").mkdir(parents=True)
    (folder / "bot.toml").write_text(TOML)
    (folder / "run.sh").write_text("#!/bin/sh\n")
    (folder / "run.sh").chmod(0o750)
    (folder / "data" / "deep" / "é").write_bytes(bytes(range(256)) * 100)
    (folder / "data" / "link").symlink_to("deep/é")
    (folder / "shortcut").symlink_to("data/deep")
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "x.pyc").write_text("not for others")
    return folder


def hostile(*files: tuple[str, bytes, bytes]) -> bytes:
    return zlib.compress(msgspec.msgpack.encode([("f", b"bot.toml", TOML.encode()), *files]))


def test_what_is_unpacked_is_the_bot_that_was_packed(bot: Path, tmp_path: Path) -> None:
    digest = read_bot(bot).digest
    unpack(pack(bot), tmp_path / "there" / "x", digest)
    assert read_bot(tmp_path / "there" / "x").digest == digest
    assert (tmp_path / "there" / "x" / "run.sh").stat().st_mode & 0o111
    assert (tmp_path / "there" / "x" / "shortcut" / "é").exists()
    assert not (tmp_path / "there" / "x" / "__pycache__").exists()


@pytest.mark.parametrize("name", ["counter", "cautious", "random"])
def test_example_bots_travel(name: str, tmp_path: Path) -> None:
    digest = read_bot(EXAMPLES / name).digest
    unpack(pack(EXAMPLES / name), tmp_path / "x", digest)


def test_another_bot_is_noticed(bot: Path, tmp_path: Path) -> None:
    with pytest.raises(MatchVoid, match="holds another one"):
        unpack(pack(bot), tmp_path / "there", "0" * 64)


def test_what_is_no_bundle(bot: Path, tmp_path: Path) -> None:
    packed = pack(bot)
    cases = (
        b"",
        b"nonsense",
        packed[:-1],
        packed[: len(packed) // 2],
        zlib.compress(b"\xc1"),
        zlib.compress(msgspec.msgpack.encode([("d", b"x", b"")])),
        zlib.compress(msgspec.msgpack.encode([("f", b"bot.toml", b"x = 1")])),
        hostile(("f", b"x", b""), ("f", b"x", b"")),
    )
    for number, case in enumerate(cases):
        with pytest.raises(MatchVoid, match=r"bundle|unpacked"):
            unpack(case, tmp_path / str(number), "0" * 64)


def test_a_bundle_that_grows_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle, "MAX_BYTES", 1_000)
    monkeypatch.setattr(bundle, "MAX_FILES", 10)
    bomb = hostile(("f", b"x", bytes(10**6)))
    with pytest.raises(MatchVoid, match="damaged"):
        unpack(bomb, tmp_path / "x", "0" * 64)


@pytest.mark.parametrize(
    "files",
    [
        [("f", b"../escaped", b"x")],
        [("f", b"a/../../escaped", b"x")],
        [("f", b"/tmp/thousand-escaped", b"x")],
        [("f", b"", b"x")],
        [("f", b"a\0b", b"x")],
        [("l", b"way", b"..")],
        [("l", b"way", b"/tmp")],
        [("l", b"way", b"../escaped"), ("f", b"way/escaped", b"x")],
        [("l", b"../escaped", b"bot.toml")],
    ],
)
def test_nothing_leaves_the_folder(files: list[tuple[str, bytes, bytes]], tmp_path: Path) -> None:
    with pytest.raises(MatchVoid):
        unpack(hostile(*files), tmp_path / "there", "0" * 64)
    assert not (tmp_path / "escaped").exists()
    assert not Path("/tmp/thousand-escaped").exists()


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="none"):
        pack(tmp_path / "none")
