"""A damaged database takes no user, owner, seed or entry along."""

from __future__ import annotations

import json
import signal
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from arena_runs import thousand, wait_until
from arena_server import ArenaServer, arena_server, bot_folder
from thousand.v1 import arena_pb2 as pb
from thousand_referee.coordinator import Drain
from thousand_referee.errors import DataError
from thousand_referee.executor import LocalExecutor
from thousand_referee.service import keepsakes as keepsakes_module
from thousand_referee.service.accounts import Accounts
from thousand_referee.service.entering import enter_bot, phase_of
from thousand_referee.service.keepsakes import Keepsakes, save_keepsakes
from thousand_referee.service.metrics import Metrics
from thousand_referee.service.run import TournamentRun
from thousand_referee.service.slots import Slots
from thousand_referee.service.submission_store import SubmissionStore
from thousand_referee.submitted import Phase, Role
from thousand_referee.tournament import Arena, open_arena
from thousand_referee.tournament_file import read_tournament


def prepare(arena: Arena, file: Path) -> None:
    """Do what the server does with a tournament when it starts."""
    metrics = Metrics(SubmissionStore(arena.store))
    executor = LocalExecutor(1)
    run = TournamentRun(arena, read_tournament(file), Slots(1), executor, metrics, Drain())
    run.prepare()
    executor.shutdown()


@pytest.mark.parametrize("is_damaged", [False, True])
def test_a_rebuilt_database_has_all_that_no_log_tells(tmp_path: Path, is_damaged: bool) -> None:
    server = ArenaServer(tmp_path)
    token = server.add_user("anna")
    server.add_version("anna", bot_folder(tmp_path, "ace"))
    file = tmp_path / "open.toml"
    file.write_text('mode = "open"\n')
    with open_arena(server.data) as arena:
        prepare(arena, file)
        enter_bot(arena.store, "open", "ace", 1, arena.data.bots)
        save_keepsakes(arena)
        before = arena.store.tournament("open")
    assert (server.data / "keepsakes.json").stat().st_mode & 0o077 == 0
    assert token not in (server.data / "keepsakes.json").read_text()
    if is_damaged:
        (server.data / "arena.sqlite").write_bytes(b"not a database" * 1_000)
    thousand("store", "rebuild", "--data", server.data)
    with open_arena(server.data) as arena:
        assert arena.store.tournament("open") == before
        assert phase_of(arena.store, "open") is Phase.OPEN
        store = SubmissionStore(arena.store)
        assert store.is_owner(token, "ace")
        bot = store.bot("ace")
        assert bot is not None
        assert [each.entered[0].entry for each in bot.versions] == ["ace"]
        prepare(arena, file)


@pytest.mark.study
def test_a_killed_servers_damaged_database_takes_nothing_along(tmp_path: Path) -> None:
    """Whatever it was that changed last: a first submission, an entry, a phase."""
    file = tmp_path / "open.toml"
    file.write_text('mode = "open"\n')
    with arena_server(tmp_path, tournaments=(file,)) as server:
        token = server.add_user("anna")
        server.add_user("boss", Role.ORGANISER)
        server.add_version("anna", bot_folder(tmp_path, "ace"))
        server.start()
        kept = server.data / "keepsakes.json"
        assert wait_until(kept.exists)
        with server.client("anna") as client:
            client.call("EnterBot", pb.EnterBotRequest(tournament="open", bot="ace"))
            assert wait_until(lambda: len(rows(kept, "entries")) == 1)
            client.submit(bot_folder(tmp_path, "king"))
            assert wait_until(lambda: [row["name"] for row in rows(kept, "bots")][1:] == ["king"])
        with server.client("boss") as client:
            client.call("CloseTournament", pb.CloseTournamentRequest(tournament="open"))
        assert wait_until(lambda: rows(kept, "tournaments")[0]["phase"] == "closed")
        server.stop(signal.SIGKILL)
        for left in server.data.glob("arena.sqlite*"):
            left.write_bytes(b"not a database" * 1_000)
        thousand("store", "rebuild", "--data", server.data)
        with open_arena(server.data) as arena:
            (entry,) = arena.store.tournament("open").entries
            assert (entry.name, entry.bot) == ("ace", "ace")
            assert phase_of(arena.store, "open") is Phase.CLOSED
            assert SubmissionStore(arena.store).is_owner(token, "king")


def rows(kept: Path, table: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(kept.read_text())["rows"][table]
    return found


def has_user(kept: Path, name: str) -> bool:
    return kept.exists() and name in {row["name"] for row in rows(kept, "users")}


def test_what_changes_soon_after_is_written_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keepsakes_module, "DELAY_SECONDS", 0.05)
    with open_arena(tmp_path / "data", create=True) as arena:
        keepsakes = Keepsakes(arena)
        keepsakes.start()
        for name in ("anna", "boris", "clara"):
            Accounts(arena.store).add(name, Role.AUTHOR)
            assert wait_until(partial(has_user, arena.data.keepsakes, name))
        Accounts(arena.store).add("dora", Role.AUTHOR)
        keepsakes.end()
        assert len(rows(arena.data.keepsakes, "users")) == 4


def test_a_server_and_a_rebuild_keep_off_each_other(tmp_path: Path) -> None:
    ArenaServer(tmp_path).add_user("anna")
    with open_arena(tmp_path / "data") as arena, arena.data.lock_server():
        with pytest.raises(DataError, match="an arena server uses it by process"), (
            arena.data.lock_server()
        ):  # fmt: skip
            pass
        told = thousand("store", "rebuild", "--data", arena.data.path, check=False).stderr
        assert "a tournament or server of it is being run" in told
