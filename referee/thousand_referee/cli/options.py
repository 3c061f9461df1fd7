"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

import click

from thousand_referee.data_folder import STORE_VARIABLE
from thousand_referee.spec import Sandbox

DATA_VARIABLE: Final = "THOUSAND_DATA"

json_option = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")

data_option = click.option(
    "--data",
    type=click.Path(path_type=Path),
    envvar=DATA_VARIABLE,
    default=Path("arena-data"),
    show_default="arena-data, or $THOUSAND_DATA",
    help="The data folder: results, logs, output of bots.",
)

store_option = click.option(
    "--store",
    "store_url",
    metavar="URL",
    envvar=STORE_VARIABLE,
    help="The database, as in postgresql+psycopg://USER:PASSWORD@HOST/NAME; by default a file "
    "in the data folder, or $THOUSAND_STORE, which keeps a password out of lists of processes.",
)


sandbox_option = click.option(
    "--sandbox",
    type=click.Choice(["process", "docker"]),
    default="process",
    show_default=True,
    help="Where bots run: docker locks them in, as a tournament may.",
)

base_image_option = click.option(
    "--base-image",
    default=Sandbox().base_image,
    show_default=True,
    help="With docker: what images of Python bots are built from.",
)


class _BuildArgument(click.ParamType[tuple[str, str]]):
    """A name and a value."""

    name = "name=value"

    def convert(
        self,
        value: str | tuple[str, str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> tuple[str, str]:
        """Take it apart."""
        if isinstance(value, tuple):
            return value
        name, equals, text = value.partition("=")
        if not name or not equals:
            self.fail("expected NAME=VALUE", param, ctx)
        return name, text


build_arg_option = click.option(
    "--build-arg",
    "build_args",
    type=_BuildArgument(),
    multiple=True,
    help="With docker: for bots' own Dockerfiles, as in NODE_IMAGE=node:22-slim.",
)


def sandbox_of(kind: str, base_image: str, build_args: Iterable[tuple[str, str]]) -> Sandbox:
    """Give the sandbox that the options ask for, its limits as they are by default."""
    if kind != "docker":
        return Sandbox()
    return Sandbox(kind="docker", base_image=base_image, build_args=dict(build_args))


class _Seed(click.ParamType[str]):
    """A seed as in a tournament file: printable, and not too long."""

    name = "text"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Give it back if it is one."""
        if not (0 < len(value) <= 200 and value.isprintable()):
            self.fail("expected 1 to 200 printable characters", param, ctx)
        return value


SEED: Final = _Seed()
