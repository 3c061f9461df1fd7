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
