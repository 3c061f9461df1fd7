"""Verifying logs as a whole; `test_corruptions` has each field."""

from __future__ import annotations

import copy
import gzip
from pathlib import Path
from typing import Any

import pytest

from log_forger import read_values, write_values
from log_maker import GOLDEN, TOURNAMENT_SEED, LogMaker
from thousand_referee.errors import LogError
from thousand_referee.matchlog.reader import read_log
from thousand_referee.matchlog.summary import summarize
from thousand_referee.matchlog.verify import verify_log
from thousand_referee.spec import FaultLimits

Values = list[dict[str, Any]]


def line_of(path: Path, values: Values) -> int:
    """Write the log as a forger, and give the line that is found wrong."""
    with pytest.raises(LogError) as caught:
        verify_log(write_values(path, values, forged=True))
    return caught.value.line


def first(values: Values, kind: str, start: int = 0, **fields: Any) -> int:
    return next(
        index
        for index in range(start, len(values))
        if values[index]["type"] == kind and fields.items() <= values[index].items()
    )


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("fault_rate", [0.0, 0.003, 0.03])
def test_a_log_of_a_real_match_is_accepted(seed: int, fault_rate: float, tmp_path: Path) -> None:
    limits = FaultLimits(per_game=1 + seed % 3, restarts=seed % 2)
    maker = LogMaker(seed=seed, games=2, tables=1 + seed % 3, fault_rate=fault_rate, faults=limits)
    path = maker.make(tmp_path)
    assert verify_log(path, TOURNAMENT_SEED) == summarize(line for _, line in read_log(path))


def test_the_golden_log_is_accepted() -> None:
    (path,) = GOLDEN.glob("*.jsonl.gz")
    assert verify_log(path, TOURNAMENT_SEED).deals == 19


def test_a_log_may_be_unpacked(clean_log: Path, tmp_path: Path) -> None:
    path = tmp_path / clean_log.stem
    path.write_bytes(gzip.decompress(clean_log.read_bytes()))
    verify_log(path)


def test_the_file_must_bear_the_name_of_the_match(clean_log: Path, tmp_path: Path) -> None:
    path = tmp_path / "other.jsonl.gz"
    path.write_bytes(clean_log.read_bytes())
    with pytest.raises(LogError, match="not the file's name") as caught:
        verify_log(path)
    assert caught.value.line == 1


def test_another_tournament_seed_is_noticed(clean_log: Path) -> None:
    with pytest.raises(LogError, match=r"seeds\[0\] \(of the tournament's seed\)") as caught:
        verify_log(clean_log, "another seed")
    assert caught.value.line == 1


def test_a_cut_log_is_refused(clean_log: Path, tmp_path: Path) -> None:
    path = tmp_path / clean_log.name
    path.write_bytes(clean_log.read_bytes()[:-4])
    with pytest.raises(LogError, match="cut after line"):
        verify_log(path)


def test_a_deal_left_out_is_noticed(eventful_log: Path, tmp_path: Path) -> None:
    values = read_values(eventful_log)
    index = first(values, "deal")
    game = values.pop(index)["game"]
    expected = first(values, "deal", index, game=game)
    assert line_of(tmp_path / eventful_log.name, values) == expected + 1


def test_a_game_end_left_out_is_noticed(eventful_log: Path, tmp_path: Path) -> None:
    values = read_values(eventful_log)
    values.pop(first(values, "game"))
    assert line_of(tmp_path / eventful_log.name, values) == len(values)


@pytest.mark.parametrize("out", ["game", "match"])
def test_a_fault_with_consequences_left_out_is_noticed(
    out: str, eventful_log: Path, tmp_path: Path
) -> None:
    values = read_values(eventful_log)
    index = first(values, "fault", out=out)
    del values[index]
    line = line_of(tmp_path / eventful_log.name, values)
    assert line > index  # the first deal in which the seat was asked less than the rest
    assert values[line - 1]["type"] == "deal"


@pytest.mark.parametrize("kind", ["deal", "game", "fault"])
def test_a_line_that_stands_there_twice_is_noticed(
    kind: str, eventful_log: Path, tmp_path: Path
) -> None:
    values = read_values(eventful_log)
    index = first(values, kind)
    values.insert(index + 1, copy.deepcopy(values[index]))
    line = line_of(tmp_path / eventful_log.name, values)
    assert line == index + 2 or (kind == "fault" and line > index + 1)


def test_nothing_of_a_game_may_follow_its_end(eventful_log: Path, tmp_path: Path) -> None:
    values = read_values(eventful_log)
    end = first(values, "game")
    game = values[end]["game"]
    values.insert(end + 1, copy.deepcopy(values[first(values, "deal", game=game)]))
    assert line_of(tmp_path / eventful_log.name, values) == end + 2


def test_of_two_wrong_lines_the_first_is_named(eventful_log: Path, tmp_path: Path) -> None:
    values = read_values(eventful_log)
    for fault_at, fault in enumerate(values):
        if fault["type"] == "fault":
            after = values[fault_at + 1]
            if after["type"] == "deal" and after["game"] != fault["game"]:
                break
    else:
        pytest.fail("the log has no fault whose deal ends after another table's")
    fault["prompt"]["hand"] = ["AS"]  # is judged with its deal, after the next line
    after["points"][0] += 1
    assert line_of(tmp_path / eventful_log.name, values) == fault_at + 1
