"""The command ``thousand``: finds subcommands when they are wanted, and spells errors."""

from __future__ import annotations

import importlib
import io
import os
import sys
from typing import Final

import click

from thousand_referee.errors import RefereeError

_COMMANDS: Final = {
    "audit": (
        "thousand_referee.cli.audit",
        "audit",
        "Look for foul play and trouble in a tournament.",
    ),
    "check": ("thousand_referee.cli.check", "check", "Check a bot before it is entered."),
    "bench": ("thousand_referee.cli.bench", "bench", "Measure decisions a second."),
    "compare": (
        "thousand_referee.cli.compare",
        "compare_command",
        "Play until it is clear whether a new bot is better.",
    ),
    "images": ("thousand_referee.cli.images", "images", "Look after the images of bots."),
    "log": ("thousand_referee.cli.log", "log", "List, show and verify match logs."),
    "match": ("thousand_referee.cli.match", "match", "Play one match between three bots."),
    "new": ("thousand_referee.cli.new", "new_command", "Make the folder of a new bot."),
    "play": (
        "thousand_referee.cli.play",
        "play_command",
        "Play against two bots, at the terminal.",
    ),
    "replay": (
        "thousand_referee.cli.replay",
        "replay_command",
        "Put a logged game's prompts to a bot, and show where it differs.",
    ),
    "serve": ("thousand_referee.cli.serve", "serve_command", "Run an arena server."),
    "server": (
        "thousand_referee.cli.server",
        "server",
        "Ask an arena server, and tell it what to do.",
    ),
    "site": ("thousand_referee.cli.site", "site", "Export the pages of tournaments."),
    "standings": (
        "thousand_referee.cli.standings",
        "standings_command",
        "Show a tournament's standings.",
    ),
    "store": ("thousand_referee.cli.store", "store", "Look after the database of results."),
    "submit": (
        "thousand_referee.cli.submit",
        "submit_command",
        "Send a bot to an arena server.",
    ),
    "tournament": (
        "thousand_referee.cli.tournament",
        "tournament",
        "Run and list tournaments.",
    ),
    "user": ("thousand_referee.cli.user", "user", "Look after the users of an arena."),
}
"""Name of each command: its module, its object there, and its line in the help."""


class _LazyGroup(click.Group):
    """A group whose commands are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module, name, _ = _COMMANDS[cmd_name]
        command = getattr(importlib.import_module(module), name)
        assert isinstance(command, click.Command)
        return command

    def invoke(self, ctx: click.Context) -> object:
        """Run a command. A reader who has gone, as `head` does, is no error of ours."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            return 0

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, _COMMANDS[name][2]) for name in sorted(_COMMANDS)])


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="thousand-arena", prog_name="thousand")
def thousand() -> None:
    """Tournaments for bots that play the card game Thousand."""


def main() -> None:
    """Run the command line; errors become one line on standard error and exit status 1."""
    _prepare_streams()
    try:
        status = thousand.main(prog_name="thousand", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except click.exceptions.Abort:
        print("stopped", file=sys.stderr)
        sys.exit(130)
    except RefereeError as error:
        from thousand_referee.text import printable

        print(f"error: {printable(str(error))}", file=sys.stderr)
        sys.exit(1)
    except OSError as error:
        # What no module has translated: a name that is too long, or output that can't be written.
        from thousand_referee.text import printable

        what = error.filename or "standard output"
        print(f"error: {printable(f'{what}: {error.strerror}')[:300]}", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.exit(1)
    sys.exit(status if isinstance(status, int) else 0)


def _prepare_streams() -> None:
    """See to it that there are three standard streams, and that all text can be written.

    Closed ones would be None, and the next file opened, such as the database, would be
    taken for them by whoever writes to a number. Letters that the terminal doesn't have
    are written as escapes.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            stream = open(os.devnull, mode, encoding="utf-8")  # noqa: SIM115, PTH123
            os.set_inheritable(stream.fileno(), True)
            setattr(sys, name, stream)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
