"""What a match is made of: plain values that travel between processes.

All are frozen msgspec structs: picklable, comparable, and read from and written to
TOML and JSON with errors that name the key.
"""

from __future__ import annotations

from typing import Literal

import msgspec


class TimeLimits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The clock's limits, in milliseconds.

    `move_ms` is for each decision. What goes beyond is drawn from `bank_ms`, which is
    for one game. `connect_ms` is from the start of a bot's process to its hello.
    `match_ms` is all the time one bot may be charged in a whole match.
    """

    move_ms: int = 1_000
    bank_ms: int = 10_000
    connect_ms: int = 20_000
    match_ms: int = 900_000


class FaultLimits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """After `per_game` faults a bot is out of that game; `restarts` is per match."""

    per_game: int = 3
    restarts: int = 2


class Sandbox(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What bots are locked into: plain processes aren't at all, Docker containers are.

    All but `kind` is for containers. `base_image` is what the image of Python bots is built
    from; `build_network` lets a bot's own Dockerfile reach the network while it is built,
    and `build_args` are handed to it. `memory_mb` is without swap, of which `tmp_mb` may be
    files in ``/tmp``. Less than one of `cpus` makes bots miss deadlines: a used-up quota
    stops them for tens of milliseconds. `cpuset` pins bots to processors, as in
    ``"2-5,7"``. `pids` counts threads; an idle Python bot has 9. `runtime` is one that the
    engine knows, such as gVisor's ``runsc``.
    """

    kind: Literal["process", "docker"] = "process"
    base_image: str = "python:3.11-slim"
    build_network: bool = False
    build_args: dict[str, str] = {}
    memory_mb: int = 256
    cpus: float = 1.0
    cpuset: str = ""
    pids: int = 64
    tmp_mb: int = 16
    open_files: int = 256
    runtime: str = ""


class BotVersion(msgspec.Struct, frozen=True):
    """An entry's bot as a match runs it.

    `folder` is absolute, `command` as in `bot.toml`, `version` a digest of its files.
    `image` is the id of its image, where it runs in a container.
    """

    name: str
    version: str
    folder: str
    command: tuple[str, ...]
    image: str = ""


class MatchSpec(msgspec.Struct, frozen=True, kw_only=True):
    """One match: one trio in one seating, `games` games on consecutive blocks.

    `bots` are by seat. `block_seeds` (hex) fix the cards of each game, `bot_seeds`
    (hex, by seat) are what the bots draw their own lots from. Game *g* plays block
    ``first_block + g``. `log_dir` and `output_dir` are absolute folders.
    """

    match: str
    tournament: str
    bots: tuple[BotVersion, BotVersion, BotVersion]
    first_block: int
    block_seeds: tuple[str, ...]
    bot_seeds: tuple[str, str, str]
    tables: int
    time: TimeLimits
    faults: FaultLimits
    log_dir: str
    output_dir: str
    sandbox: Sandbox = Sandbox()

    @property
    def games(self) -> int:
        """Number of games."""
        return len(self.block_seeds)
