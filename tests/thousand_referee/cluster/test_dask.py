"""Matches on a real Dask cluster: a scheduler and workers in processes of their own."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena_runs import (
    finished_logs,
    played_games,
    start,
    thousand,
    tournament_file,
    wait_until,
)
from dask_cluster import Cluster
from match_maker import EXAMPLES, bot, match_spec
from thousand_referee.bots import read_bot
from thousand_referee.errors import BotChanged, ConfigError, MatchVoid, RefereeError
from thousand_referee.match import play_match
from thousand_referee.matchlog.summary import MatchSummary
from thousand_referee.spec import MatchSpec

pytest.importorskip("distributed")
pytestmark = [
    pytest.mark.study,
    # Tornado and Dask leave sockets to the garbage collector when a client is closed.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(scope="module")
def cluster_of_four(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    cluster = Cluster(tmp_path_factory.mktemp("dask"))
    try:
        for _ in range(4):
            cluster.add_worker()
        yield cluster
    finally:
        cluster.stop()


def figures(output: str) -> dict[str, Any]:
    """Give the standings but for decision times, which no two runs share."""
    found: dict[str, Any] = json.loads(output)
    for row in found["rows"]:
        for key in ("time_median_ms", "time_p99_ms", "time_worst_ms"):
            del row[key]
    return found


def example_spec(folder: Path, name: str = "m") -> MatchSpec:
    bots = [bot(EXAMPLES / each) for each in ("random", "random", "cautious")]
    return match_spec(folder, *bots, name=name)


def test_equal_matches_are_played_each_on_its_own(cluster_of_four: Cluster, tmp_path: Path) -> None:
    from thousand_referee.cluster.executor import cluster

    bots = [read_bot(EXAMPLES / name) for name in ("random", "cautious")]
    specs = [example_spec(tmp_path / name) for name in ("a", "b")]
    assert wait_until(lambda: _slots(cluster_of_four) == 4, 30)
    with cluster(cluster_of_four.address) as executor:
        summaries: list[MatchSummary] = [
            each.result(timeout=60)
            for each in [executor.submit(play_match, spec) for spec in specs]
        ]
        assert summaries[0].times != summaries[1].times
        for spec in specs:
            assert (Path(spec.log_dir) / "m.jsonl.gz").exists()
        with pytest.raises(TypeError, match="plays matches only"):
            executor.submit(print, specs[0])
        # A bundle that isn't what it should be
        random, cautious = (each.version for each in bots)
        executor._bundles[random] = ("0" * 64, executor._bundles[cautious][1])
        stranger = executor.submit(play_match, msgspec.structs.replace(specs[0], match="x"))
        with pytest.raises(MatchVoid, match="holds another one"):
            stranger.result(timeout=60)
        # Files that aren't those of the version
        changed = msgspec.structs.replace(specs[0].bots[0], version="0" * 16)
        spec = msgspec.structs.replace(specs[0], bots=(changed, *specs[0].bots[1:]))
        with pytest.raises(BotChanged, match="entered as version 0000000000000000"):
            executor.submit(play_match, spec).result(timeout=60)
    assert not list(tmp_path.rglob(".m*"))


def _slots(running: Cluster) -> int:
    from thousand_referee.cluster.executor import cluster

    try:
        with cluster(running.address, wait_seconds=0) as executor:
            return executor.slots
    except ConfigError:
        return 0


def test_a_resource_that_nobody_offers_is_not_waited_for(
    cluster_of_four: Cluster, tmp_path: Path
) -> None:
    from distributed import Client

    from thousand_referee.cluster.executor import DaskExecutor, cluster

    refusal = r"has no worker that offers 'docker' as a resource yet; start one: dask worker tcp"
    with (
        pytest.raises(ConfigError, match=refusal),
        cluster(cluster_of_four.address, needs_docker=True, wait_seconds=0),
    ):
        pass
    client = Client(cluster_of_four.address, set_as_default=False)  # type: ignore[no-untyped-call]
    executor = DaskExecutor(client, needs_docker=True, patience_seconds=0.2)
    waiting = executor.submit(play_match, example_spec(tmp_path))
    with pytest.raises(RefereeError, match="no worker that offers 'docker' as a resource for 0 s"):
        waiting.result(timeout=30)
    executor.shutdown(cancel_futures=True)
    client.close()  # type: ignore[no-untyped-call]


def test_a_scheduler_that_is_not_there(tmp_path: Path) -> None:
    file = tournament_file(tmp_path, "random", "random", "random")
    run = ("tournament", "run", file, "--data", tmp_path / "data", "--executor", "dask")
    without = thousand(*run, check=False)
    assert without.returncode == 2
    assert "go together" in without.stderr
    wrong = thousand(*run, "--scheduler", "tcp://127.0.0.1:1", check=False)
    assert wrong.returncode == 1
    assert "no Dask scheduler answers at 'tcp://127.0.0.1:1'" in wrong.stderr
    assert len(wrong.stderr.splitlines()) == 1


@pytest.mark.parametrize("address", ["", "x", "nowhere://x:1", "tcp://x", "tcp://:1", "tcp://x:y"])
def test_what_is_no_address(address: str) -> None:
    from thousand_referee.cluster.executor import cluster

    with pytest.raises(ConfigError, match="no Dask scheduler answers"), cluster(address):
        pass


@pytest.mark.timeout(300)
def test_workers_come_and_go_and_nothing_changes(cluster_of_four: Cluster, tmp_path: Path) -> None:
    """One is killed in the middle of a match, and one is added."""
    file = tournament_file(tmp_path, "counter", "cautious", "random", blocks=1)
    here = thousand("tournament", "run", file, "--data", tmp_path / "here", "--jobs", "2", "--json")
    assert wait_until(lambda: _slots(cluster_of_four) == 4, 30)
    run = start(
        *("tournament", "run", file, "--data", tmp_path / "there", "--json", "--jobs", "6"),
        *("--executor", "dask", "--scheduler", cluster_of_four.address),
    )
    try:
        assert wait_until(lambda: bool(finished_logs(tmp_path / "there")), 60)
        time.sleep(0.3)
        cluster_of_four.workers[0].kill()
        cluster_of_four.add_worker()
        output, errors = run.communicate(timeout=200)
    finally:
        run.kill()
        run.wait()
    assert run.returncode == 0, errors
    assert "Traceback" not in errors
    assert played_games(tmp_path / "there") == played_games(tmp_path / "here")
    assert figures(output) == figures(here.stdout)
    verified = thousand("log", "verify", "--data", tmp_path / "there")
    assert "6 logs verified, 0 wrong" in verified.stdout
