"""``thousand bench``: how many decisions a second, and where their time goes."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from thousand_referee.cli.output import json_text

if TYPE_CHECKING:
    from thousand_referee.bench import Report


@click.command()
@click.option("--rounds", type=click.IntRange(1, 100), default=3, show_default=True)
@click.option("--tables", type=click.IntRange(1, 256), default=64, show_default=True)
@click.option(
    "--games",
    type=click.IntRange(1, 10_000),
    help="Games of the full path in a round; by default as many as tables.",
)
@click.option("--json", "as_json", is_flag=True, help="Print all figures as JSON.")
def bench(rounds: int, tables: int, games: int | None, as_json: bool) -> None:
    """Measure the full path, one table, a bare gRPC stream and the rules, in one run.

    The bots are as cheap as bots can be. Machines are noisy: look at the ratios.
    """
    from thousand_referee.bench import run_bench

    games = games or tables
    if games < tables:
        raise click.UsageError(f"--games: {tables} tables need at least as many games")
    report = run_bench(rounds, tables, games, max(2, games // 32), _tell)
    if as_json:
        click.echo(json_text(report))
    else:
        _print_report(report)


def _tell(what: str) -> None:
    print(what, file=sys.stderr, flush=True)


def _print_report(report: Report) -> None:
    tables = report.tables
    click.echo(f"medians of {report.rounds} rounds")
    for label, rate, note in (
        (f"(a) full path, {tables} tables", report.full, ""),
        ("(b) full path, one table", report.one_table, f"a/b {report.full_to_one_table:.1f}"),
        ("(c) bare gRPC stream", report.bare, f"a/c {report.full_to_bare:.2f}"),
    ):
        click.echo(f"  {label:<30} {rate:>10,.0f} decisions/s   {note}".rstrip())
    click.echo(f"  {'(d) rules alone':<30} {report.rules_deals:>10,.0f} deals/s")
    click.echo("processor time of a decision, in microseconds")
    for label, value in (
        (f"referee, {tables} tables", report.referee_us),
        (f"bots, {tables} tables", report.bots_us),
        ("referee, one table", report.one_table_referee_us),
        ("bots, one table", report.one_table_bots_us),
    ):
        click.echo(f"  {label:<30} {value:>10.1f}")
    click.echo(f"of these at {tables} tables")
    for part, value in report.parts.items():
        click.echo(f"  {part:<30} {value:>10.1f}")
    click.echo(f"  {'gRPC, loop, log, start':<30} {report.rest_us:>10.1f}")
    click.echo(f"  decisions a message: {report.decisions_per_message:.1f}")
