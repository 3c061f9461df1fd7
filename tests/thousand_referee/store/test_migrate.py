from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Column, String, Table, delete, inspect, text

from game_records import records_in
from store_maker import schedule_of, summary_of, tournament_of
from thousand_referee.store import Store, engine, migrate, schema
from thousand_referee.store import store as store_module

NEXT = schema.FORMAT + 1

ADD_A_COLUMN = f"""
import sqlalchemy as sa
from alembic import op

revision = "{NEXT}"
down_revision = "{schema.FORMAT}"


def upgrade():
    with op.batch_alter_table("entries") as table:
        table.add_column(sa.Column("author", sa.String(64)))
    op.execute("UPDATE entries SET author = 'nobody'")
"""


def tables_of(connection: Any) -> dict[str, Any]:
    """Everything that the database says of its tables."""
    inspector = inspect(connection)
    return {
        name: (
            [(each["name"], str(each["type"]), each["nullable"]) for each in columns],
            sorted(str(key) for key in inspector.get_foreign_keys(name)),
            sorted(tuple(each["column_names"]) for each in inspector.get_unique_constraints(name)),
            inspector.get_pk_constraint(name)["constrained_columns"],
            sorted(str((each["name"], each["column_names"])) for each in indexes),
        )
        for name in inspector.get_table_names()
        if name != "alembic_version"
        for columns in [inspector.get_columns(name)]
        for indexes in [inspector.get_indexes(name)]
    }


def test_the_revisions_add_up_to_the_schema(store_location: str | Path) -> None:
    opened = engine.open_engine(store_location)
    with engine.writing(opened) as connection:
        migrate.upgrade(connection, None, schema.FORMAT)
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, schema.metadata) == []
        migrated = tables_of(connection)
    opened.dispose()
    with Store.open(store_location) as store, engine.writing(store.engine) as connection:
        connection.execute(text("DROP TABLE alembic_version"))
        for table in reversed(schema.metadata.sorted_tables):
            table.drop(connection)
    with Store.open(store_location) as store, engine.reading(store.engine) as connection:
        assert tables_of(connection) == migrated


def test_an_older_database_is_upgraded_with_what_is_in_it(
    store_location: str | Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tournament_of()
    with Store.open(store_location) as store:
        store.create_or_resume(file, "")
        for planned in schedule_of(file):
            store.enter_match(summary_of(planned), "log")
        before = sorted(map(str, records_in(store, "test")))
    scripts = tmp_path / "100% migrations"
    (scripts / "versions").mkdir(parents=True)
    for source in migrate.MIGRATIONS.rglob("*.py"):
        (scripts / source.relative_to(migrate.MIGRATIONS)).write_text(source.read_text())
    (scripts / "versions" / f"format_{NEXT}.py").write_text(ADD_A_COLUMN)

    def upgrade(connection: Any, known: int | None, wanted: int) -> None:
        migrate.upgrade(connection, known, wanted, scripts)

    monkeypatch.setattr(store_module, "upgrade", upgrade)
    monkeypatch.setattr(store_module, "FORMAT", NEXT)
    for _ in range(2):  # the second time there is nothing to do
        with Store.open(store_location) as store:
            assert sorted(map(str, records_in(store, "test"))) == before
            with engine.reading(store.engine) as connection:
                authors = connection.scalars(text("SELECT author FROM entries")).all()
                assert authors == ["nobody"] * 3
                value = connection.scalar(text("SELECT value FROM meta WHERE key = 'format'"))
                assert value == str(NEXT)
    monkeypatch.setattr(store_module, "FORMAT", schema.FORMAT)
    with pytest.raises(Exception, match=rf"made by a newer thousand-arena \(format {NEXT}"):
        Store.open(store_location)


def test_an_upgrade_that_fails_changes_nothing(
    store_location: str | Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Store.open(store_location).close()

    def upgrade(connection: Any, known: int, wanted: int) -> None:
        Table("extra", schema.MetaData(), Column("x", String)).create(connection)
        connection.execute(delete(schema.meta))
        raise OSError("a power cut")

    monkeypatch.setattr(store_module, "FORMAT", NEXT)
    monkeypatch.setattr(store_module, "upgrade", upgrade)
    with pytest.raises(OSError, match="a power cut"):
        Store.open(store_location)
    monkeypatch.setattr(store_module, "FORMAT", schema.FORMAT)
    with Store.open(store_location) as store:
        assert "extra" not in inspect(store.engine).get_table_names()
