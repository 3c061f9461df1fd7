"""Running the real ``thousand`` command in tests, and looking at what it leaves."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from thousand_referee.matchlog.reader import find_logs, read_log
from thousand_referee.matchlog.records import DealLine, GameLine

REPOSITORY = Path(__file__).resolve().parent.parent
EXAMPLE_BOTS = REPOSITORY / "example_bots"
COMMAND = Path(sys.executable).parent / "thousand"


def thousand(
    *arguments: str | Path, check: bool = True, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run the command to its end; with `check`, an exit status but 0 fails the test."""
    done = subprocess.run(
        [str(COMMAND), *map(str, arguments)],
        capture_output=True,
        text=True,
        env=os.environ | environment,
        cwd=REPOSITORY,
        timeout=110,
        check=False,
    )
    # gRPC itself, now and then, tells of a call that is canceled as its loop ends.
    told = re.sub(r"Traceback.*\n.*_schedule_rpc_coro\n.*CancelledError\n", "", done.stderr)
    assert "Traceback" not in told, told
    if check:
        assert done.returncode == 0, done.stderr + done.stdout
    return done


def start(*arguments: str | Path) -> subprocess.Popen[str]:
    """Start the command in a session of its own."""
    return subprocess.Popen(
        [str(COMMAND), *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=REPOSITORY,
        start_new_session=True,
    )


def tournament_file(
    folder: Path, *bots: str | Path, blocks: int = 2, games_per_match: int = 1, extra: str = ""
) -> Path:
    """Write a tournament named ``t`` with these bots (names of example bots, or folders)."""
    lines = [
        'name = "t"', "seed = 5", f"blocks = {blocks}", f"games_per_match = {games_per_match}",
        "tables = 4", extra,
    ]  # fmt: skip
    for number, bot in enumerate(bots):
        folder_of_bot = EXAMPLE_BOTS / bot if isinstance(bot, str) else bot
        lines.append(f'[[entry]]\nbot = "{folder_of_bot}"\nname = "bot{number}"')
    path = folder / "t.toml"
    path.write_text("\n".join(lines))
    return path


def played_games(data: Path) -> dict[tuple[str, int], list[Any]]:
    """Give every game of the finished logs, card for card, without times.

    Keys are match id and game; a game that is there twice fails the test.
    """
    games: dict[tuple[str, int], list[Any]] = {}
    for path in find_logs(data / "logs"):
        if path.suffix != ".gz":
            continue
        deals: dict[int, list[Any]] = {}
        match = path.name.removesuffix(".jsonl.gz")
        for _, line in read_log(path):
            if isinstance(line, DealLine):
                deals.setdefault(line.game, []).append(
                    msgspec.structs.replace(line, ms=(0.0, 0.0, 0.0))
                )
            elif isinstance(line, GameLine):
                assert (match, line.game) not in games
                games[match, line.game] = [*deals.pop(line.game), line]
    return games


def unfinished_logs(data: Path) -> list[Path]:
    """List the logs that are being written.

    Looks for them where they are only: a walk through the whole data folder fails when a
    match removes a folder of its own meanwhile.
    """
    return list((data / "logs").glob("*/*.jsonl"))


def finished_logs(data: Path) -> list[Path]:
    """List the logs of matches that are over."""
    return list((data / "logs").glob("*/*.jsonl.gz"))


def has_begun(data: Path) -> bool:
    """Whether a match is under way that has logged a deal."""
    for path in unfinished_logs(data):
        with suppress(OSError):
            if b'{"type":"deal"' in path.read_bytes():
                return True
    return False


def processes_with(marker: str) -> list[int]:
    """Find living processes (zombies aside) whose command line or environment has a text."""
    return [number for number, text in _process_texts() if marker.encode() in text]


def children_of(parent: int, marker: str) -> list[int]:
    """Find the child processes of a process with a text in their command line."""
    found = []
    for number in processes_with(marker):
        try:
            stat = Path(f"/proc/{number}/stat").read_bytes()
        except OSError:
            continue
        if int(stat.rpartition(b")")[2].split()[1]) == parent:
            found.append(number)
    return found


def bots_running(data: Path, name: str = "") -> list[int]:
    """Find the living processes of bots, or of one, that run from copies in a data folder."""
    found = []
    for number in processes_with(f"{data}/output/"):
        with suppress(OSError):
            folder = Path(f"/proc/{number}/cwd").readlink()
            if ".running" in folder.parts and name in ("", folder.name):
                found.append(number)
    return found


def _process_texts() -> Iterator[tuple[int, bytes]]:
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and int(folder.name) != os.getpid():
            try:
                state = (folder / "stat").read_bytes().rpartition(b")")[2].split()[0]
                text = (folder / "cmdline").read_bytes() + (folder / "environ").read_bytes()
                text += str((folder / "cwd").readlink()).encode()
            except OSError:
                continue
            if state != b"Z":
                yield int(folder.name), text


def wait_until(condition: Callable[[], bool], seconds: float = 30.0) -> bool:
    """Give whether the condition became true in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return condition()
