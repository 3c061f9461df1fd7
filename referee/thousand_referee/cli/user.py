"""``thousand user``: who may use an arena."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from thousand_referee.cli.options import data_option, store_option
from thousand_referee.cli.output import json_text

if TYPE_CHECKING:
    from thousand_referee.service.accounts import Accounts


@click.group()
def user() -> None:
    """Look after the users of an arena, and their tokens."""


json_option = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")


@user.command()
@click.argument("name")
@click.option(
    "--role",
    type=click.Choice(["author", "organiser"]),
    default="author",
    show_default=True,
    help="An author submits and enters bots; an organiser starts and closes tournaments too.",
)
@data_option
@store_option
@json_option
def add(name: str, role: str, data: Path, store_url: str | None, as_json: bool) -> None:
    """Add the user NAME, and print the token: once, it can't be shown again."""
    from thousand_referee.submitted import Role

    with _accounts(data, store_url, changes=True) as accounts:
        token = accounts.add(name, Role(role))
    _print_token(name, token, as_json)


@user.command()
@click.argument("name")
@data_option
@store_option
@json_option
def renew(name: str, data: Path, store_url: str | None, as_json: bool) -> None:
    """Give NAME another token; the old one is void at once."""
    with _accounts(data, store_url, changes=True) as accounts:
        token = accounts.renew(name)
    _print_token(name, token, as_json)


@user.command()
@click.argument("name")
@data_option
@store_option
@json_option
def revoke(name: str, data: Path, store_url: str | None, as_json: bool) -> None:
    """Make the token of NAME void at once; bots and results stay."""
    with _accounts(data, store_url, changes=True) as accounts:
        accounts.revoke(name)
    click.echo(json_text({"name": name, "revoked": True}) if as_json else f"{name} is locked out")


@user.command("list")
@data_option
@store_option
@json_option
def list_(data: Path, store_url: str | None, as_json: bool) -> None:
    """List the users."""
    with _accounts(data, store_url, changes=False) as accounts:
        users = accounts.users()
    if as_json:
        click.echo(json_text(users))
        return
    for each in users:
        revoked = f", revoked {each.revoked}" if each.revoked else ""
        click.echo(f"{each.name}: {each.role.value}, since {each.created}{revoked}")


@contextmanager
def _accounts(data: Path, store_url: str | None, *, changes: bool) -> Iterator[Accounts]:
    from thousand_referee.service.accounts import Accounts
    from thousand_referee.service.keepsakes import save_keepsakes
    from thousand_referee.tournament import open_arena

    with open_arena(data, store_url, create=changes) as arena:
        yield Accounts(arena.store)
        if changes:
            save_keepsakes(arena)


def _print_token(name: str, token: str, as_json: bool) -> None:
    click.echo(json_text({"name": name, "token": token}) if as_json else token)
