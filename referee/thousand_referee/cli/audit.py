"""``thousand audit``: whether a tournament was clean."""

from __future__ import annotations

import json
from pathlib import Path

import click

from thousand_referee.cli.options import data_option
from thousand_referee.cli.status_line import StatusLine


@click.command()
@click.argument("tournament", required=False)
@data_option
@click.option("--verbose", is_flag=True, help="Tell signs that luck explains well, too.")
@click.option("--json", "as_json", is_flag=True, help="Print all figures as JSON.")
@click.pass_context
def audit(
    ctx: click.Context, tournament: str | None, data: Path, verbose: bool, as_json: bool
) -> None:
    """Look for foul play and trouble in TOURNAMENT, or in the only one there is.

    All its logs are verified and compared with the database; faults, times, lag and void
    matches are summed up; and it is tested whether any bot does better against others
    when a certain third is at the table. The exit status is 1 if anything is suspicious.
    """
    from thousand_referee.audit.auditor import audit_tournament
    from thousand_referee.audit.report import audit_json, audit_lines
    from thousand_referee.tournament import find_tournament, open_arena

    with open_arena(data) as arena:
        progress = StatusLine(patience_seconds=2.0)
        found = audit_tournament(
            arena,
            find_tournament(arena, tournament),
            lambda done, total: progress.tick(lambda: f"verified {done:,} of {total:,} logs"),
        )
        progress.clear()
    if as_json:
        click.echo(json.dumps(audit_json(found), indent=2))
    else:
        for line in audit_lines(found, verbose=verbose):
            click.echo(line)
    if found.suspicious:
        ctx.exit(1)
