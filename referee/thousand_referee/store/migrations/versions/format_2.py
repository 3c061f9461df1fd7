"""Format 2: users, their bots and submissions, and tournaments that one can enter."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "2"
down_revision: Final = "1"


def upgrade() -> None:
    """Make the tables, and add the columns.

    Plain ``ALTER TABLE``: making `entries` anew, as Alembic would for a foreign key, is
    impossible in SQLite while matches refer to it.
    """
    op.create_table(
        "users",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(64), nullable=False, unique=True),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("token_sha256", sa.String(64), nullable=False, unique=True),
        sa.Column("created", sa.String(40), nullable=False),
        sa.Column("revoked", sa.String(40)),
    )
    op.create_table(
        "bots",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(64), nullable=False, unique=True),
        sa.Column("owner_id", sa.Integer, sa.ForeignKey("users.id"), nullable=False),
        sa.Column("created", sa.String(40), nullable=False),
    )
    op.create_table(
        "submissions",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("submission", sa.String(32), nullable=False, unique=True),
        sa.Column("bot_id", sa.Integer, sa.ForeignKey("bots.id"), nullable=False),
        sa.Column("archive_sha256", sa.String(64), nullable=False),
        sa.Column("tournament", sa.String(64)),
        sa.Column("state", sa.String(16), nullable=False, index=True),
        sa.Column("reason", sa.String(2000), nullable=False),
        sa.Column("build_log", sa.Text, nullable=False),
        sa.Column("report", sa.JSON(none_as_null=True)),
        sa.Column("version", sa.String(64)),
        sa.Column("number", sa.Integer),
        sa.Column("created", sa.String(40), nullable=False),
        sa.Column("changed", sa.String(40), nullable=False),
    )
    op.execute("ALTER TABLE tournaments ADD COLUMN phase VARCHAR(16)")
    op.execute("ALTER TABLE entries ADD COLUMN submission_id INTEGER REFERENCES submissions (id)")
    op.execute("ALTER TABLE entries ADD COLUMN retired BOOLEAN")
