"""Logs as people see them."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from rich.text import Text

from log_forger import read_values, write_values
from log_maker import GOLDEN, LogMaker
from thousand_referee.errors import LogError
from thousand_referee.matchlog.describe import describe_log
from thousand_referee.matchlog.show import show_game, show_match


@pytest.fixture(scope="module")
def golden() -> Path:
    (path,) = GOLDEN.glob("*.jsonl.gz")
    return path


def test_the_golden_log_is_shown_as_ever(golden: Path) -> None:
    """After a wanted change, run `log_maker.py` and read the difference."""
    shown = "\n".join([*show_match(golden), "", *show_game(golden, 0), ""])
    snapshot = golden.with_name(golden.name.replace(".jsonl.gz", ".txt"))
    assert shown == snapshot.read_text(encoding="utf-8")


def test_nothing_a_stranger_wrote_reaches_the_terminal(tmp_path: Path) -> None:
    nasty = "\x1b]0;title\x07\u202egnp\u2066\r\n\x9b31m[red]x"
    path = LogMaker(games=1, fault_rate=0.05).make(tmp_path)
    values = read_values(path)
    values[0]["bots"][1]["name"] = values[0]["started"] = values[0]["tournament"] = nasty
    for value in values:
        if value["type"] == "fault":
            value["detail"] = value["answer"] = value["action"] = value["kind"] = nasty
    path = write_values(path, values, forged=True)
    shown = [*show_match(path), *show_game(path, 0)]
    assert all(line.isprintable() for line in shown)
    assert any("\\x1b]0;title\\x07\\u202egnp\\u2066\\r\\n\\x9b31m[red]x" in line for line in shown)


def test_one_deal_is_shown_with_the_scores_before_it(golden: Path) -> None:
    whole = list(show_game(golden, 0))
    start = next(index for index, line in enumerate(whole) if line.startswith("Deal 18,"))
    one = list(show_game(golden, 0, 18))
    assert one[:6] == whole[:6]
    assert one[6:] == whole[start : start + len(one) - 6]
    assert "880 (on the barrel, 0 of 3 used)" in one[7]


def test_colors_only_add_escape_sequences(golden: Path) -> None:
    colored = list(show_game(golden, 0, color=True))
    plain = list(show_game(golden, 0))
    assert [Text.from_ansi(line).plain for line in colored] == [line.rstrip() for line in plain]
    assert any("\x1b[31m♥\x1b[0m" in line for line in colored)


@pytest.mark.parametrize(("game", "deal"), [(1, None), (-1, None), (0, 0), (0, 20)])
def test_what_is_not_there_is_not_shown(golden: Path, game: int, deal: int | None) -> None:
    with pytest.raises(LogError, match=r"there is no game|has no deal"):
        list(show_game(golden, game, deal))


@pytest.mark.parametrize(
    ("key", "value"),
    [("dealer", 7), ("dealer", -1), ("declarer", 9), ("talon", ["XX"]), ("bids", [[5, 100]])],
)
def test_a_deal_that_makes_no_sense_is_named(
    key: str, value: object, golden: Path, tmp_path: Path
) -> None:
    values = read_values(golden)
    index = next(index for index, each in enumerate(values) if each["type"] == "deal")
    values[index][key] = value
    with pytest.raises(LogError, match="can't be shown") as caught:
        list(show_game(write_values(tmp_path / golden.name, values, forged=True), 0))
    assert caught.value.line == index + 1


def test_a_running_match_is_shown_as_far_as_it_is(clean_log: Path, tmp_path: Path) -> None:
    path = cut(clean_log, tmp_path / "running.jsonl", lines=3)
    told: list[str] = []
    with pytest.raises(LogError, match="cut after line 3"):
        told.extend(show_game(path, 0))
    assert any(line.startswith("Deal 2,") for line in told)


def cut(log: Path, path: Path, *, lines: int) -> Path:
    whole = gzip.decompress(log.read_bytes()).splitlines(keepends=True)
    path.write_bytes(b"".join(whole[:lines]))
    return path


def test_a_description_of_a_whole_log(eventful_log: Path) -> None:
    values = read_values(eventful_log)
    described = describe_log(eventful_log)
    assert described.match == values[0]["match"]
    assert described.names == ("anna", "boris", "clara")
    assert (described.games, described.games_planned) == (2, 2)
    assert described.deals == sum(value["type"] == "deal" for value in values)
    assert described.faults == sum(value["type"] == "fault" for value in values)
    assert described.size == eventful_log.stat().st_size
    assert described.is_complete
    assert not described.is_running


def test_a_description_of_a_running_log(clean_log: Path, tmp_path: Path) -> None:
    described = describe_log(cut(clean_log, tmp_path / "running.jsonl", lines=4))
    assert (described.games, described.games_planned, described.deals) == (0, 2, 3)
    assert described.problem == "the log is cut after line 4"
    assert described.is_running


def test_a_description_of_a_log_that_can_not_be_read(tmp_path: Path) -> None:
    path = tmp_path / "demo" / "x.jsonl.gz"
    path.parent.mkdir()
    path.write_bytes(b"?")
    described = describe_log(path)
    assert (described.match, described.tournament, described.names) == ("x", "demo", ())
    assert "damaged" in (described.problem or "")
