"""Archives that strangers sent: what is refused leaves nothing outside of its folder."""

from __future__ import annotations

import gzip
import io
import os
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from arena_runs import EXAMPLE_BOTS
from thousand_referee.bots import read_bot
from thousand_referee.errors import ConfigError, Unacceptable
from thousand_referee.service.config import Limits
from thousand_referee.service.unpacking import pack, unpack

LIMITS = Limits(unpacked_mb=6, files=50)
BOT = ("bot.toml", b'command = ["python", "bot.py"]\n')

Members = list[tuple[tarfile.TarInfo, bytes]]


def file(name: str, content: bytes = b"x", mode: int = 0o644) -> tuple[tarfile.TarInfo, bytes]:
    member = tarfile.TarInfo(name)
    member.size = len(content)
    member.mode = mode
    return member, content


def special(name: str, kind: bytes, target: str = "") -> tuple[tarfile.TarInfo, bytes]:
    member = tarfile.TarInfo(name)
    member.type = kind
    member.linkname = target
    member.devmajor, member.devminor = 1, 3
    return member, b""


def packed(*members: tuple[tarfile.TarInfo, bytes], kind: int = tarfile.PAX_FORMAT) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz", format=kind) as archive:
        for member, content in members:
            archive.addfile(member, io.BytesIO(content))
    return buffer.getvalue()


def pax(name: str, headers: dict[str, str]) -> tuple[tarfile.TarInfo, bytes]:
    """A plain file whose extended header says something else."""
    member, content = file(name)
    member.pax_headers = headers
    return member, content


def sparse(name: str) -> tuple[tarfile.TarInfo, bytes]:
    """A file that says it is a terabyte of holes."""
    return pax(
        name,
        {"GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.realsize": str(1 << 40)},
    )


NAMES = {
    "../evil": "leaves the bot's folder",
    "../../../../tmp/evil": "leaves the bot's folder",
    "a/../../evil": "leaves the bot's folder",
    "a/b/../c": "leaves the bot's folder",
    "..": "leaves the bot's folder",
    "/etc/evil": "is absolute",
    "//evil": "is absolute",
    "a//b": "an empty part",
    "a/./b": "an empty part",
    "a/.": "an empty part",
    ".": "an empty part",
    "": "an empty part",
    "a\nb": "doesn't print",
    "a\rb": "doesn't print",
    "a\tb": "doesn't print",
    "\x1b[2Jevil": "doesn't print",
    "a\x7f": "doesn't print",
    "a\x85b": "doesn't print",
    "\u202egnp.exe": "doesn't print",
    "a\u200bb": "doesn't print",
    "a\u2028b": "doesn't print",
    "\ufeffbot.py": "doesn't print",
    "a\u00a0b": "doesn't print",
    "a\udce4": "is not UTF-8",
    "..\\evil": "has one of",
    "C:\\evil": "has one of",
    "C:evil": "has one of",
    "a*": "has one of",
    "a?b": "has one of",
    'a"b': "has one of",
    "<a>": "has one of",
    "a|b": "has one of",
    "x" * 200: "too long",
    "/".join(["d" * 40] * 15): "too long",
    "/".join("d" * 25): "too deep",
    " a": "a space or dot at its end",
    "a ": "a space or dot at its end",
    "a/b.": "a space or dot at its end",
    "...": "a space or dot at its end",
    "nul": "is a device's",
    "CON.txt": "is a device's",
    "a/Aux": "is a device's",
    "lpt1.py": "is a device's",
    "__pycache__/bot.cpython-311.pyc": "doesn't count",
    "a/__PyCache__/b": "doesn't count",
    "bot.pyc": "doesn't count",
    ".git/config": "doesn't count",
    ".GIT/hooks/post-checkout": "doesn't count",
}

MEMBERS: dict[str, tuple[Members, str]] = {
    "symbolic link": ([special("a", tarfile.SYMTYPE, "/etc/passwd")], "is a link"),
    "link to its own file": ([special("a", tarfile.SYMTYPE, "bot.toml")], "is a link"),
    "hard link": ([special("a", tarfile.LNKTYPE, "bot.toml")], "is a link"),
    "link, then a file through it": (
        [special("d", tarfile.SYMTYPE, "/tmp"), file("d/evil")],
        "is a link",
    ),
    "character device": ([special("a", tarfile.CHRTYPE)], "neither file nor folder"),
    "block device": ([special("a", tarfile.BLKTYPE)], "neither file nor folder"),
    "pipe": ([special("a", tarfile.FIFOTYPE)], "neither file nor folder"),
    "contiguous file": ([special("a", tarfile.CONTTYPE)], "neither file nor folder"),
    "unknown type": ([special("a", b"Z")], "neither file nor folder"),
    "sparse file": ([sparse("a")], "no sound|neither file nor folder|MB unpacked"),
    "same name twice": ([file("ab"), file("ab", b"y")], "in the archive twice"),
    "same short name twice": ([file("a"), file("a", b"y")], "in the archive twice"),
    "bot.toml twice": ([file("bot.toml", b"")], "in the archive twice"),
    "case": ([file("Ab.py"), file("aB.py")], "same file on some systems"),
    "case of bot.toml": ([file("Bot.toml")], "same file on some systems"),
    "case of folders": ([file("Dd/a"), file("dD/b")], "same file on some systems"),
    "sharp s": ([file("straße"), file("strasse")], "same file on some systems"),
    "forms of letters": ([file("caf\u00e9"), file("cafe\u0301")], "same file on some systems"),
    "file, then a folder": ([file("ab"), file("ab/c")], "same file on some systems"),
    "folder, then a file": ([file("ab/c"), file("ab")], "same file on some systems"),
    "empty folder, then a file": (
        [special("ab/", tarfile.DIRTYPE), file("ab")],
        "same file on some systems",
    ),
    "folder outside": ([special("../d", tarfile.DIRTYPE)], "leaves the bot's folder"),
    "absolute folder": ([special("/d", tarfile.DIRTYPE)], "is absolute"),
    "path in a header": ([pax("a", {"path": "../../evil"})], "leaves the bot's folder"),
    "too many files": ([file(f"f{number}") for number in range(60)], "more than 50 files"),
    "too many bytes": (
        [file(f"f{number}", os.urandom(1 << 20)) for number in range(7)],
        "more than 6 MB unpacked",
    ),
    "a bomb": ([file("zeros", bytes(5 << 20))], "more than 200 times its size"),
}


def refused(archive: bytes, problem: str, tmp_path: Path) -> None:
    """Unpack, and look at everything that is there then."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "archive").write_bytes(archive)
    before = sorted(outside.rglob("*"))
    folder = outside / "in" / "bot"
    with pytest.raises(Unacceptable, match=problem) as caught:
        unpack(outside / "archive", folder, LIMITS)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 1_000
    written = [path for path in outside.rglob("*") if path not in before]
    assert all(path.is_relative_to(outside / "in") for path in written)
    assert all(path.is_dir() or path.is_file() for path in written)
    assert not any(path.is_symlink() for path in written)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["outside"]
    assert not Path("/tmp/evil").exists()


@pytest.mark.parametrize("name", NAMES)
def test_names_that_are_refused(name: str, tmp_path: Path) -> None:
    refused(packed(file(*BOT), file(name or "./")), NAMES[name], tmp_path)


@pytest.mark.parametrize("what", MEMBERS)
def test_members_that_are_refused(what: str, tmp_path: Path) -> None:
    members, problem = MEMBERS[what]
    refused(packed(file(*BOT), *members), problem, tmp_path)


GOOD = packed(file(*BOT), file("bot.py", os.urandom(50_000)))

BROKEN: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "no sound .tar.gz|no bot.toml"),
    "text": (b"hello" * 100, "no sound .tar.gz"),
    "no gzip": (gzip.decompress(GOOD), "no sound .tar.gz"),
    "gzip of text": (gzip.compress(b"hello" * 500), "no sound .tar.gz"),
    "cut off": (GOOD[:-20_000], "no sound .tar.gz"),
    "only a header": (GOOD[:10], "no sound .tar.gz"),
    "bits turned": (GOOD[:1_000] + bytes([GOOD[1_000] ^ 0xFF]) + GOOD[1_001:], "no sound"),
    "another compression": (b"BZh91AY&SY" + GOOD, "no sound .tar.gz"),
    "a cut tar": (gzip.compress(gzip.decompress(GOOD)[:20_000]), "no sound .tar.gz"),
    "a bomb of gzip": (gzip.compress(bytes(40 << 20)), "MB unpacked|times its size|no bot.toml"),
    "the parent folder": (packed(file("ace/bot.toml"), file("ace/bot.py")), "no bot.toml"),
    "nothing in it": (packed(), "no bot.toml"),
    "a folder as bot.toml": (packed(special("bot.toml/", tarfile.DIRTYPE)), "no bot.toml"),
    "other number formats": (
        packed(file("a" * 120 + "/../../../evil"), kind=tarfile.GNU_FORMAT),
        "leaves the bot's folder",
    ),
}


@pytest.mark.parametrize("what", BROKEN)
def test_archives_that_are_none(what: str, tmp_path: Path) -> None:
    refused(*BROKEN[what], tmp_path)


def test_there_are_many_of_them() -> None:
    assert len(NAMES) + len(MEMBERS) + len(BROKEN) >= 80


@pytest.mark.parametrize("bot", ["counter", "monte_carlo", "expert"])
def test_what_is_packed_is_the_same_bot_unpacked(bot: str, tmp_path: Path) -> None:
    buffers = [io.BytesIO(), io.BytesIO()]
    for buffer in buffers:
        pack(EXAMPLE_BOTS / bot, buffer)
    assert buffers[0].getvalue() == buffers[1].getvalue()
    (tmp_path / "archive").write_bytes(buffers[0].getvalue())
    unpack(tmp_path / "archive", tmp_path / "bot", Limits())
    assert read_bot(tmp_path / "bot").digest == read_bot(EXAMPLE_BOTS / bot).digest
    modes = {path.stat().st_mode & 0o777 for path in (tmp_path / "bot").rglob("*.py")}
    assert modes <= {0o444, 0o555}


def link(folder: Path) -> None:
    (folder / "a").symlink_to("bot.toml")


def pipe(folder: Path) -> None:
    os.mkfifo(folder / "a")


def odd_name(folder: Path) -> None:
    (folder / "a\nb").touch()


@pytest.mark.parametrize(
    ("spoil", "problem"),
    [(link, "a link"), (pipe, "no plain file"), (odd_name, "doesn't print")],
)
def test_what_can_not_be_packed(
    spoil: Callable[[Path], None], problem: str, tmp_path: Path
) -> None:
    (tmp_path / "bot.toml").write_bytes(BOT[1])
    spoil(tmp_path)
    with pytest.raises(ConfigError, match=problem):
        pack(tmp_path, io.BytesIO())
