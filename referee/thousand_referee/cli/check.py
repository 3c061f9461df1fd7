"""``thousand check``: whether a bot is ready to be entered."""

from __future__ import annotations

import json
import sys
from functools import partial
from pathlib import Path

import click

from thousand_referee.cli.options import (
    SEED,
    base_image_option,
    build_arg_option,
    sandbox_of,
    sandbox_option,
)


@click.command()
@click.argument("bot", type=click.Path(path_type=Path))
@sandbox_option
@base_image_option
@build_arg_option
@click.option("--seed", type=SEED, default="check", show_default=True, help="Seed of the cards.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@click.pass_context
def check(
    ctx: click.Context,
    bot: Path,
    sandbox: str,
    base_image: str,
    build_args: tuple[tuple[str, str], ...],
    seed: str,
    as_json: bool,
) -> None:
    """Check the bot in the folder BOT before it is entered.

    It is started twice, asked every kind of question in rare situations and in games
    at every seat, and must answer legally, in time and alike, and exit when it is told to. The
    exit status is 0 if it is ready. Whatever it does, the check ends: after some ten
    seconds as a rule, after three minutes at most.
    """
    from thousand_referee.check.checker import check_bot
    from thousand_referee.check.report import report_json, report_lines

    say = partial(print, file=sys.stderr, flush=True) if sys.stderr.isatty() else _say_nothing
    report = check_bot(bot, seed=seed, sandbox=sandbox_of(sandbox, base_image, build_args), say=say)
    if as_json:
        click.echo(json.dumps(report_json(report), indent=2))
    else:
        for line in report_lines(report):
            click.echo(line)
    if not report.is_ready:
        ctx.exit(1)


def _say_nothing(text: str) -> None:
    """Keep progress from who can't see it."""
