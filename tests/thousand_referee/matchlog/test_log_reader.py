"""Reading logs that are cut, damaged, hostile, or of the future."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path

import msgspec
import pytest

from log_forger import read_values
from thousand_referee.errors import LogError
from thousand_referee.matchlog import reader
from thousand_referee.matchlog.reader import find_logs, read_log


def problem_of(path: Path) -> tuple[int, str]:
    with pytest.raises(LogError) as caught:
        list(read_log(path))
    assert caught.value.file == str(path)
    return caught.value.line, caught.value.problem


def log_of(folder: Path, *lines: bytes) -> Path:
    path = folder / "x.jsonl"
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path


@pytest.fixture(scope="module")
def header(clean_log: Path) -> bytes:
    return msgspec.json.encode(read_values(clean_log)[0])


def offsets(size: int) -> list[int]:
    """About a hundred places to cut at, the very ends among them."""
    return sorted({*range(0, size, max(1, size // 100)), *range(5), *range(size - 12, size)})


def test_lines_are_numbered_from_one(clean_log: Path) -> None:
    numbers = [number for number, _ in read_log(clean_log)]
    assert numbers == list(range(1, len(read_values(clean_log)) + 1))


def test_every_cut_of_a_finished_log_is_noticed(clean_log: Path, tmp_path: Path) -> None:
    data = clean_log.read_bytes()
    path = tmp_path / clean_log.name
    for size in offsets(len(data)):
        path.write_bytes(data[:size])
        line, problem = problem_of(path)
        told = f"the log is cut after line {line}" if line else "the log is cut in its first line"
        assert problem == told or (size == 1 and "damaged" in problem)


def test_every_cut_of_an_unfinished_log_is_noticed(clean_log: Path, tmp_path: Path) -> None:
    data = gzip.decompress(clean_log.read_bytes())
    path = tmp_path / "running.jsonl"
    for size in offsets(len(data)):
        path.write_bytes(data[:size])
        line, problem = problem_of(path)
        assert line == data[:size].count(b"\n")
        assert "cut" in problem


def test_every_flipped_byte_of_a_finished_log_is_noticed(clean_log: Path, tmp_path: Path) -> None:
    data = bytearray(clean_log.read_bytes())
    content = gzip.decompress(data)
    path = tmp_path / clean_log.name
    for offset in offsets(len(data)):
        data[offset] ^= 0x10
        if not _carries_nothing(data, content):
            path.write_bytes(data)
            problem_of(path)
        data[offset] ^= 0x10


def _carries_nothing(data: bytes, content: bytes) -> bool:
    """Say whether only the header's time or system, or padding between blocks, changed."""
    try:
        return gzip.decompress(data) == content
    except (OSError, EOFError, zlib.error):
        return False


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b"\xff\xfe", "not JSON"),
        (b'{"type":"deal"', "not JSON"),
        (b"[" * 100_000, "Expected `object`, got `array`"),
        (b'{"type":"fault","prompt":' + b'{"a":' * 50_000, "not JSON"),
        (b"null", "Expected `object`, got `null`"),
        (b"{}", "missing required field `type`"),
        (b'{"type":"bluff"}', "Invalid value 'bluff'"),
        (b'{"type":"deal"}', "missing required field `game`"),
        (b'{"type":"game","extra":1}', "unknown field `extra`"),
        (b'{"type":"game","game":"one"}', "Expected `int`, got `str` - at `$.game`"),
        (b'{"type":"fault","seat":3}', "Expected `int` <= 2 - at `$.seat`"),
        (b'{"type":"fault","detail":"\\ud800"}', "not JSON"),
    ],
)
def test_a_line_that_is_none(header: bytes, line: bytes, problem: str, tmp_path: Path) -> None:
    number, told = problem_of(log_of(tmp_path, header, line))
    assert number == 2
    assert problem in told


def test_the_first_line_must_be_the_match_and_no_other(header: bytes, tmp_path: Path) -> None:
    game = (
        b'{"type":"game","game":0,"block":0,"places":[1,2,3],"winners":[0],'
        b'"scores":[1,2,3],"deals":1,"out":[]}'
    )
    told = "the match line must be the first line, and no other"
    assert problem_of(log_of(tmp_path, game)) == (1, told)
    assert problem_of(log_of(tmp_path, header, header)) == (2, told)


def test_nothing_may_follow_the_end(clean_log: Path, tmp_path: Path) -> None:
    lines = gzip.decompress(clean_log.read_bytes()).splitlines()
    path = log_of(tmp_path, *lines, lines[1])
    assert problem_of(path) == (len(lines) + 1, "nothing may follow the end line")


def test_a_newer_format_is_named_before_anything_else(tmp_path: Path) -> None:
    path = log_of(tmp_path, b'{"type":"match","format":2,"novelty":[]}')
    told = "format 2 is newer than this program's 1; update thousand-arena"
    assert problem_of(path) == (1, told)


def test_a_file_that_is_no_gzip(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl.gz"
    path.write_bytes(b"not at all")
    assert problem_of(path)[1].startswith("the compressed file is damaged after line 0")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    assert problem_of(tmp_path / "x.jsonl.gz") == (0, "can't read it: No such file or directory")


def test_a_line_without_end_is_not_read_into_memory(header: bytes, tmp_path: Path) -> None:
    path = tmp_path / "bomb.jsonl.gz"
    with gzip.open(path, "wb", compresslevel=1) as bomb:
        bomb.write(header + b"\n")
        for _ in range(64):
            bomb.write(b"0" * (1 << 20))
    assert problem_of(path) == (2, "the line is longer than 1,048,576 bytes")


def test_a_log_without_end_is_not_read_forever(
    clean_log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "MAX_LOG_BYTES", 10_000)
    assert problem_of(clean_log)[1] == "the log is larger than 10,000 bytes"


def test_logs_are_found_in_all_folders_in_order(tmp_path: Path) -> None:
    for name in ("b/2.jsonl.gz", "a/1.jsonl", "b/1.jsonl.gz", "b/1.jsonl.gz.tmp", "b/x.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    found = [str(path.relative_to(tmp_path)) for path in find_logs(tmp_path)]
    assert found == ["a/1.jsonl", "b/1.jsonl.gz", "b/2.jsonl.gz"]
    assert list(find_logs(tmp_path / "nowhere")) == []
