"""An arena server whose matches are played by a cluster that goes and comes back."""

from __future__ import annotations

import re
import socket
import time
from pathlib import Path

import pytest

from arena_runs import played_games, thousand, wait_until
from arena_server import arena_server, bot_folder, open_tournament
from dask_cluster import Cluster
from thousand.v1 import arena_pb2 as pb
from thousand_referee.errors import ConfigError
from thousand_referee.service.config import read_config

pytest.importorskip("distributed")
pytestmark = pytest.mark.study


def test_a_server_outlives_its_cluster(tmp_path: Path) -> None:
    cluster = Cluster(tmp_path / "cluster")
    file = open_tournament(tmp_path, "cautious", "random", "counter")
    settings = f'dask = "{cluster.address}"'
    with arena_server(tmp_path, tournaments=(file,), extra=settings) as server:
        server.add_user("anna")
        try:
            cluster.add_worker()
            server.start()
            with server.client("anna") as client:

                def now() -> pb.Tournament:
                    request = pb.GetTournamentRequest(tournament="open")
                    found: pb.Tournament = client.call("GetTournament", request).tournament
                    return found

                assert wait_until(lambda: now().games == 6, 60)
                # While nothing is played; Dask gives up after 20 s.
                cluster.stop()
                time.sleep(23)
                server.add_version("anna", bot_folder(tmp_path, "ace"))
                client.call("EnterBot", pb.EnterBotRequest(tournament="open", bot="ace"))
                assert wait_until(lambda: "Dask" in now().trouble, 60)
                cluster = Cluster(tmp_path / "again", re.sub(r".*:", "", cluster.address))
                cluster.add_worker()
                assert wait_until(lambda: now().games == 12, 120)
                assert now().trouble == ""
            assert server.stop() == 0
            assert "Traceback" not in server.log
        finally:
            cluster.stop()
    assert len(played_games(server.data)) == 12


def test_a_server_that_can_not_start_ends(tmp_path: Path) -> None:
    """Although it was connected to the cluster already."""
    cluster = Cluster(tmp_path / "cluster")
    try:
        cluster.add_worker()
        with socket.create_server(("127.0.0.1", 0)) as taken:
            settings = tmp_path / "server.toml"
            settings.write_text(
                f'data = "data"\ndask = "{cluster.address}"\nlisten = "127.0.0.1:0"\n'
                f'http = "127.0.0.1:{taken.getsockname()[1]}"\n'
            )
            failed = thousand("serve", "--config", settings, check=False)
        assert failed.returncode == 1
        assert "error: http: can't use" in failed.stderr
    finally:
        cluster.stop()


def test_a_cluster_that_is_not_there(tmp_path: Path) -> None:
    from thousand_referee.service.server import serve

    settings = tmp_path / "server.toml"
    settings.write_text('data = "data"\ndask = "tcp://127.0.0.1:1"\n')
    with pytest.raises(
        ConfigError, match=r"dask: no Dask scheduler answers at 'tcp://127.0.0.1:1'"
    ):
        serve(read_config(settings), lambda _listen, _http: None)
