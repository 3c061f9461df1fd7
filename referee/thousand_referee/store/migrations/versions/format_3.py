"""Format 3: indexes for lists of matches, by tournament and by entry, in order of their numbers."""

from __future__ import annotations

from typing import Final

from alembic import op

revision: Final = "3"
down_revision: Final = "2"


def upgrade() -> None:
    """Make the indexes."""
    op.create_index("matches_by_tournament", "matches", ["tournament_id", "id"])
    for seat in range(3):
        op.create_index(f"matches_by_entry_{seat}", "matches", [f"entry_{seat}", "id"])
