"""How the commands that ask an arena server print what it says."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import click

from thousand_referee.cli.output import json_text


def print_response(response: Any, as_json: bool, lines: Iterable[str]) -> None:
    """Print a response as JSON, or lines made safe."""
    from thousand_referee.service.client import plain
    from thousand_referee.text import printable

    if as_json:
        click.echo(json_text(plain(response)))
        return
    for line in lines:
        click.echo(printable(line))


def state_name(kind: Any, value: int) -> str:
    """Give an enum's value as people read it; a newer server may have others."""
    names = {number: name for name, number in kind.items()}
    name = names.get(value)
    return f"unknown ({value})" if name is None else name.rpartition("_")[2].lower()


def tournament_line(tournament: Any) -> str:
    """Tell how far a tournament is."""
    from thousand.v1 import arena_pb2 as pb

    phase = state_name(pb.TournamentPhase, tournament.phase)
    text = f"{tournament.name}: {phase.replace('unspecified', 'not run here')}"
    text += f", {tournament.games:,} games"
    if tournament.games_planned > tournament.games:
        text += f" of {tournament.games_planned:,}"
    elif tournament.mode == "fixed" and tournament.phase == pb.TOURNAMENT_PHASE_OPEN:
        text += ", waits for entries until an organiser starts it"
    elif tournament.phase == pb.TOURNAMENT_PHASE_OPEN and tournament.games:
        text += ", at rest until somebody enters"
    return f"{text}; stands still: {tournament.trouble}" if tournament.trouble else text
