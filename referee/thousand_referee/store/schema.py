"""The tables. Types and names are portable between SQLite and PostgreSQL.

Columns ``…_0`` to ``…_2`` are by seat. What a match log doesn't tell is nullable in
`tournaments`, `bot_versions` and `entries`, since they may be rebuilt from logs alone.
`users`, `bots` and `submissions` are the arena service's: no log tells of them. Times are
ISO 8601, in UTC.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
)
from sqlalchemy.types import TypeEngine

FORMAT: Final = 4
"""Raised with every change that programs before it can't cope with."""

metadata: Final = MetaData()


def _by_seat(
    name: str, kind: type[TypeEngine[int] | TypeEngine[float] | TypeEngine[bool]]
) -> list[Column[int] | Column[float] | Column[bool]]:
    return [Column(f"{name}_{seat}", kind, nullable=False) for seat in range(3)]


meta: Final = Table(
    "meta",
    metadata,
    Column("key", String(32), primary_key=True),
    Column("value", String(200), nullable=False),
)

tournaments: Final = Table(
    "tournaments",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(64), nullable=False, unique=True),
    Column("seed", String(200)),
    Column("config", JSON, nullable=False),
    # A block's seed that proves the tournament's, where that is unknown:
    # {"trio": [names], "block": number, "seed": hex}
    Column("seed_proof", JSON(none_as_null=True)),
    # A `submitted.Phase`; None where no arena service runs it
    Column("phase", String(16)),
)

users: Final = Table(
    "users",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(64), nullable=False, unique=True),
    Column("role", String(16), nullable=False),
    # Of the token only its SHA-256 is kept, in hex
    Column("token_sha256", String(64), nullable=False, unique=True),
    Column("created", String(40), nullable=False),
    Column("revoked", String(40)),
)

bots: Final = Table(
    "bots",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(64), nullable=False, unique=True),
    Column("owner_id", ForeignKey("users.id"), nullable=False),
    Column("created", String(40), nullable=False),
)

submissions: Final = Table(
    "submissions",
    metadata,
    Column("id", Integer, primary_key=True),
    # What people call it
    Column("submission", String(32), nullable=False, unique=True),
    Column("bot_id", ForeignKey("bots.id"), nullable=False),
    Column("archive_sha256", String(64), nullable=False),
    # To be entered in it when it is ready
    Column("tournament", String(64)),
    Column("state", String(16), nullable=False, index=True),
    Column("reason", String(2000), nullable=False),
    Column("build_log", Text, nullable=False),
    Column("report", JSON(none_as_null=True)),
    # Both known when it is ready: the digest, and which version of the bot this is, from 1
    Column("version", String(64)),
    Column("number", Integer),
    Column("created", String(40), nullable=False),
    Column("changed", String(40), nullable=False),
    # Whether its bot was entered in that tournament since, in this version or another
    Column("entered", Boolean),
)

bot_versions: Final = Table(
    "bot_versions",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("version", String(64), nullable=False, unique=True),
    Column("digest", String(64)),
    Column("command", JSON(none_as_null=True)),
    Column("description", String(1000)),
)

entries: Final = Table(
    "entries",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("tournament_id", ForeignKey("tournaments.id"), nullable=False),
    Column("name", String(64), nullable=False),
    Column("bot_version_id", ForeignKey("bot_versions.id"), nullable=False),
    Column("folder", String(4096)),
    Column("gauntlet", Boolean),
    # Where it came from, if it was submitted; whether it plays no more
    Column("submission_id", ForeignKey("submissions.id")),
    Column("retired", Boolean),
    UniqueConstraint("tournament_id", "name"),
)

matches: Final = Table(
    "matches",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("tournament_id", ForeignKey("tournaments.id"), nullable=False),
    Column("match", String(128), nullable=False),
    *(Column(f"entry_{seat}", ForeignKey("entries.id"), nullable=False) for seat in range(3)),
    Column("first_block", Integer, nullable=False),
    Column("games", Integer, nullable=False),
    Column("deals", Integer, nullable=False),
    Column("started", String(40), nullable=False),
    Column("lag_ms", Float, nullable=False),
    # Lists by seat: histograms of charged time, and numbers of faults by kind
    Column("times", JSON, nullable=False),
    Column("faults", JSON, nullable=False),
    Column("log", String(4096), nullable=False),
    UniqueConstraint("tournament_id", "match"),
    # Lists of matches are read from the newest on
    Index("matches_by_tournament", "tournament_id", "id"),
    *(Index(f"matches_by_entry_{seat}", f"entry_{seat}", "id") for seat in range(3)),
)

games: Final = Table(
    "games",
    metadata,
    Column("match_id", ForeignKey("matches.id"), nullable=False),
    Column("game", Integer, nullable=False),
    Column("block", Integer, nullable=False),
    Column("deals", Integer, nullable=False),
    *_by_seat("place", Integer),
    *_by_seat("score", Integer),
    *_by_seat("points", Integer),
    *_by_seat("faults", Integer),
    *_by_seat("asked", Integer),
    *_by_seat("ms", Float),
    *_by_seat("out", Boolean),
    PrimaryKeyConstraint("match_id", "game"),
)

KEPT_TABLES: Final = (users, bots, submissions, tournaments, bot_versions, entries)
"""What no match log tells, in an order in which rows can be inserted."""
