"""What an author reads who can't reach a server."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena_server import ArenaServer, arena_server
from thousand_referee.cli.main import thousand as commands
from thousand_referee.errors import ConfigError, Unreachable


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ArenaServer]:
    with arena_server(tmp_path_factory.mktemp("arena")) as server:
        server.start()
        assert "no users in" in server.log
        yield server


def problem(address: str, *options: str) -> BaseException | None:
    arguments = ["server", "bots", "--server", address, "--token", "x", *options]
    return CliRunner().invoke(commands, arguments).exception


def test_a_port_where_nothing_listens() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        found = problem(f"127.0.0.1:{taken.getsockname()[1]}")
    assert isinstance(found, Unreachable)
    assert "nothing listens; check --server" in str(found)


def test_the_port_of_the_pages(server: ArenaServer) -> None:
    found = problem(server.pages.removeprefix("http://"))
    assert isinstance(found, Unreachable)
    assert "the port of the pages isn't that of authors' commands" in str(found)


def test_tls_where_there_is_none(server: ArenaServer, tmp_path: Path) -> None:
    certificate = tmp_path / "ca.pem"
    certificate.write_text("rubbish")
    found = problem(server.address, "--ca", str(certificate))
    assert isinstance(found, Unreachable)


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1:7800", "https://arena.example/", "arena.example", "x:y", ""]
)
def test_what_is_no_address(address: str) -> None:
    found = problem(address)
    assert isinstance(found, ConfigError)
    assert "expected HOST:PORT, as in arena.example:7800" in str(found)
