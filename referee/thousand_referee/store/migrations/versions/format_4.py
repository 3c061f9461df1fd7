"""Format 4: submissions know whether their bot was entered where it was to be."""

from __future__ import annotations

from typing import Final

from alembic import op

revision: Final = "4"
down_revision: Final = "3"

# Of a bot that is there in some version, nobody can tell any more which one its author wanted
# last: what is there stays.
_MARK: Final = """
UPDATE submissions SET entered = TRUE
WHERE state = 'ready' AND EXISTS (
    SELECT 1 FROM entries
    JOIN submissions AS sources ON entries.submission_id = sources.id
    JOIN tournaments ON entries.tournament_id = tournaments.id
    WHERE tournaments.name = submissions.tournament AND sources.bot_id = submissions.bot_id
)
"""


def upgrade() -> None:
    """Add the column, and set it where bots are entered."""
    op.execute("ALTER TABLE submissions ADD COLUMN entered BOOLEAN")
    op.execute(_MARK)
