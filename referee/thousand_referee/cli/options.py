"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from thousand_referee.data_folder import STORE_VARIABLE

DATA_VARIABLE: Final = "THOUSAND_DATA"

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


class _Seed(click.ParamType[str]):
    """A seed as in a tournament file: printable, and not too long."""

    name = "text"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Give it back if it is one."""
        if not (0 < len(value) <= 200 and value.isprintable()):
            self.fail("expected 1 to 200 printable characters", param, ctx)
        return value


SEED: Final = _Seed()
