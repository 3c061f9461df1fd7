"""Bots' files: whether they are those of the version that was entered, and copies of them.

A match's bots run from copies of its own, made when it begins. So an edit of a bot's
folder is no part of any match under way, and stops the next one; and what a bot writes
among its own files is gone with its match, and with it no other sees it. A bot in a
container is its image, which doesn't change; its folder isn't looked at.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Container, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final, TypeAlias

import msgspec

from thousand_referee.bots import files_in, read_bot
from thousand_referee.errors import BotChanged, ConfigError, MatchVoid
from thousand_referee.private_folders import private_folder
from thousand_referee.spec import BotVersion, MatchSpec

Signature: TypeAlias = tuple[tuple[str, int, int, int, int, int], ...]
"""Path, mode, inode, size and times of every file of a bot: what changes when a file does."""

_COPIES: Final = ".running"
"""The folder of the copies, among the folders of what the matches' bots print."""

_versions: Final[dict[str, tuple[Signature, str]]] = {}
"""By folder: how it looked, and the version its files had. A process plays many matches."""


@contextmanager
def own_copies(spec: MatchSpec, residents: Container[int] = ()) -> Iterator[MatchSpec]:
    """Give the match with bots that lie in folders of its own, for the length of a block.

    `BotChanged` if one isn't what was entered; `MatchVoid` if it can't be copied. Bots in
    containers, and at the seats of `residents`, stay what they are.
    """
    copied = [seat for seat, bot in enumerate(spec.bots) if seat not in residents and not bot.image]
    if not copied:
        yield spec
        return
    parent = Path(spec.output_dir) / _COPIES
    with ExitStack() as stack:
        try:
            folder = stack.enter_context(private_folder(parent))
            bots = list(spec.bots)
            for seat in copied:
                bots[seat] = copy_version(bots[seat], folder / str(seat) / bots[seat].name)
        except OSError as error:
            raise MatchVoid(
                f"bots can't be copied into {parent} ({error.strerror or error}); free some "
                "space there, or use another --data"
            ) from error
        first, second, third = bots
        yield msgspec.structs.replace(spec, bots=(first, second, third))


def copy_version(bot: BotVersion, folder: Path) -> BotVersion:
    """Copy a bot's files into a new folder; give the bot as it is there.

    `BotChanged` if they aren't its version; OSError if they can't be written.
    """
    before = check_version(bot)
    source = Path(bot.folder)
    try:
        folder.mkdir(parents=True)
        for name, mode, *_ in before:
            _copy(source, folder, name, mode)
    except OSError:
        check_version(bot)  # rather somebody edits than the disk is full
        raise
    if check_version(bot) != before:
        raise MatchVoid(f"the files of {bot.name} ({bot.folder}) were touched meanwhile")
    return msgspec.structs.replace(bot, folder=str(folder))


def check_version(bot: BotVersion) -> Signature:
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


def _copy(source: Path, folder: Path, name: str, mode: int) -> None:
    """Copy a file as one that its owner may run if that was so, or a link inside the folder."""
    original, copy = source / name, folder / name
    copy.parent.mkdir(parents=True, exist_ok=True)
    if stat.S_ISLNK(mode):
        aim = original.resolve().relative_to(source.resolve())
        copy.symlink_to(os.path.relpath(folder / aim, copy.parent))
        return
    shutil.copyfile(original, copy)
    copy.chmod(0o755 if mode & stat.S_IXUSR else 0o644)


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
