"""Whether the files of bots are still those of the version that was entered.

A match looks twice: before its bots start, and when all games are played but its log is
not finished. So no log, and with it no result, ever comes from a mixture of versions. A
bot in a container is its image, which doesn't change; its folder isn't looked at.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final, TypeAlias

from thousand_referee.bots import files_in, read_bot
from thousand_referee.errors import BotChanged, ConfigError, MatchVoid
from thousand_referee.spec import BotVersion

Signature: TypeAlias = tuple[tuple[str, int, int, int, int, int], ...]
"""Path, mode, inode, size and times of every file of a bot: what changes when a file does."""

_versions: Final[dict[str, tuple[Signature, str]]] = {}
"""By folder: how it looked, and the version its files had. A process plays many matches."""


class VersionGuard:
    """Watches over the files of a match's bots, from when it is made until `check`."""

    def __init__(self, bots: Iterable[BotVersion]) -> None:
        """Compare all bots with their versions; `BotChanged` if one isn't what was entered."""
        self._bots = [bot for bot in bots if not bot.image]
        self._signatures = [_compare(bot) for bot in self._bots]

    def check(self) -> None:
        """Compare again; `BotChanged` as before.

        `MatchVoid` if files were written to and are again what they were.
        """
        for bot, before in zip(self._bots, self._signatures, strict=True):
            if _compare(bot) != before:
                raise MatchVoid(f"the files of {bot.name} ({bot.folder}) were touched meanwhile")


def _compare(bot: BotVersion) -> Signature:
    """Give how a bot's folder looks; `BotChanged` unless its files are the bot's version."""
    folder = Path(bot.folder)
    try:
        signature = _signature_of(folder)
        known = _versions.get(bot.folder)
        if known is None or known[0] != signature:
            known = _versions[bot.folder] = signature, read_bot(folder, in_container=True).version
    except (ConfigError, OSError) as error:
        raise BotChanged(bot.name, bot.folder, bot.version, f"can't be read: {error}") from None
    if known[1] != bot.version:
        raise BotChanged(bot.name, bot.folder, bot.version, f"are now version {known[1]}")
    return signature


def _signature_of(folder: Path) -> Signature:
    signature = []
    for name in sorted(files_in(folder), key=os.fsencode):
        status = (folder / name).lstat()
        signature.append(
            (
                name,
                status.st_mode,
                status.st_ino,
                status.st_size,
                status.st_mtime_ns,
                status.st_ctime_ns,
            )
        )
    return tuple(signature)
