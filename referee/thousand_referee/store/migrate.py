"""Bringing a database of an older format up to date, with Alembic.

A format is a revision in `migrations/versions` of the same number, and a new database is
made from `schema.metadata` at once, which a test compares with what the revisions add up
to. Alembic is imported for an older database only.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from sqlalchemy import Connection, update

from thousand_referee.store.schema import meta

MIGRATIONS: Final = Path(__file__).parent / "migrations"


def upgrade(
    connection: Connection, known: int | None, wanted: int, scripts: Path = MIGRATIONS
) -> None:
    """Upgrade a database from format `known` (None: it is empty) in this transaction."""
    from alembic import command
    from alembic.config import Config
    from alembic.runtime.migration import MigrationContext

    config = Config()
    config.set_main_option("script_location", str(scripts).replace("%", "%%"))
    config.attributes["connection"] = connection
    if known is not None and MigrationContext.configure(connection).get_current_revision() is None:
        command.stamp(config, str(known))
    command.upgrade(config, str(wanted))
    connection.execute(update(meta).where(meta.c.key == "format").values(value=str(wanted)))
