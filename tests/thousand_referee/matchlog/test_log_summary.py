"""Summing a match up."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from log_forger import read_values
from thousand_referee.matchlog.reader import read_log
from thousand_referee.matchlog.summary import summarize


def test_a_summary_adds_up_what_the_lines_say(eventful_log: Path) -> None:
    values = read_values(eventful_log)
    summary = summarize(line for _, line in read_log(eventful_log))
    faults = [value for value in values if value["type"] == "fault"]
    deals = [value for value in values if value["type"] == "deal"]
    games = {value["game"]: value for value in values if value["type"] == "game"}
    assert summary.match == values[0]["match"]
    assert [bot.name for bot in summary.bots] == ["anna", "boris", "clara"]
    assert summary.deals == len(deals)
    assert summary.times == tuple(values[-1]["times"])
    for seat in range(3):
        kinds = [fault["kind"] for fault in faults if fault["seat"] == seat]
        assert summary.faults[seat] == {kind: kinds.count(kind) for kind in kinds}
    for game in summary.games:
        line = games[game.game]
        own = [deal for deal in deals if deal["game"] == game.game]
        assert list(game.places) == line["places"]
        assert list(game.winners) == line["winners"]
        assert list(game.out) == line["out"]
        assert game.deals == len(own)
        for seat in range(3):
            assert game.points[seat] == sum(deal["points"][seat] for deal in own)
            assert game.asked[seat] == sum(deal["asked"][seat] for deal in own)
            assert game.ms[seat] == pytest.approx(sum(deal["ms"][seat] for deal in own))
            in_game = [f for f in faults if (f["game"], f["seat"]) == (game.game, seat)]
            assert game.faults[seat] == len(in_game)


def test_games_are_in_order_whatever_the_order_of_their_lines(eventful_log: Path) -> None:
    summary = summarize(line for _, line in read_log(eventful_log))
    assert [game.game for game in summary.games] == [0, 1]


def test_a_summary_can_be_pickled(eventful_log: Path) -> None:
    summary = summarize(line for _, line in read_log(eventful_log))
    assert pickle.loads(pickle.dumps(summary)) == summary


def test_part_of_a_match_has_no_summary(clean_log: Path) -> None:
    lines = [line for _, line in read_log(clean_log)]
    games = [index for index, line in enumerate(lines) if type(line).__name__ == "GameLine"]
    for part in ([], lines[1:], lines[:-1], [*lines[: games[0]], *lines[games[0] + 1 :]]):
        with pytest.raises(ValueError, match="whole match"):
            summarize(part)
