"""Whole tournaments by the real command: repeatable, resumable, unharmed by kill -9."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from arena_runs import (
    EXAMPLE_BOTS,
    REPOSITORY,
    bots_running,
    children_of,
    has_begun,
    played_games,
    processes_with,
    start,
    thousand,
    tournament_file,
    unfinished_logs,
    wait_until,
)

KILLS = 10


def standings_of(data: Path, tournament: str = "t") -> dict[str, Any]:
    """Give the standings' figures but for decision times, which no two runs share."""
    figures: dict[str, Any] = json.loads(
        thousand("standings", tournament, "--data", data, "--json").stdout
    )
    for row in figures["rows"]:
        for key in ("time_median_ms", "time_p99_ms", "time_worst_ms"):
            del row[key]
    return figures


@pytest.fixture
def bots(tmp_path: Path) -> list[Path]:
    """Three bots in folders of this test's own, so that their processes can be found."""
    return copy_bots(tmp_path)


def copy_bots(folder: Path) -> list[Path]:
    return [
        Path(shutil.copytree(EXAMPLE_BOTS / name, folder / "bots" / name))
        for name in ("counter", "cautious", "random")
    ]


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[Any, Any], dict[str, Any]]:
    """The games and the standings of a run that nobody disturbs."""
    folder = tmp_path_factory.mktemp("undisturbed")
    file = tournament_file(folder, *copy_bots(folder), blocks=1)
    thousand("tournament", "run", file, "--data", folder / "data", "--jobs", "2")
    return played_games(folder / "data"), standings_of(folder / "data")


def test_smoke_repeats_card_for_card_at_any_concurrency(tmp_path: Path) -> None:
    text = (REPOSITORY / "tournaments/smoke.toml").read_text()
    text = text.replace("../example_bots", str(copy_bots(tmp_path)[0].parent))
    text = re.sub(r"(?m)^blocks = \d+", "blocks = 2", text)
    outcomes = []
    for tables, jobs in ((1, 1), (16, 2)):
        file = tmp_path / f"smoke-{tables}.toml"
        file.write_text(re.sub(r"(?m)^tables = \d+", f"tables = {tables}", text))
        data = tmp_path / f"data-{tables}"
        thousand("tournament", "run", file, "--data", data, "--jobs", str(jobs))
        outcomes.append((played_games(data), standings_of(data, "smoke")))
    assert len(outcomes[0][0]) == 12
    assert outcomes[0] == outcomes[1]


@pytest.mark.study
def test_a_coordinator_killed_again_and_again_loses_and_doubles_nothing(
    tmp_path: Path, bots: list[Path], undisturbed: tuple[Any, Any]
) -> None:
    file, data = tournament_file(tmp_path, *bots, blocks=1), tmp_path / "data"
    chance = random.Random(1)
    for _ in range(KILLS):
        run = start("tournament", "run", file, "--data", data, "--jobs", "2")
        time.sleep(chance.uniform(0.3, 2.0))
        run.kill()
        run.communicate()
        assert wait_until(lambda: not processes_with(str(tmp_path)))
    thousand("tournament", "run", file, "--data", data, "--jobs", "2")
    assert (played_games(data), standings_of(data)) == undisturbed
    assert not unfinished_logs(data), "an unfinished log was left"


@pytest.mark.study
def test_killed_match_processes_are_played_again(
    tmp_path: Path, bots: list[Path], undisturbed: tuple[Any, Any]
) -> None:
    file, data = tournament_file(tmp_path, *bots, blocks=1), tmp_path / "data"
    run = start("tournament", "run", file, "--data", data, "--jobs", "2")
    chance = random.Random(2)
    killed = 0
    while run.poll() is None:
        time.sleep(chance.uniform(0.2, 1.5))
        workers = children_of(run.pid, "spawn_main")
        if workers and killed < KILLS:
            os.kill(chance.choice(workers), signal.SIGKILL)
            killed += 1
    _, errors = run.communicate()
    assert run.returncode == 0, errors
    assert killed >= 3
    assert "will be played again" in errors
    assert (played_games(data), standings_of(data)) == undisturbed
    assert wait_until(lambda: not processes_with(str(tmp_path)))


@pytest.mark.study
def test_killed_bots_cost_their_own_faults_and_no_game(
    tmp_path: Path, bots: list[Path], undisturbed: tuple[Any, Any]
) -> None:
    file, data = tournament_file(tmp_path, *bots, blocks=1), tmp_path / "data"
    run = start("tournament", "run", file, "--data", data, "--jobs", "2", "--json")
    chance = random.Random(3)
    killed = 0
    while run.poll() is None:
        time.sleep(chance.uniform(0.2, 0.8))
        victims = bots_running(data, "bot0")
        if victims and killed < KILLS:
            os.kill(chance.choice(victims), signal.SIGKILL)
            killed += 1
    output, errors = run.communicate()
    assert run.returncode == 0, errors
    assert killed >= 3
    assert played_games(data).keys() == undisturbed[0].keys()
    faults = {row["name"]: row["faults"] for row in json.loads(output)["rows"]}
    assert faults["bot0"] > 0
    assert faults["bot1"] == faults["bot2"] == 0
    assert wait_until(lambda: not processes_with(str(tmp_path)))


def test_ctrl_c_drains_and_a_second_one_stops_at_once(tmp_path: Path, bots: list[Path]) -> None:
    file, data = tournament_file(tmp_path, *bots, blocks=4, games_per_match=2), tmp_path / "data"
    arguments = ("tournament", "run", file, "--data", data, "--jobs", "1")
    run = start(*arguments)
    assert wait_until(lambda: has_begun(data))
    run.send_signal(signal.SIGINT)
    _, errors = run.communicate(timeout=60)
    assert run.returncode == 130
    assert "finishing the matches under way" in errors
    assert "run the same command again" in errors
    assert len(played_games(data)) == 2
    run = start(*arguments)
    assert wait_until(lambda: has_begun(data))
    run.send_signal(signal.SIGINT)
    time.sleep(0.2)
    began = time.monotonic()
    run.send_signal(signal.SIGINT)
    _, errors = run.communicate(timeout=60)
    assert run.returncode == 130
    assert time.monotonic() - began < 3
    assert "stopped at once" in errors
    assert wait_until(lambda: not processes_with(str(tmp_path)))
    assert len(played_games(data)) == 2


def test_two_coordinators_on_one_tournament_the_second_is_refused(
    tmp_path: Path, bots: list[Path]
) -> None:
    file, data = tournament_file(tmp_path, *bots, blocks=40), tmp_path / "data"
    run = start("tournament", "run", file, "--data", data)
    try:
        assert wait_until(lambda: bool(unfinished_logs(data)))
        second = thousand("tournament", "run", file, "--data", data, check=False)
        assert second.returncode == 1
        assert f"process {run.pid}" in second.stderr
        assert len(second.stderr.strip().splitlines()) == 1
    finally:
        run.kill()
        run.communicate()


def test_single_matches_lie_beside_the_tournaments(tmp_path: Path, bots: list[Path]) -> None:
    data = tmp_path / "data"
    match = ("match", *bots, "--games", "2", "--seed", "7", "--data", data, "--json")
    first, second = (json.loads(thousand(*match).stdout) for _ in range(2))
    for result in (first, second):
        for key in ("match", "started", "times", "lag_ms"):
            del result[key]
        for game in result["games"]:
            del game["ms"]
    assert first == second, "the same seed gives the same match"
    assert "0 matches" in thousand("store", "rebuild", "--data", data).stdout
    assert "2 logs verified, 0 wrong" in thousand("log", "verify", "--data", data).stdout
