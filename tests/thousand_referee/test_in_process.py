"""Residents: seats played in the referee's own process."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from example_loader import load_module
from match_maker import EXAMPLES, bot, match_spec
from referee_bench import short_games
from thousand.messages import Answer, Response
from thousand.player import Player
from thousand_referee.in_process import ResidentLeft
from thousand_referee.match import play_match
from thousand_referee.matchlog.verify import verify_log
from thousand_referee.spec import FaultLimits, MatchSpec

COUNTER = load_module("counter").CounterBot


class Recorder:
    """Counter as a resident that keeps what it was sent, and may fail at the third deal."""

    def __init__(self, error: Exception | None = None) -> None:
        self._player = Player(COUNTER)
        self.responses: list[Response] = []
        self.is_closed = False
        self._error = error

    async def receive(self, response: Response) -> Sequence[Answer]:
        self.responses.append(response)
        if self._error and any(prompt.view.deal == 3 for prompt in response.prompts):
            raise self._error
        return list(self._player.receive(response))

    async def close(self) -> None:
        self.is_closed = True


def spec_of(folder: Path, name: str, games: int = 2, restarts: int = 2) -> MatchSpec:
    bots = [bot(EXAMPLES / each) for each in ("counter", "cautious", "random")]
    faults = FaultLimits(restarts=restarts)
    return match_spec(folder, *bots, name=name, games=games, tables=2, faults=faults)


def test_a_resident_plays_as_its_process_would(tmp_path: Path) -> None:
    with short_games(6):
        process = play_match(spec_of(tmp_path, "process"))
        resident = Recorder()
        here = play_match(spec_of(tmp_path, "here"), {0: resident})
    assert [game.scores for game in here.games] == [game.scores for game in process.games]
    assert here.faults == ({}, {}, {})
    assert resident.responses[0].welcome is not None
    assert resident.responses[-1].goodbye is not None
    assert resident.is_closed


def test_a_match_of_residents_alone(tmp_path: Path) -> None:
    residents = {seat: Recorder() for seat in range(3)}
    summary = play_match(spec_of(tmp_path, "alone"), residents)
    assert summary.faults == ({}, {}, {})
    verify_log(tmp_path / "logs" / "alone.jsonl.gz")


def test_a_resident_that_leaves_is_out_and_the_match_goes_on(tmp_path: Path) -> None:
    resident = Recorder(ResidentLeft("it had enough"))
    summary = play_match(spec_of(tmp_path, "left", restarts=0), {0: resident})
    assert summary.faults == ({"crash": 1}, {}, {})
    assert [game.places[0] for game in summary.games] == [3, 3]
    assert resident.is_closed
    verify_log(tmp_path / "logs" / "left.jsonl.gz")


def test_a_resident_that_fails_makes_the_match_void(tmp_path: Path) -> None:
    resident = Recorder(KeyError("a bug"))
    with pytest.raises(KeyError, match="a bug"):
        play_match(spec_of(tmp_path, "bug"), {0: resident})
    assert resident.is_closed
    assert list((tmp_path / "logs").iterdir()) == []
