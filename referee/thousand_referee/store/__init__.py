"""The store: tournaments, entries, and the results of their matches, in a database.

Importing this package imports SQLAlchemy; a command that may not need it imports this late.
"""

from thousand_referee.store.from_logs import (
    LogsEntered,
    Rebuilt,
    enter_logs,
    rebuild,
    rebuild_shared,
)
from thousand_referee.store.store import Store
from thousand_referee.store.values import StoredEntry, StoredTournament

__all__ = [
    "LogsEntered",
    "Rebuilt",
    "Store",
    "StoredEntry",
    "StoredTournament",
    "enter_logs",
    "rebuild",
    "rebuild_shared",
]
