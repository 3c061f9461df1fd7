"""Standings as programs read them."""

from __future__ import annotations

import csv
import io
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:  # it brings numpy along
    from thousand_referee.ratings.results import Standings, StandingsRow


def standings_json(name: str, table: Standings) -> str:
    """Give all figures as JSON, keys in a fixed order."""
    told = {"tournament": name, **asdict(table)}
    return msgspec.json.format(msgspec.json.encode(told), indent=2).decode()


def standings_csv(table: Standings) -> str:
    """Give the rows as CSV with a header; an empty field is a figure that isn't there."""
    from thousand_referee.ratings.results import StandingsRow

    out = io.StringIO()
    names = [field.name for field in fields(StandingsRow) if field.name != "to_next"]
    names.append("better_than_next")
    writer = csv.DictWriter(out, fieldnames=names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(map(_flat, table.rows))
    return out.getvalue()


def _flat(row: StandingsRow) -> dict[str, Any]:
    figures = asdict(row)
    del figures["to_next"]
    figures["better_than_next"] = row.better_than_next
    return figures
