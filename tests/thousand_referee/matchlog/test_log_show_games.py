"""Which games and deals ``thousand log show`` tells, in which order, and how they are called."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from log_forger import read_values, write_values
from log_maker import LogMaker
from quick_commands import quick, quick_refusal
from thousand.cards import Card
from thousand.view import Trick
from thousand_referee.data_folder import DataFolder
from thousand_referee.errors import LogError
from thousand_referee.matchlog.show import show_match
from thousand_referee.matchlog.telling_view import ViewTeller

MATCH = LogMaker().match


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a match whose games ended in another order than they began."""
    folder = DataFolder.open(tmp_path_factory.mktemp("shown"), create=True)
    path = LogMaker(games=3, tables=1, seed=3).make(folder.logs / "test")
    values = read_values(path)
    moved = [value for value in values if value.get("game") == 0]
    rest = [value for value in values if value.get("game") != 0]
    write_values(path, [*rest[:-1], *moved, rest[-1]], forged=True)
    return folder.path


def test_games_are_told_by_their_numbers(data: Path) -> None:
    _, told, _ = quick("log", "show", MATCH, "--data", data)
    assert [line[:7] for line in told.splitlines()[2:]] == ["Game 0,", "Game 1,", "Game 2,"]


def test_games_of_a_log_that_breaks_off_are_told_before_the_error(
    data: Path, tmp_path: Path
) -> None:
    whole = gzip.decompress((data / "logs" / "test" / f"{MATCH}.jsonl.gz").read_bytes())
    path = tmp_path / "cut.jsonl"
    path.write_bytes(b"".join(whole.splitlines(keepends=True)[:-1]))
    told: list[str] = []
    with pytest.raises(LogError, match="cut after line"):
        told.extend(show_match(path))
    assert [line[:7] for line in told[2:]] == ["Game 0,", "Game 1,", "Game 2,"]


def test_a_game_is_named_behind_its_match(data: Path) -> None:
    named = quick("log", "show", f"{MATCH}/1", "--data", data)
    assert named == quick("log", "show", MATCH, "--game", "1", "--data", data)
    assert "Game 1, block 1" in named[1]
    status, _, errors = quick("log", "show", f"{MATCH}/1", "--game", "2", "--data", data)
    assert status == 2
    assert "given twice" in errors


@pytest.mark.parametrize("what", [("--game", "99"), ("--game", "1", "--deal", "99")])
def test_nothing_is_printed_of_what_is_not_there(data: Path, what: tuple[str, ...]) -> None:
    assert "99" in quick_refusal("log", "show", MATCH, *what, "--data", data)


def test_marks_are_explained_and_who_announces_is_named(data: Path) -> None:
    _, told, _ = quick("log", "show", f"{MATCH}/0", "--data", data)
    assert told.splitlines()[4] == "* takes the trick; the number is its points"
    assert any(f"{name} announces ♥ (100)" in told for name in ("anna", "boris", "clara"))


def test_in_play_one_announces_oneself() -> None:
    teller = ViewTeller(("you", "ann", "bob"), you=0)
    cards = tuple(map(Card.parse, ("KD", "9D", "JD")))
    (mine,) = teller.tricks([Trick(0, cards, True)])
    (theirs,) = teller.tricks([Trick(1, cards, True)])
    assert mine.plain.endswith(", you announce ♦ (80)")
    assert theirs.plain.endswith(", ann announces ♦ (80)")


def test_a_folder_without_logs_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("THOUSAND_DATA", raising=False)
    for command in (("log", "list"), ("standings",)):
        line = quick_refusal(*command)
        assert line.endswith(
            f"{tmp_path}/arena-data: no such folder; run it in the folder where you ran the "
            "tournament, or use --data"
        )
    DataFolder.open(Path("arena-data"), create=True)
    assert quick("log", "list")[1] == f"no match logs in {tmp_path}/arena-data\n"
