"""Tournament files: which bots play how many games, under which limits.

All keys but `entry` may be left out; `tournaments/` has commented examples::

    name = "demo"            # default: the file's name
    mode = "fixed"           # or "open": whoever enters plays, in an arena (thousand serve)
    accepts_entries = false  # of mode "fixed": bots can be entered in an arena, until it starts
    seed = 7                 # default: drawn when the tournament is created
    schedule = "full"        # every trio; or "balanced", every pair equally often
    blocks = 20              # for each trio, in a full schedule
    blocks_per_entry = 60    # in a balanced one, instead of blocks, and in mode "open"
    games_per_match = 20
    tables = 64              # games that a match plays at the same time
    [time]                   # milliseconds; the keys of spec.TimeLimits
    [faults]                 # the keys of spec.FaultLimits
    [sandbox]                # the keys of spec.Sandbox; kind = "docker" locks bots in;
                             # default where bots can be entered: the arena server's
    [[entry]]
    bot = "../example_bots/counter"   # a folder, relative to this file
    name = "counter"                  # default: the name in the folder's bot.toml
    gauntlet = false                  # if any is true, every trio has such an entry
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from thousand_referee.balanced import BalancedSchedule, balanced_schedule
from thousand_referee.bots import NAME_RULE, BotFolder, is_name, read_bot
from thousand_referee.errors import ConfigError
from thousand_referee.schedule import Schedule, schedule
from thousand_referee.spec import FaultLimits, Sandbox, TimeLimits
from thousand_referee.toml_files import read_toml

MAX_SEED_LENGTH: Final = 200
DEFAULT_BLOCKS: Final = 20
DEFAULT_BLOCKS_PER_ENTRY: Final = 200
"""In mode "open"."""
_DAY_MS: Final = 86_400_000
_RANGES: Final = {
    "blocks": (1, 99_999),
    "blocks_per_entry": (1, 99_999),
    "games_per_match": (1, 1_000),
    "tables": (1, 256),
    "time.move_ms": (1, _DAY_MS),
    "time.bank_ms": (0, _DAY_MS),
    "time.connect_ms": (1, _DAY_MS),
    "time.match_ms": (1, 7 * _DAY_MS),
    "faults.per_game": (1, 1_000),
    "faults.restarts": (0, 1_000),
    "sandbox.memory_mb": (32, 1_048_576),
    "sandbox.cpus": (0.1, 1_024),
    "sandbox.pids": (16, 65_536),
    "sandbox.tmp_mb": (1, 65_536),
    "sandbox.open_files": (32, 1_048_576),
}
"""Lowest and highest value of every number in a tournament file."""
_CPUSET: Final = re.compile(r"\d{1,5}(-\d{1,5})?(,\d{1,5}(-\d{1,5})?)*")


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A bot under the name it has in the tournament; `gauntlet` marks a challenger."""

    name: str
    bot: BotFolder
    gauntlet: bool


class TournamentFile(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament as its file describes it, with all defaults filled in.

    `seed` is None if the file leaves it open; a number became its decimal text. A full
    schedule has `blocks` for each trio, a balanced one and mode "open" `blocks_per_entry`;
    the other is None. `entries` are in the file's order.
    """

    name: str
    seed: str | None
    blocks: int | None = None
    blocks_per_entry: int | None = None
    games_per_match: int
    tables: int
    time: TimeLimits
    faults: FaultLimits
    entries: tuple[Entry, ...]
    sandbox: Sandbox = Sandbox()
    mode: Literal["fixed", "open"] = "fixed"
    accepts_entries: bool = False

    @property
    def is_for_arena(self) -> bool:
        """Whether bots can be entered in it, which needs an arena server."""
        return self.mode == "open" or self.accepts_entries

    @property
    def names(self) -> tuple[str, ...]:
        """The entries' names."""
        return tuple(entry.name for entry in self.entries)

    @property
    def challengers(self) -> tuple[str, ...]:
        """The names of the gauntlet's challengers; empty if everyone meets everyone."""
        return tuple(entry.name for entry in self.entries if entry.gauntlet)

    @property
    def schedule(self) -> Literal["full", "balanced"]:
        """The kind of schedule."""
        return "full" if self.blocks_per_entry is None else "balanced"

    def plan(self) -> Schedule | BalancedSchedule:
        """Plan the tournament's matches; of mode "open" there is no plan."""
        assert self.mode == "fixed"
        if self.blocks_per_entry is not None:
            return balanced_schedule(self.names, self.blocks_per_entry, self.games_per_match)
        assert self.blocks is not None
        return schedule(self.names, self.challengers, self.blocks, self.games_per_match)

    def config(self) -> dict[str, Any]:
        """Give all settings but name, seed and entries, as plain values for JSON."""
        blocks = "blocks" if self.schedule == "full" else "blocks_per_entry"
        keys = ("schedule", blocks, "games_per_match", "tables", "time", "faults", "sandbox")
        if self.mode == "open":
            keys = ("mode", *keys[1:])
        return {key: msgspec.to_builtins(getattr(self, key)) for key in keys}


class _EntryTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The keys of an [[entry]]."""

    bot: str
    name: str | None = None
    gauntlet: bool = False


class _Document(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The keys of a tournament file."""

    entry: tuple[_EntryTable, ...] = ()
    name: str | None = None
    mode: Literal["fixed", "open"] = "fixed"
    accepts_entries: bool = False
    seed: int | str | None = None
    schedule: Literal["full", "balanced"] = "full"
    blocks: int | None = None
    blocks_per_entry: int | None = None
    games_per_match: int = 20
    tables: int = 64
    time: TimeLimits = TimeLimits()
    faults: FaultLimits = FaultLimits()
    sandbox: Sandbox | None = None

    @property
    def is_for_arena(self) -> bool:
        return self.mode == "open" or self.accepts_entries


def read_tournament(path: Path, *, arena_sandbox: Sandbox | None = None) -> TournamentFile:
    """Read a tournament file and the folders of its bots.

    `arena_sandbox` is that of tournaments that bots can be entered in, unless the file has
    its own. ConfigError, naming file and key and what is allowed there, for whatever is
    wrong.
    """
    document = _read_document(path)
    sandbox = document.sandbox
    if sandbox is None:
        sandbox = (arena_sandbox if document.is_for_arena else None) or Sandbox()
    document = msgspec.structs.replace(document, sandbox=sandbox)
    name = path.stem if document.name is None else document.name
    if not is_name(name):
        source = " (the file's name; set this key)" if document.name is None else ""
        raise ConfigError(f"{path}: name: {name!r}{source} is no name; use {NAME_RULE}")
    _check_ranges(path, document)
    _check_cpuset(path, sandbox)
    if document.mode == "open":
        _check_mode(path, document)
    else:
        _check_schedule(path, document)
    return TournamentFile(
        name=name,
        seed=_check_seed(path, document.seed),
        mode=document.mode,
        accepts_entries=document.accepts_entries,
        blocks=_blocks_of(document),
        blocks_per_entry=_blocks_per_entry_of(document),
        games_per_match=document.games_per_match,
        tables=document.tables,
        time=document.time,
        faults=document.faults,
        sandbox=sandbox,
        entries=_read_entries(path, document, in_container=sandbox.kind == "docker"),
    )


def _read_document(path: Path) -> _Document:
    try:
        return read_toml(path, _Document, "a tournament file, such as tournaments/demo.toml")
    except ConfigError:
        if path.name != "bot.toml" or not path.is_file():
            raise
        raise ConfigError(
            f"{path}: this looks like a bot.toml; a tournament file has [[entry]] tables"
        ) from None


def _check_ranges(path: Path, document: _Document) -> None:
    for key, (lowest, highest) in _RANGES.items():
        value: Any = document
        for part in key.split("."):
            value = getattr(value, part)
        if value is not None and not lowest <= value <= highest:
            raise ConfigError(f"{path}: {key}: expected {lowest} to {highest}, got {_shown(value)}")


def _check_cpuset(path: Path, sandbox: Sandbox) -> None:
    cpuset = sandbox.cpuset
    if cpuset and not _CPUSET.fullmatch(cpuset):
        raise ConfigError(
            f'{path}: sandbox.cpuset: expected processors such as "2-5,7", got {cpuset!r}'
        )


def _blocks_of(document: _Document) -> int | None:
    is_full = document.mode == "fixed" and document.schedule == "full"
    return (document.blocks or DEFAULT_BLOCKS) if is_full else None


def _blocks_per_entry_of(document: _Document) -> int | None:
    if document.mode == "open" and document.blocks_per_entry is None:
        return DEFAULT_BLOCKS_PER_ENTRY
    return document.blocks_per_entry


def _check_mode(path: Path, document: _Document) -> None:
    """Refuse keys that don't go with an open tournament."""
    refused = {
        "schedule": document.schedule != "full",
        "blocks": document.blocks is not None,
        "accepts_entries": document.accepts_entries,
        "entry: gauntlet": any(entry.gauntlet for entry in document.entry),
    }
    for key, is_there in refused.items():
        if is_there:
            raise ConfigError(f'{path}: {key}: not in mode = "open"; remove one of the two')


def _check_schedule(path: Path, document: _Document) -> None:
    """Refuse keys that don't go with the kind of schedule."""
    if document.schedule == "full":
        if document.blocks_per_entry is not None:
            raise ConfigError(
                f'{path}: blocks_per_entry: is for schedule = "balanced"; set that, or blocks'
            )
        return
    if document.blocks_per_entry is None:
        raise ConfigError(
            f"{path}: blocks_per_entry: missing; a balanced schedule needs to know how many "
            "blocks each entry plays"
        )
    if document.blocks is not None:
        raise ConfigError(
            f'{path}: blocks: is for each trio of schedule = "full"; remove it, since '
            "blocks_per_entry is set"
        )
    for number, entry in enumerate(document.entry, start=1):
        if entry.gauntlet:
            raise ConfigError(
                f'{path}: entry {number}: gauntlet: a gauntlet needs schedule = "full"; set that, '
                "or remove this key"
            )


def _check_seed(path: Path, seed: int | str | None) -> str | None:
    """Give the seed as text; it is hashed with zero bytes around it, so may contain none."""
    if seed is None:
        return None
    text = seed if isinstance(seed, str) else _shown(seed)
    if not (0 < len(text) <= MAX_SEED_LENGTH and text.isprintable()):
        raise ConfigError(
            f"{path}: seed: expected a number or 1 to {MAX_SEED_LENGTH} printable characters, "
            f"got {text[:20]!r}"
        )
    return text


def _shown(number: float) -> str:
    """Give a number's decimal text, but a hexadecimal one of integers beyond TOML's 64 bits."""
    is_short = isinstance(number, float) or -(2**63) <= number < 2**63
    return str(number) if is_short else hex(int(number))


def _read_entries(path: Path, document: _Document, *, in_container: bool) -> tuple[Entry, ...]:
    tables = document.entry
    if len(tables) < 3 and not document.is_for_arena:
        raise ConfigError(
            f"{path}: entry: a tournament needs at least 3 entries, got {len(tables)}; "
            "add an [[entry]] with bot = a folder"
        )
    bots: dict[str, BotFolder] = {}
    numbers: dict[str, int] = {}
    entries = []
    for number, table in enumerate(tables, start=1):
        if table.bot not in bots:
            bots[table.bot] = _read_entry_bot(
                f"{path}: entry {number}: bot", path, table.bot, in_container
            )
        bot = bots[table.bot]
        name = bot.name if table.name is None else table.name
        where = f"{path}: entry {number}: name"
        if not is_name(name):
            raise ConfigError(f"{where}: {name!r} is no name; use {NAME_RULE}")
        if name in numbers:
            raise ConfigError(_collision(path, table, name, number, numbers))
        numbers[name] = number
        entries.append(Entry(name=name, bot=bot, gauntlet=table.gauntlet))
    return tuple(entries)


def _collision(
    path: Path, table: _EntryTable, name: str, number: int, numbers: Mapping[str, int]
) -> str:
    """Say that two entries have one name, and propose another."""
    numbered = (f"{name[:50]}-{count}" for count in itertools.count(2))
    names = itertools.chain((Path(table.bot).name,), numbered)
    proposed = next(each for each in names if is_name(each) and each not in numbers)
    is_new = table.name is None
    remedy = f'name = "{proposed}"'
    remedy = f"add {remedy} to that [[entry]]" if is_new else f"change that to {remedy}"
    return (
        f"{path}: entry {number} ({table.bot}): it is called {name!r}, as entry "
        f"{numbers[name]} is; {remedy}"
    )


def _read_entry_bot(where: str, path: Path, folder: str, in_container: bool) -> BotFolder:
    if not folder or "\0" in folder:
        raise ConfigError(f"{where}: expected a folder, got {folder!r}")
    try:
        return read_bot(path.parent / folder, in_container=in_container)
    except ConfigError as error:
        raise ConfigError(f"{where}: {error}") from None
