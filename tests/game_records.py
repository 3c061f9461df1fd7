"""Records of the games in a table, for tests to compare."""

from __future__ import annotations

from thousand_referee.ratings import GameRecord
from thousand_referee.ratings.game_table import GameTable
from thousand_referee.store import Store


def records_of(table: GameTable) -> list[GameRecord]:
    """Spell out the rows."""
    records = []
    for row in table.rows.tolist():
        first, second, third, block, *figures = row
        a, b, c, x, y, z, deals, f, g, h = figures
        trio = (table.names[first], table.names[second], table.names[third])
        records.append(GameRecord(trio, block, (a, b, c), (x, y, z), deals, (f, g, h)))
    return records


def records_in(store: Store, tournament: str) -> list[GameRecord]:
    """Give the games of a tournament."""
    return records_of(store.game_table(tournament))
