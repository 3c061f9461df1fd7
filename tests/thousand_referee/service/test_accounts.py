from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from thousand_referee.cli.main import thousand as commands
from thousand_referee.errors import ConfigError, Missing, Unacceptable, WrongState
from thousand_referee.service.accounts import Accounts
from thousand_referee.store import Store
from thousand_referee.submitted import Role
from thousand_referee.tournament import open_arena


@pytest.fixture
def store(store_location: str | Path) -> Iterator[Store]:
    with Store.open(store_location) as store:
        yield store


def test_a_token_is_its_users_until_it_is_revoked(store: Store) -> None:
    accounts = Accounts(store)
    tokens = {name: accounts.add(name, Role.AUTHOR) for name in ("anna", "boris")}
    for name, token in tokens.items():
        user = accounts.user_of(token)
        assert user is not None
        assert (user.name, user.is_organiser) == (name, False)
    accounts.revoke("anna")
    assert accounts.user_of(tokens["anna"]) is None
    assert accounts.user_of(tokens["boris"]) is not None
    renewed = accounts.renew("anna")
    assert accounts.user_of(renewed) is not None
    assert accounts.user_of(tokens["anna"]) is None


@pytest.mark.parametrize("token", ["", "x", "\udce4", "é" * 50, "t" * 10_000])
def test_other_texts_are_nobodys(store: Store, token: str) -> None:
    Accounts(store).add("anna", Role.ORGANISER)
    assert Accounts(store).user_of(token) is None


def test_the_database_does_not_have_the_token(store: Store, tmp_path: Path) -> None:
    token = Accounts(store).add("anna", Role.AUTHOR)
    assert all(
        token.encode() not in path.read_bytes() for path in tmp_path.iterdir() if path.is_file()
    )


def test_names_are_unique_and_names(store: Store) -> None:
    accounts = Accounts(store)
    accounts.add("anna", Role.AUTHOR)
    with pytest.raises(WrongState, match="user 'anna': is there already"):
        accounts.add("anna", Role.ORGANISER)
    with pytest.raises(Unacceptable, match="no name"):
        accounts.add("../x", Role.AUTHOR)
    with pytest.raises(Missing, match="no user 'boris'; there are anna"):
        accounts.revoke("boris")


def test_the_commands(tmp_path: Path) -> None:
    def run(*arguments: str) -> str:
        arguments = ("user", *arguments, "--data", str(tmp_path / "data"))
        return CliRunner().invoke(commands, arguments, catch_exceptions=False).stdout

    token = run("add", "anna").strip()
    boss = json.loads(run("add", "boss", "--role", "organiser", "--json"))
    with open_arena(tmp_path / "data") as arena:
        found = [Accounts(arena.store).user_of(each) for each in (token, boss["token"])]
    assert [(each.name, each.is_organiser) for each in found if each] == [
        ("anna", False), ("boss", True),
    ]  # fmt: skip
    assert run("revoke", "anna") == "anna is locked out\n"
    listed = run("list").splitlines()
    assert [line.split(":")[0] for line in listed] == ["anna", "boss"]
    assert "revoked" in listed[0]
    with pytest.raises(WrongState, match="user 'anna': is there already; choose another name"):
        run("add", "anna")


def test_users_of_the_server_with_these_settings(tmp_path: Path) -> None:
    """They are in the data folder that the settings name, wherever the command runs."""
    settings = tmp_path / "server.toml"
    settings.write_text('data = "here"\n')
    added = CliRunner().invoke(commands, ["user", "add", "anna", "--config", str(settings)])
    assert added.exit_code == 0
    assert f"users of a server with {tmp_path / 'here'} are changed" in added.stderr
    with open_arena(tmp_path / "here") as arena:
        user = Accounts(arena.store).user_of(added.stdout.strip())
    assert user is not None
    assert user.name == "anna"
    missing = CliRunner().invoke(commands, ["user", "list", "--config", str(tmp_path / "none")])
    assert isinstance(missing.exception, ConfigError)
