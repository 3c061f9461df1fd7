"""A copy, beside the database, of all that no match log tells.

Users, owners of bots, seeds: a damaged database file must not take them along. The copy
is replaced whenever one of them changes, and ``thousand store rebuild`` falls back on it.
"""

from __future__ import annotations

from thousand_referee.store.keeping import save_rows
from thousand_referee.tournament import Arena


def save_keepsakes(arena: Arena) -> None:
    """Write the copy, if the database is the data folder's own file; DataError if it can't be."""
    if arena.store.is_file(arena.data.database):
        save_rows(arena.store.engine, arena.data.keepsakes)
