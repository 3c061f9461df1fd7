"""What the store tells about tournaments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class StoredEntry:
    """An entry; `folder` and `gauntlet` are None if they are only known from match logs.

    `bot` names the bot that was submitted, None for one of the organiser's. An entry that
    is `retired` plays no more.
    """

    name: str
    version: str
    folder: str | None
    gauntlet: bool | None
    bot: str | None = None
    retired: bool = False


@dataclass(frozen=True, slots=True)
class StoredTournament:
    """A tournament and how far it is. `entries` are sorted by name.

    `config` is what `TournamentFile.config` gave. A tournament that is only known from
    its match logs has no `seed`, and neither schedule, blocks nor games_per_match in its
    `config`. `first_started` and `last_started` are the times of its matches as their
    logs have them, None without a match; `matches` and `games` count the finished ones.
    `phase` is how far the arena service is with it, None where that doesn't run it.
    """

    name: str
    seed: str | None
    config: Mapping[str, Any]
    entries: tuple[StoredEntry, ...]
    matches: int
    games: int
    first_started: str | None
    last_started: str | None
    phase: str | None = None
