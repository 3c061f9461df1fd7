"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

DATA_VARIABLE: Final = "THOUSAND_DATA"

data_option = click.option(
    "--data",
    type=click.Path(path_type=Path),
    envvar=DATA_VARIABLE,
    default=Path("arena-data"),
    show_default="arena-data, or $THOUSAND_DATA",
    help="The data folder: results, logs, output of bots.",
)
