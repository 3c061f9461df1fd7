"""What Alembic runs: the revisions, on the connection and in the transaction it is given.

A new revision is a file in `versions` whose `revision` is the next format's number, and
`schema.FORMAT` is raised with it. `op.batch_alter_table` changes tables in SQLite too.
"""

from __future__ import annotations

from alembic import context

from thousand_referee.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
)
context.run_migrations()
