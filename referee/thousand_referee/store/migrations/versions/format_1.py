"""Format 1: the first that was released.

Written out once more, since `schema` is what the tables are now, not what they were.
"""

from __future__ import annotations

from typing import Any, Final

import sqlalchemy as sa
from alembic import op

revision: Final = "1"
down_revision: Final = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "meta",
        sa.Column("key", sa.String(32), primary_key=True),
        sa.Column("value", sa.String(200), nullable=False),
    )
    op.create_table(
        "tournaments",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(64), nullable=False, unique=True),
        sa.Column("seed", sa.String(200)),
        sa.Column("config", sa.JSON, nullable=False),
        sa.Column("seed_proof", sa.JSON(none_as_null=True)),
    )
    op.create_table(
        "bot_versions",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("version", sa.String(64), nullable=False, unique=True),
        sa.Column("digest", sa.String(64)),
        sa.Column("command", sa.JSON(none_as_null=True)),
        sa.Column("description", sa.String(1000)),
    )
    op.create_table(
        "entries",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("tournament_id", sa.Integer, sa.ForeignKey("tournaments.id"), nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("bot_version_id", sa.Integer, sa.ForeignKey("bot_versions.id"), nullable=False),
        sa.Column("folder", sa.String(4096)),
        sa.Column("gauntlet", sa.Boolean),
        sa.UniqueConstraint("tournament_id", "name"),
    )
    op.create_table(
        "matches",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("tournament_id", sa.Integer, sa.ForeignKey("tournaments.id"), nullable=False),
        sa.Column("match", sa.String(128), nullable=False),
        *(
            sa.Column(f"entry_{seat}", sa.Integer, sa.ForeignKey("entries.id"), nullable=False)
            for seat in range(3)
        ),
        sa.Column("first_block", sa.Integer, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("deals", sa.Integer, nullable=False),
        sa.Column("started", sa.String(40), nullable=False),
        sa.Column("lag_ms", sa.Float, nullable=False),
        sa.Column("times", sa.JSON, nullable=False),
        sa.Column("faults", sa.JSON, nullable=False),
        sa.Column("log", sa.String(4096), nullable=False),
        sa.UniqueConstraint("tournament_id", "match"),
    )
    op.create_table(
        "games",
        sa.Column("match_id", sa.Integer, sa.ForeignKey("matches.id"), nullable=False),
        sa.Column("game", sa.Integer, nullable=False),
        sa.Column("block", sa.Integer, nullable=False),
        sa.Column("deals", sa.Integer, nullable=False),
        *_by_seat("place", sa.Integer),
        *_by_seat("score", sa.Integer),
        *_by_seat("points", sa.Integer),
        *_by_seat("faults", sa.Integer),
        *_by_seat("asked", sa.Integer),
        *_by_seat("ms", sa.Float),
        *_by_seat("out", sa.Boolean),
        sa.PrimaryKeyConstraint("match_id", "game"),
    )
    op.execute("INSERT INTO meta (key, value) VALUES ('format', '1')")


def _by_seat(name: str, kind: Any) -> list[sa.Column[Any]]:
    return [sa.Column(f"{name}_{seat}", kind, nullable=False) for seat in range(3)]
