from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest

from arena_runs import wait_until
from arena_server import arena_server
from thousand.v1 import arena_pb2 as pb
from thousand_referee.errors import TooMuch
from thousand_referee.service.api import MOST_WATCHES
from thousand_referee.service.at_once import AtOnce
from thousand_referee.submitted import Role, User


def test_so_many_at_the_same_time() -> None:
    limit = AtOnce(2, "calls are open")
    anna, boris = (User(name, Role.AUTHOR, "", None) for name in ("anna", "boris"))
    with limit.one_more(anna):
        with (
            limit.one_more(anna),
            pytest.raises(TooMuch, match="2 of your calls are open already"),
        ):
            limit.one_more(anna).__enter__()
        with limit.one_more(anna), limit.one_more(boris):
            pass


def test_watchers_of_one_author(tmp_path: Path) -> None:
    """Those who hang up make room for others."""
    file = tmp_path / "cup.toml"  # it waits for its start, so it is never complete
    file.write_text('name = "cup"\naccepts_entries = true\nblocks = 1\n')
    request = pb.WatchTournamentRequest(tournament="cup")
    with arena_server(tmp_path, tournaments=(file,)) as server:
        for name in ("anna", "boris"):
            server.add_user(name)
        server.start()
        with ExitStack() as clients:
            anna = clients.enter_context(server.client("anna"))
            boris = clients.enter_context(server.client("boris"))
            watching = [anna.stream("WatchTournament", request) for _ in range(MOST_WATCHES)]
            for stream in watching:
                next(stream)
            with pytest.raises(TooMuch, match="20 of your calls of WatchTournament are open"):
                next(anna.stream("WatchTournament", request))
            next(boris.stream("WatchTournament", request))
            watching.pop().close()

            def is_free() -> bool:
                try:
                    next(anna.stream("WatchTournament", request))
                except TooMuch:
                    return False
                return True

            assert wait_until(is_free, 20)
        assert "Traceback" not in server.log
