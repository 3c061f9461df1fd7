"""All logs of a tournament verified, few in this process and many in several."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from log_maker import TOURNAMENT_SEED, LogMaker
from thousand_referee.audit import log_check
from thousand_referee.audit.log_check import check_logs, logs_without_match
from thousand_referee.matchlog.reader import read_log
from thousand_referee.matchlog.records import MatchLine
from thousand_referee.matchlog.summary import MatchSummary, summarize
from thousand_referee.store.match_records import MatchRecord, figures_of


def record_of(summary: MatchSummary, log: str) -> MatchRecord:
    first, second, third = (bot.name for bot in summary.bots)
    return MatchRecord(
        match=summary.match,
        bots=(first, second, third),
        lag_ms=summary.lag_ms,
        faults=summary.faults,
        times=summary.times,
        log=log,
        games=figures_of(summary),
    )


def make_records(folder: Path, count: int) -> list[MatchRecord]:
    """Play so many matches of a game each, and give what the store should have of them."""
    records = []
    for block in range(count):
        path = LogMaker(first_block=block, games=1, seed=block).make(folder / "test")
        summary = summarize(line for _, line in read_log(path))
        records.append(record_of(summary, f"test/{path.name}"))
    return records


@pytest.mark.parametrize("few", [3, 2], ids=["in this process", "in several"])
def test_what_is_wrong_is_told_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    monkeypatch.setattr(log_check, "_FEW", few)
    records = make_records(tmp_path, 3)
    assert list(check_logs(records, tmp_path, TOURNAMENT_SEED)) == []
    broken = tmp_path / records[1].log
    broken.write_bytes(broken.read_bytes()[:-20])
    records[2] = replace(records[2], games=((0,) * 17,))
    wrong = list(check_logs(records, tmp_path, TOURNAMENT_SEED))
    assert len(wrong) == 2
    assert records[1].log in wrong[0]
    assert records[2].log in wrong[1]
    assert "other figures" in wrong[1]


def test_other_limits_than_the_tournaments_are_wrong(tmp_path: Path) -> None:
    records = make_records(tmp_path, 1)
    header = next(read_log(tmp_path / records[0].log))[1]
    assert isinstance(header, MatchLine)
    config = {
        "time": msgspec.to_builtins(header.time),
        "faults": msgspec.to_builtins(header.faults),
    }
    assert list(check_logs(records, tmp_path, TOURNAMENT_SEED, config)) == []
    config["time"]["move_ms"] += 1
    config["faults"]["restarts"] = 7
    (problem,) = check_logs(records, tmp_path, TOURNAMENT_SEED, config)
    assert f"time.move_ms {header.time.move_ms} instead of {header.time.move_ms + 1}" in problem
    assert "faults.restarts" in problem


def test_cards_of_another_seed_are_wrong(tmp_path: Path) -> None:
    (problem,) = check_logs(make_records(tmp_path, 1), tmp_path, "another seed")
    assert "seed" in problem


def test_logs_of_no_match_are_found(tmp_path: Path) -> None:
    records = make_records(tmp_path, 2)
    assert logs_without_match(records, tmp_path / "test") == []
    assert logs_without_match(records[1:], tmp_path / "test") == [Path(records[0].log).name]
