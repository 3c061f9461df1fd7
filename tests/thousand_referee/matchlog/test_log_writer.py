"""Writing logs: whole or not at all, and what a full disk does."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from log_maker import LogMaker
from thousand_referee.errors import DataError
from thousand_referee.matchlog.reader import read_log
from thousand_referee.matchlog.records import DealLine, FaultLine, GameLine, TrickLine
from thousand_referee.matchlog.writer import LogWriter

HEADER = LogMaker(games=1).header()
NO_TIMES = ({}, {}, {})
GAME = GameLine(
    game=0, block=0, places=(1, 2, 3), winners=(0,), scores=(1000, 5, 0), deals=9, out=()
)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_lines_are_in_the_file_as_soon_as_they_are_written(tmp_path: Path) -> None:
    with LogWriter(tmp_path, HEADER) as log:
        log.write(GAME)
        assert [line for _, line in read_some(log.path)] == [HEADER, GAME]
        assert log.path.read_bytes().startswith(b'{"type":"match","format":1,')


def read_some(path: Path) -> Iterator[object]:
    """Read a log that is not finished."""
    lines = read_log(path)
    yield next(lines)
    yield next(lines)


def test_a_finished_log_replaces_the_running_one(tmp_path: Path) -> None:
    with LogWriter(tmp_path / "new" / "folder", HEADER) as log:
        log.write(GAME)
        path = log.finish(1, NO_TIMES, 3)
    assert names(path.parent) == [f"{HEADER.match}.jsonl.gz"]
    assert path == path.parent / f"{HEADER.match}.jsonl.gz"


def test_the_same_match_makes_the_same_file(tmp_path: Path) -> None:
    first = LogMaker(games=1).make(tmp_path / "a")
    second = LogMaker(games=1).make(tmp_path / "b")
    assert first.read_bytes() == second.read_bytes()


def test_an_earlier_try_is_replaced_and_can_do_no_harm(tmp_path: Path) -> None:
    lost = LogWriter(tmp_path, HEADER)
    with LogWriter(tmp_path, HEADER) as log:
        lost.write(GAME, GAME, GAME)
        log.write(GAME)
        path = log.finish(1, NO_TIMES, 0)
    assert [line for _, line in read_log(path)][:-1] == [HEADER, GAME]
    lost.abandon()


def test_an_error_inside_deletes_the_log(tmp_path: Path) -> None:
    with suppress(KeyError), LogWriter(tmp_path, HEADER) as log:
        log.write(GAME)
        raise KeyError
    assert names(tmp_path) == []


def test_a_block_that_does_not_finish_deletes_the_log(tmp_path: Path) -> None:
    with LogWriter(tmp_path, HEADER) as log:
        log.write(GAME)
    assert names(tmp_path) == []


def test_abandoning_a_finished_log_leaves_it(tmp_path: Path) -> None:
    log = LogWriter(tmp_path, HEADER)
    path = log.finish(1, NO_TIMES, 0)
    log.abandon()
    assert path.exists()


def test_a_full_disk_while_playing(tmp_path: Path) -> None:
    with Path("/dev/full").open("w+b") as full, LogWriter(tmp_path, HEADER) as log:
        log._file.close()
        log._file = full
        with pytest.raises(DataError, match=r"jsonl: No space left on device; free some"):
            log.write(GAME)
        log.abandon()
    assert names(tmp_path) == []


def test_a_full_disk_while_compressing(tmp_path: Path) -> None:
    temporary = tmp_path / f"{HEADER.match}.jsonl.gz.tmp"
    with LogWriter(tmp_path, HEADER) as log:
        temporary.symlink_to("/dev/full")
        log.write(GAME)
        with pytest.raises(DataError, match=r"jsonl.gz: No space left on device; free some"):
            log.finish(1, NO_TIMES, 0)
    assert names(tmp_path) == []


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(DataError, match=r"Not a directory; .* choose a data folder"):
        LogWriter(tmp_path / "file" / "logs", HEADER)


def test_a_header_that_can_not_be_written_leaves_no_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise DataError("the disk is full")

    monkeypatch.setattr(LogWriter, "write", fail)
    with pytest.raises(DataError, match="the disk is full"):
        LogWriter(tmp_path, HEADER)
    assert names(tmp_path) == []


def test_what_is_no_text_is_written_in_a_way_that_can_be_read(tmp_path: Path) -> None:
    fault = FaultLine(
        game=0, deal=1, seat=1, kind="crash", detail="ende \udcff", prompt={"a": ["\udc80"]}
    )
    with LogWriter(tmp_path, HEADER) as log:
        log.write(fault, GAME)
        path = log.finish(1, NO_TIMES, 0)
    _, (_, read), (_, game), _ = read_log(path)
    assert isinstance(read, FaultLine)
    assert (read.detail, read.prompt) == ("ende \\udcff", {"a": ["\\udc80"]})
    assert game == GAME


numbers = st.integers(-(2**53), 2**53)
texts = st.text(max_size=20)
values = st.recursive(
    st.none() | st.booleans() | numbers | texts | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=10,
)


def three(each: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.tuples(each, each, each)


def many(each: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(each, max_size=3).map(tuple)


maybe = st.none() | numbers
deal_lines = st.builds(
    DealLine,
    game=numbers,
    deal=numbers,
    dealer=numbers,
    hands=three(many(texts)),
    talon=many(texts),
    bids=many(st.tuples(numbers, maybe)),
    declarer=numbers,
    gifts=st.tuples(texts, texts),
    contract=numbers,
    tricks=many(st.builds(TrickLine, numbers, three(texts), st.booleans())),
    points=three(numbers),
    scores=three(numbers),
    barrel=three(maybe),
    asked=three(numbers),
    ms=three(st.floats(allow_nan=False, allow_infinity=False)),
)
game_lines = st.builds(
    GameLine,
    game=numbers,
    block=numbers,
    places=three(numbers),
    winners=many(numbers),
    scores=three(numbers),
    deals=numbers,
    out=many(numbers),
)
fault_lines = st.builds(
    FaultLine,
    game=maybe,
    deal=maybe,
    seat=st.integers(0, 2),
    kind=texts,
    detail=texts,
    prompt=st.none() | st.dictionaries(texts, values, max_size=3),
    answer=st.none() | texts,
    action=st.none() | texts,
    out=st.none() | texts,
)


@settings(deadline=None)  # it waits for the disk
@given(st.lists(deal_lines | game_lines | fault_lines, max_size=5))
def test_what_is_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, written: list[DealLine | GameLine | FaultLine]
) -> None:
    with LogWriter(tmp_path_factory.mktemp("round"), HEADER) as log:
        log.write(*written)
        path = log.finish(7, ({"a": 1}, {}, {}), 0.25)
    *read, end = [line for _, line in read_log(path)]
    assert read == [HEADER, *written]
    assert gzip.decompress(path.read_bytes()).count(b"\n") == len(written) + 2
    assert end.games == 7
