"""A service manager tells all processes to end: no bot is charged, and the run goes on later."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from arena_runs import (
    bots_running,
    children_of,
    played_games,
    processes_with,
    start,
    thousand,
    tournament_file,
    wait_until,
)
from thousand_referee.matchlog.reader import find_logs, read_log
from thousand_referee.matchlog.records import FaultLine
from thousand_referee.voids import read_voids

BOTS = ("counter", "cautious", "random")


def faults(data: Path) -> list[FaultLine]:
    return [
        line
        for path in find_logs(data / "logs")
        for _, line in read_log(path)
        if isinstance(line, FaultLine)
    ]


def family(coordinator: int) -> list[int]:
    """Find all processes below one, children last."""
    found = children_of(coordinator, "")
    for process in tuple(found):
        found += family(process)
    return found


@pytest.mark.study
def test_when_all_processes_are_told_to_end_no_bot_is_charged(tmp_path: Path) -> None:
    file = tournament_file(tmp_path, *BOTS, blocks=2, games_per_match=2)
    calm, data = tmp_path / "calm", tmp_path / "data"
    thousand("tournament", "run", file, "--data", calm, "--jobs", "2")
    run = start("tournament", "run", file, "--data", data, "--jobs", "2")
    assert wait_until(lambda: len(bots_running(data)) >= 3)
    time.sleep(0.5)
    everybody = family(run.pid)
    assert set(bots_running(data)) <= set(everybody)
    # The bots first: the worst order.
    for process in (*reversed(everybody), run.pid):
        try:
            os.kill(process, signal.SIGTERM)
        except ProcessLookupError:
            continue
    _, errors = run.communicate(timeout=60)
    assert run.returncode == 130, errors
    assert "told to end" in errors
    assert faults(data) == []
    assert any("told to end" in void.reason for void in read_voids(data / "voids" / "t.jsonl"))
    assert wait_until(lambda: not processes_with(str(data)))
    thousand("tournament", "run", file, "--data", data, "--jobs", "2")
    assert faults(data) == []
    assert played_games(data) == played_games(calm)


@pytest.mark.study
def test_a_bot_that_is_told_alone_is_charged(tmp_path: Path) -> None:
    file = tournament_file(tmp_path, *BOTS, blocks=1)
    data = tmp_path / "data"
    run = start("tournament", "run", file, "--data", data, "--jobs", "1")
    assert wait_until(lambda: bool(bots_running(data, "bot0")))
    time.sleep(0.3)
    os.kill(bots_running(data, "bot0")[0], signal.SIGTERM)
    _, errors = run.communicate(timeout=100)
    assert run.returncode == 0, errors
    assert {(fault.kind in ("crash", "no-start")) for fault in faults(data)} == {True}
    assert all("SIGTERM" in fault.detail for fault in faults(data))
