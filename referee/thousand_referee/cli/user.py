"""``thousand user``: who may use an arena."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from thousand_referee.cli.options import data_option, json_option, store_option
from thousand_referee.cli.output import json_text

if TYPE_CHECKING:
    from thousand_referee.service.accounts import Accounts


@click.group()
def user() -> None:
    """Look after the users of an arena, and their tokens."""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where an arena's users are."""

    data: Path
    store_url: str | None


def arena_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options that say which arena is meant; it gets it as ``arena``."""

    @wraps(command)
    def called(
        *args: Any, config: Path | None, data: Path, store_url: str | None, **kwargs: Any
    ) -> Any:
        if config is not None:
            from thousand_referee.service.config import read_config

            context = click.get_current_context()
            is_default = context.get_parameter_source("data") is ParameterSource.DEFAULT
            settings = read_config(config, None if is_default else data)
            data = Path(settings.data)
            if context.get_parameter_source("store_url") is not ParameterSource.COMMANDLINE:
                store_url = settings.store or store_url  # as for the server
        return command(*args, arena=_Place(data, store_url), **kwargs)

    config_option = click.option(
        "--config",
        type=click.Path(path_type=Path),
        help="The server's settings, which name its data folder and database.",
    )
    return config_option(data_option(store_option(called)))


@user.command()
@click.argument("name")
@click.option(
    "--role",
    type=click.Choice(["author", "organiser"]),
    default="author",
    show_default=True,
    help="An author submits and enters bots; an organiser starts and closes tournaments too.",
)
@arena_options
@json_option
def add(name: str, role: str, arena: _Place, as_json: bool) -> None:
    """Add the user NAME, and print the token: once, it can't be shown again."""
    from thousand_referee.submitted import Role

    with _accounts(arena, changes=True) as accounts:
        token = accounts.add(name, Role(role))
    _print_token(name, token, as_json)


@user.command()
@click.argument("name")
@arena_options
@json_option
def renew(name: str, arena: _Place, as_json: bool) -> None:
    """Give NAME another token; the old one is void at once."""
    with _accounts(arena, changes=True) as accounts:
        token = accounts.renew(name)
    _print_token(name, token, as_json)


@user.command()
@click.argument("name")
@arena_options
@json_option
def revoke(name: str, arena: _Place, as_json: bool) -> None:
    """Make the token of NAME void at once; bots and results stay."""
    with _accounts(arena, changes=True) as accounts:
        accounts.revoke(name)
    click.echo(json_text({"name": name, "revoked": True}) if as_json else f"{name} is locked out")


@user.command("list")
@arena_options
@json_option
def list_(arena: _Place, as_json: bool) -> None:
    """List the users."""
    with _accounts(arena, changes=False) as accounts:
        users = accounts.users()
    if as_json:
        click.echo(json_text(users))
        return
    for each in users:
        revoked = f", revoked {each.revoked}" if each.revoked else ""
        click.echo(f"{each.name}: {each.role.value}, since {each.created}{revoked}")


@contextmanager
def _accounts(place: _Place, *, changes: bool) -> Iterator[Accounts]:
    from thousand_referee.service.accounts import Accounts
    from thousand_referee.service.keepsakes import save_keepsakes
    from thousand_referee.tournament import open_arena

    with open_arena(place.data, place.store_url, create=changes) as arena:
        yield Accounts(arena.store)
        if changes:
            save_keepsakes(arena)
            where = "the database named" if place.store_url else str(place.data.resolve())
            print(f"users of a server with {where} are changed", file=sys.stderr)


def _print_token(name: str, token: str, as_json: bool) -> None:
    click.echo(json_text({"name": name, "token": token}) if as_json else token)
