"""The command line: ``thousand``."""

from thousand_referee.cli.main import main

__all__ = ["main"]
