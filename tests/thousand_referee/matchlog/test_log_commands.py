"""``thousand log`` as people and scripts call it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from log_forger import read_values, write_values
from log_maker import TOURNAMENT_SEED, LogMaker
from thousand_referee.cli.log import log
from thousand_referee.data_folder import DataFolder
from thousand_referee.errors import DataError, LogError

FIRST = LogMaker(games=1).match
SECOND = LogMaker(games=1, first_block=1).match


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with two finished logs and a running one."""
    path = tmp_path_factory.mktemp("data")
    folder = DataFolder.open(path, create=True)
    finished = LogMaker(games=1).make(folder.logs / "test")
    LogMaker(games=1, first_block=1).make(folder.logs / "test")
    running = folder.logs / "other" / "running.jsonl"
    running.parent.mkdir()
    running.write_bytes(b"".join(gzip.decompress(finished.read_bytes()).splitlines(True)[:9]))
    return path


def call(*words: str | Path) -> Result:
    return CliRunner().invoke(log, list(map(str, words)))


def error_of(*words: str | Path) -> str:
    result = call(*words)
    assert isinstance(result.exception, DataError)
    return str(result.exception)


def test_the_list_names_every_log(data: Path) -> None:
    header, running, first, second = call("list", "--data", data).output.splitlines()
    assert header.split() == ["match", "bots", "games", "deals", "faults", "size"]
    assert running.split()[0] == FIRST
    assert running.endswith("unfinished")
    assert "anna, boris, clara" in first
    assert [first.split()[0], second.split()[0]] == [FIRST, SECOND]


def test_the_list_of_one_tournament(data: Path) -> None:
    none = call("list", "--data", data, "--tournament", "none").output
    assert none == "no match logs in tournament 'none'\n"
    assert len(call("list", "--data", data, "--tournament", "test").output.splitlines()) == 4


def test_the_list_as_json(data: Path) -> None:
    listed = json.loads(call("list", "--data", data, "--json").output)
    assert [each["match"] for each in listed] == [FIRST, FIRST, SECOND]
    assert [each["problem"] for each in listed] == ["the log is cut after line 9", None, None]


def test_showing_by_path_and_by_id(data: Path) -> None:
    by_id = call("show", FIRST, "--data", data)
    assert by_id.exit_code == 0
    assert by_id.output.splitlines()[2].startswith("Game 0, block 0, ")
    path = data / "logs" / "test" / f"{FIRST}.jsonl.gz"
    assert call("show", path).output == by_id.output
    assert call("show", FIRST[:-1], "--data", data).output == by_id.output


def test_showing_a_game_and_a_deal(data: Path) -> None:
    game = call("show", FIRST, "--game", "0", "--data", data).output
    deal = call("show", FIRST, "--game", "0", "--deal", "2", "--data", data).output
    assert "Deal 1, dealt by anna" in game
    assert "\x1b" not in game
    assert "Deal 2, dealt by boris" in deal
    assert "Deal 1," not in deal


def test_a_log_that_is_not_clear(data: Path) -> None:
    assert f"2 matches begin with 'test', {FIRST} and" in error_of("show", "test", "--data", data)
    assert "no log of a match 'x'; `thousand log list`" in error_of("show", "x", "--data", data)
    assert "No such file" in error_of("show", "missing.jsonl.gz")
    assert "no such folder" in error_of("show", "x", "--data", data / "nowhere")


def test_a_deal_of_no_game_is_a_misuse(data: Path) -> None:
    result = call("show", FIRST, "--deal", "1", "--data", data)
    assert result.exit_code == 2
    assert "--deal needs --game" in result.output


def test_verifying_all_logs(data: Path) -> None:
    result = call("verify", "--data", data, "--seed", TOURNAMENT_SEED)
    assert result.exit_code == 0
    assert result.output == "2 logs verified, 0 wrong; 1 unfinished not looked at\n"


def test_verifying_names_what_is_wrong(data: Path, tmp_path: Path) -> None:
    values = read_values(data / "logs" / "test" / f"{FIRST}.jsonl.gz")
    values[3]["scores"][1] += 5
    path = write_values(tmp_path / f"{FIRST}.jsonl.gz", values, forged=True)
    result = call("verify", path, SECOND, "--data", data)
    assert result.exit_code == 1
    wrong, total = result.output.splitlines()
    assert wrong.startswith(f"{path}:4: scores[1] is ")
    assert total == "2 logs verified, 1 wrong"


def test_verifying_as_json(data: Path) -> None:
    result = call("verify", "--data", data, "--seed", "another", "--json")
    assert result.exit_code == 1
    outcome = json.loads(result.output)
    assert (outcome["verified"], outcome["unfinished"]) == (2, 1)
    assert [each["line"] for each in outcome["wrong"]] == [1, 1]


def test_a_broken_log_is_listed_and_its_showing_fails(tmp_path: Path) -> None:
    folder = DataFolder.open(tmp_path, create=True)
    (folder.logs / "x.jsonl.gz").write_bytes(b"\x1b[31m")
    assert "broken: the compressed file is damaged" in call("list", "--data", tmp_path).output
    assert isinstance(call("show", "x", "--data", tmp_path).exception, LogError)
