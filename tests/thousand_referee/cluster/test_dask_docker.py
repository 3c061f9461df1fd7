"""Bots locked in containers on a cluster's workers, which offer Docker as a resource."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena_runs import played_games, thousand, tournament_file
from dask_cluster import Cluster
from docker_bench import BASE_IMAGE, needs_docker

pytest.importorskip("distributed")
pytestmark = [pytest.mark.study]
__all__ = ["needs_docker"]


@pytest.fixture
def worker_with_docker(tmp_path: Path) -> Iterator[Cluster]:
    cluster = Cluster(tmp_path)
    try:
        cluster.add_worker("--resources", "docker=1")
        yield cluster
    finally:
        cluster.stop()


@pytest.mark.usefixtures("needs_docker")
def test_a_workers_containers_play_the_games_of_local_processes(
    tmp_path: Path, worker_with_docker: Cluster
) -> None:
    bots = ("cautious", "cautious", "counter")
    local, remote = tmp_path / "local", tmp_path / "remote"
    local.mkdir()
    remote.mkdir()
    settings = f'[sandbox]\nkind = "docker"\nbase_image = "{BASE_IMAGE}"'
    thousand("tournament", "run", tournament_file(local, *bots, blocks=1), "--data", local / "data")
    thousand(
        *("tournament", "run", tournament_file(remote, *bots, blocks=1, extra=settings)),
        *("--data", remote / "data"),
        *("--executor", "dask", "--scheduler", worker_with_docker.address),
    )
    assert played_games(remote / "data") == played_games(local / "data")
