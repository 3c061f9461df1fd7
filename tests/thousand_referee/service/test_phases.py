"""A tournament's phase changes once, whoever asks at the same time."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from arena_runs import thousand
from arena_server import open_tournament
from store_maker import tournament_of
from thousand_referee.errors import Missing, WrongState
from thousand_referee.service.entering import (
    begin_tournament,
    phase_of,
    set_phase,
    settle_phase,
)
from thousand_referee.store import Store
from thousand_referee.submitted import Phase


@pytest.fixture
def store(store_location: str | Path) -> Iterator[Store]:
    with Store.open(store_location) as store:
        yield store


def wait_for_entries(store: Store, *names: str, **changes: Any) -> None:
    store.create_or_resume(tournament_of(names, accepts_entries=True, **changes), "")
    assert settle_phase(store, "test", Phase.OPEN) is Phase.OPEN


def test_only_one_of_many_begins_a_tournament(store: Store) -> None:
    wait_for_entries(store, "anna", "boris", "clara")

    def begin(_: int) -> bool:
        try:
            begin_tournament(store, "test")
        except WrongState:
            return False
        return True

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(begin, range(16))) == 1
    assert phase_of(store, "test") is Phase.RUNNING


def test_what_can_not_begin(store: Store) -> None:
    with pytest.raises(Missing):
        begin_tournament(store, "test")
    wait_for_entries(store, "anna", "boris")
    with pytest.raises(WrongState, match="has 2 entries; it needs 3 or more"):
        begin_tournament(store, "test")
    wait_for_entries(store, "anna", "boris", "clara")
    set_phase(store, "test", Phase.CLOSED)
    with pytest.raises(WrongState, match="is played already, or closed"):
        begin_tournament(store, "test")
    assert settle_phase(store, "test", Phase.RUNNING) is Phase.CLOSED


def test_an_open_tournament_is_played_already(store: Store) -> None:
    wait_for_entries(store, "anna", "boris", "clara", mode="open", blocks=None, blocks_per_entry=4)
    with pytest.raises(WrongState, match="is played already"):
        begin_tournament(store, "test")


def test_one_that_takes_entries_no_more_is_begun(store: Store) -> None:
    wait_for_entries(store, "anna", "boris", "clara")
    assert settle_phase(store, "test", Phase.OPEN) is Phase.OPEN
    assert settle_phase(store, "test", Phase.RUNNING) is Phase.RUNNING
    assert settle_phase(store, "test", Phase.OPEN) is Phase.RUNNING


@pytest.mark.parametrize("key", ["listen", "http"])
def test_a_server_without_its_ports_begins_nothing(tmp_path: Path, key: str) -> None:
    open_tournament(tmp_path, "cautious", "random", "counter", blocks=50)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ports = {"listen": "127.0.0.1:0", "http": "127.0.0.1:0"}
        ports[key] = f"127.0.0.1:{taken.getsockname()[1]}"
        keys = "".join(f'{name} = "{address}"\n' for name, address in ports.items())
        (tmp_path / "server.toml").write_text(f'data = "data"\ntournaments = ["open.toml"]\n{keys}')
        done = thousand("serve", "--config", tmp_path / "server.toml", check=False)
    assert done.returncode == 1
    assert f"{key}: can't use {ports[key]}" in done.stderr
    assert list((tmp_path / "data" / "logs").rglob("*.jsonl*")) == []
    assert "Traceback" not in done.stderr
