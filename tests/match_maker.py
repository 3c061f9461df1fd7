"""Makes match specs for tests, and plays them with the bots of this repository."""

from __future__ import annotations

import shutil
from hashlib import sha256
from pathlib import Path

from thousand_referee.bots import read_bot
from thousand_referee.spec import BotVersion, FaultLimits, MatchSpec, TimeLimits

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "example_bots"
FAULTY = ROOT / "tests" / "faulty_bots"


def bot(folder: Path, name: str | None = None) -> BotVersion:
    """Give a bot that is started by ``python bot.py`` in this folder."""
    version = read_bot(folder, in_container=True).version
    return BotVersion(name or folder.name, version, str(folder.resolve()), ("python", "bot.py"))


def copy_faulty(name: str, parent: Path) -> Path:
    """Copy a faulty bot, with what it shares with others beside it; give its folder."""
    folder = parent / "faulty" / name
    if not folder.exists():
        shutil.copytree(FAULTY / name, folder, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(FAULTY / "faulty.py", folder)
    return folder


def faulty_bot(name: str, parent: Path) -> BotVersion:
    """Give a faulty bot that is started by ``python bot.py`` in a folder of its own."""
    return bot(copy_faulty(name, parent))


def digits(text: str, count: int = 32) -> str:
    """Give hex digits that look random and depend on a text alone."""
    return sha256(text.encode()).hexdigest()[:count]


def match_spec(
    folder: Path,
    *bots: BotVersion,
    name: str = "m",
    games: int = 1,
    tables: int = 1,
    time: TimeLimits | None = None,
    faults: FaultLimits | None = None,
    seed: str = "",
) -> MatchSpec:
    """Describe a match whose log and output go to a folder; without bots none can be started."""
    nobody = [BotVersion(who, "0" * 16, "/", ("false",)) for who in ("anna", "boris", "clara")]
    first, second, third = bots or nobody
    return MatchSpec(
        match=name,
        tournament="",
        bots=(first, second, third),
        first_block=0,
        block_seeds=tuple(digits(f"block {seed} {game}") for game in range(games)),
        bot_seeds=(digits(f"0 {seed}"), digits(f"1 {seed}"), digits(f"2 {seed}")),
        tables=tables,
        time=time or TimeLimits(),
        faults=faults or FaultLimits(),
        log_dir=str(folder / "logs"),
        output_dir=str(folder / "output"),
    )
