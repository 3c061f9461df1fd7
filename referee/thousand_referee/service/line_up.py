"""Who plays in an arena's tournament: the house's bots, and those that were entered."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from thousand_referee.bots import read_bot
from thousand_referee.errors import BuildFailed, ConfigError
from thousand_referee.service.played import entered_bots, retire, retired_entries
from thousand_referee.spec import BotVersion
from thousand_referee.tournament import Arena, bots_of
from thousand_referee.tournament_file import Entry, TournamentFile

_log: Final = logging.getLogger(__name__)


def with_entered(arena: Arena, file: TournamentFile, *, retired: bool) -> TournamentFile:
    """Give the file with the bots that were submitted and entered, as the store knows them."""
    entered = entered_bots(arena.store, file.name, arena.data.bots, retired=retired)
    return msgspec.structs.replace(file, entries=(*file.entries, *entered))


def fixed_line_up(
    arena: Arena, file: TournamentFile
) -> tuple[TournamentFile, dict[str, BotVersion]]:
    """Give the file with all entries, and their bots, ready to play.

    ConfigError if there are too few, or any of them can't play.
    """
    entered = [
        _read(entry)
        for entry in with_entered(arena, file, retired=False).entries
        if entry.name not in file.names
    ]
    file = msgspec.structs.replace(file, entries=(*file.entries, *entered))
    if len(file.entries) < 3:
        raise ConfigError(f"{len(file.entries)} entries; a tournament needs 3 or more")
    return file, bots_of(arena, file, _log.info)


def open_line_up(
    arena: Arena, file: TournamentFile, known: Mapping[str, BotVersion]
) -> dict[str, BotVersion]:
    """Give the bots that play at the moment, ready to play; `known` are ready already.

    One that can't play is left out, and doesn't keep the others from playing: while its
    files are damaged, or for good (until it is entered again) if they make no image.
    """
    retired = retired_entries(arena.store, file.name)
    ready: dict[str, BotVersion] = {}
    fresh: list[Entry] = []
    for entry in with_entered(arena, file, retired=False).entries:
        bot = known.get(entry.name)
        if entry.name in retired:
            continue
        if bot is not None and bot.version == entry.bot.version:
            ready[entry.name] = bot
            continue
        try:
            fresh.append(entry if entry.name in file.names else _read(entry))
        except ConfigError as error:
            _log.error("entry %s of %s is left out: %s", entry.name, file.name, error)
    return ready | _built(arena, file, fresh)


def _built(arena: Arena, file: TournamentFile, entries: Sequence[Entry]) -> dict[str, BotVersion]:
    """Make bots ready, all at once if that works, else one by one."""
    try:
        part = msgspec.structs.replace(file, entries=tuple(entries))
        return bots_of(arena, part, _log.info) if entries else {}
    except BuildFailed as error:
        if len(entries) == 1:
            (entry,) = entries
            _log.error("entry %s of %s plays no more: %s", entry.name, file.name, error)
            retire(
                arena.store,
                file.name,
                entry.name,
                why=f"plays no more in {file.name}: its image can't be built there; submit a "
                "version that can, or enter this one again",
            )
            return {}
    ready: dict[str, BotVersion] = {}
    for entry in entries:
        ready |= _built(arena, file, [entry])
    return ready


def _read(entry: Entry) -> Entry:
    """Read the folder of a bot that was submitted; ConfigError if it is damaged."""
    bot = read_bot(entry.bot.folder, in_container=True)
    if bot.digest != entry.bot.digest:
        raise ConfigError(f"{entry.bot.folder}: its files changed; restore them")
    return Entry(name=entry.name, bot=bot, gauntlet=False)
