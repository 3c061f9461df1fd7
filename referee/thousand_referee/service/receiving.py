"""Receiving an archive: checked for size and digest, and on the disk before it counts."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import AsyncIterator
from hashlib import sha256
from pathlib import Path

from thousand.v1 import arena_pb2 as pb
from thousand_referee.bots import NAME_RULE, is_name
from thousand_referee.errors import TooMuch, Unacceptable
from thousand_referee.service.config import Limits
from thousand_referee.service.files import sync_folder

MAX_BOT_NAME = 48
"""A name is made longer for a bot's later versions."""


def check_metadata(bot: pb.SubmittedBot, limits: Limits) -> None:
    """Refuse (Unacceptable, TooMuch) a submission by what is said of it beforehand."""
    if not is_name(bot.name) or len(bot.name) > MAX_BOT_NAME or "#" in bot.name:
        raise Unacceptable(
            f"the bot's name {bot.name[:100]!r} is none; use {NAME_RULE}; but at most "
            f"{MAX_BOT_NAME}, and no #, which marks later versions; set name in bot.toml"
        )
    if len(bot.archive_sha256) != sha256().digest_size:
        raise Unacceptable("archive_sha256 isn't a SHA-256; send its 32 bytes")
    if not 0 < bot.archive_bytes <= limits.archive_mb << 20:
        raise TooMuch(
            f"an archive of {bot.archive_bytes:,} bytes; 1 to {limits.archive_mb << 20:,} are "
            "allowed; leave out what the bot doesn't need to play"
        )


def check_space(folder: Path, limits: Limits) -> None:
    """Refuse (TooMuch) what would be kept in a folder whose disk is nearly full."""
    if shutil.disk_usage(folder).free < limits.free_mb << 20:
        raise TooMuch("the arena's disk is nearly full; tell the organiser, and try again later")


async def receive(
    requests: AsyncIterator[pb.SubmitBotRequest], bot: pb.SubmittedBot, target: Path
) -> None:
    """Write the chunks that follow to a file; Unacceptable if they aren't what was announced.

    The file is there only when it is whole and on the disk.
    """
    part = target.with_name(target.name + ".part")
    digest, size = sha256(), 0
    try:
        with part.open("wb") as file:
            async for request in requests:
                size += len(request.chunk)
                if request.HasField("bot") or size > bot.archive_bytes:
                    raise Unacceptable("more was sent than the first request announced")
                digest.update(request.chunk)
                await asyncio.to_thread(file.write, request.chunk)
            if size != bot.archive_bytes or digest.digest() != bot.archive_sha256:
                raise Unacceptable(
                    f"the archive arrived damaged: {size:,} of {bot.archive_bytes:,} bytes, or "
                    "another SHA-256; send it again"
                )
            await asyncio.to_thread(_flush, file.fileno())
        part.rename(target)
        await asyncio.to_thread(sync_folder, target.parent)
    finally:
        part.unlink(missing_ok=True)


def _flush(descriptor: int) -> None:
    os.fsync(descriptor)
