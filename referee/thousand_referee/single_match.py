"""Matches on their own, which belong to no tournament."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from thousand.rules import block_seed
from thousand_referee.bots import is_name, read_bot
from thousand_referee.data_folder import SINGLE_MATCHES, DataFolder
from thousand_referee.schedule import bot_seed
from thousand_referee.spec import BotVersion, FaultLimits, MatchSpec, Sandbox, TimeLimits


def single_match(
    bots: Sequence[BotVersion],
    *,
    seed: str,
    games: int,
    tables: int,
    time: TimeLimits,
    faults: FaultLimits,
    data: DataFolder,
    sandbox: Sandbox | None = None,
) -> MatchSpec:
    """Describe a match of three bots, by seat, of different names."""
    first, second, third = bots
    trio = [bot.name for bot in bots]
    seeds = tuple(bot_seed(seed, "match", seat).hex() for seat in range(3))
    return MatchSpec(
        match=new_id(),
        tournament="",
        bots=(first, second, third),
        first_block=0,
        block_seeds=tuple(block_seed(seed, trio, block).hex() for block in range(games)),
        bot_seeds=(seeds[0], seeds[1], seeds[2]),
        tables=tables,
        time=time,
        faults=faults,
        log_dir=str(data.logs / SINGLE_MATCHES),
        output_dir=str(data.output / SINGLE_MATCHES),
        sandbox=sandbox or Sandbox(),
    )


def new_id() -> str:
    """Give an id that follows from the time, so that no other match is replaced."""
    return f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(2)}"


def read_entries(
    folders: Iterable[Path], taken: Iterable[str] = (), *, in_container: bool = False
) -> list[BotVersion]:
    """Read bots' folders, and give each bot a name of its own.

    Bots of one name in different folders, such as two versions of a bot, are called like
    their folders; whose name is still another's is called `NAME#2`, and so on. Names that
    are `taken` count as first ones. `ConfigError` for a folder that is no bot's.
    """
    bots = [(path, read_bot(path, in_container=in_container)) for path in folders]
    folders_of: dict[str, set[Path]] = {}
    for _, bot in bots:
        folders_of.setdefault(bot.name, set()).add(bot.folder)
    names = set(taken)
    entries = []
    for path, bot in bots:
        # The name as it was typed, which a link's target need not have.
        folder = path.absolute().name
        is_told_apart = len(folders_of[bot.name]) > 1 and is_name(folder)
        called = name = folder if is_told_apart else bot.name
        count = 1
        while name in names:
            count += 1
            name = f"{called}#{count}"
        names.add(name)
        entries.append(bot.as_entry(name))
    return entries
