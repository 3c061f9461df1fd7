"""A bot can fail in every way and nothing breaks: real matches with one faulty bot each.

Set THOUSAND_FAULT_TABLE to a file's name to have the results written there, as a table.
"""

from __future__ import annotations

import fcntl
import os
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from match_maker import EXAMPLES, FAULTY, bot, faulty_bot, match_spec
from referee_bench import short_games
from thousand_referee.launch.process import OUTPUT_LIMIT
from thousand_referee.match import play_match
from thousand_referee.matchlog.verify import verify_log
from thousand_referee.spec import BotVersion, FaultLimits, TimeLimits

CONNECT_MS = 8_000
LIMITS = TimeLimits(move_ms=500, bank_ms=1_000, connect_ms=CONNECT_MS, match_ms=60_000)
SEAT = 1
"""Where the faulty bot sits: it is the first to be asked."""

HANG = 2.2
"""Seconds until a hung bot is killed: its move, its bank, and a move time of silence."""

PLAY = 40.0
"""Seconds for all that every match needs; a twentieth of it where the machine is idle."""


@dataclass(frozen=True)
class Case:
    """A faulty bot, the kinds of fault it is charged with, and the time its match may take."""

    name: str
    kinds: tuple[str, ...] = ()
    seconds: float = PLAY
    restarts: int = 1


IN_CONTAINERS = {"probe"}
"""Bots whose misdeeds only a container can stop; the tests of containers are about those."""

NO_START = PLAY + CONNECT_MS / 1000
CASES = (
    Case("prints"),
    Case("exits_at_once", ("no-start",)),
    Case("dies_on_import", ("no-start",)),
    Case("not_found", ("no-start",)),
    Case("wrong_protocol", ("no-start",)),
    Case("never_connects", ("no-start",), NO_START, restarts=0),
    Case("no_hello", ("no-start",), NO_START, restarts=0),
    Case("garbage_hello", ("no-start",)),
    Case("wrong_token", ("no-start",)),
    Case("silent", ("timeout",), PLAY + 2 * HANG),
    Case("never_reads", ("timeout",), PLAY + 2 * HANG),
    Case("ignores_sigterm", ("timeout",), PLAY + 2 * HANG),
    Case("stops_itself", ("timeout",), PLAY + 2 * HANG),
    Case("stops_keeper", ("timeout",), PLAY + 2 * HANG),
    Case("just_in_time"),
    Case("just_late", ("timeout",)),
    Case("idle_words", ("timeout",)),
    Case("answers_twice"),
    Case("answers_out_of_turn"),
    Case("floods_answers", ("malformed",)),
    Case("unknown_decision", ("malformed",)),
    Case("wrong_kind", ("malformed",)),
    Case("malformed", ("malformed",)),
    Case("large_message", ("malformed",)),
    Case("huge_message", ("crash",)),
    Case("huge_numbers", ("illegal", "malformed")),
    Case("negative_numbers", ("illegal",)),
    Case("illegal", ("illegal",)),
    Case("floods_errors", seconds=2 * PLAY),
    Case("endless_line", seconds=2 * PLAY),
    Case("exits_early", ("crash",)),
    Case("dies_in_the_middle", ("crash",)),
    Case("hangs_up", ("crash",)),
    Case("stays"),
    Case("second_stream"),
    Case("many_connections"),
    Case("leaves_children"),
    Case("leaves_orphans"),
    Case("leaves_comet"),
    Case("forks"),
    Case("kills_keeper", ("crash",)),
)


def test_every_faulty_bot_has_a_case() -> None:
    folders = {path.parent.name for path in FAULTY.glob("*/bot.toml")}
    assert {case.name for case in CASES} == folders - IN_CONTAINERS


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_faults_reach_that_seat_only_and_nothing_is_left(case: Case, tmp_path: Path) -> None:
    faulty = faulty_bot(case.name, tmp_path)
    if case.name == "not_found":
        faulty = BotVersion(faulty.name, faulty.version, faulty.folder, ("./no-such-program",))
    spec = match_spec(
        tmp_path,
        bot(EXAMPLES / "random"),
        faulty,
        bot(EXAMPLES / "cautious"),
        games=2,
        tables=2,
        time=LIMITS,
        faults=FaultLimits(per_game=3, restarts=case.restarts),
    )
    started = time.monotonic()
    with short_games(4), peak_growth() as growth:
        summary = play_match(spec)
        seconds = time.monotonic() - started
        assert verify_log(Path(spec.log_dir) / f"{spec.match}.jsonl.gz") == summary
    write_row(case, summary.faults[SEAT], seconds, growth[0])

    assert tuple(sorted(summary.faults[SEAT])) == case.kinds
    assert not summary.faults[0]
    assert not summary.faults[2]
    assert len(summary.games) == 2
    assert seconds < case.seconds
    assert left_processes() == []
    assert left_sockets() == []
    for path in Path(spec.output_dir).rglob("*.log"):
        assert path.stat().st_size < 2 * OUTPUT_LIMIT + 100
    assert growth[0] < 64


def left_processes() -> list[str]:
    """Find what this process's matches have left running: bots by their address, keepers."""
    marker = f"thousand-{os.getuid()}/{os.getpid()}-".encode()
    found = []
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            command = (folder / "cmdline").read_bytes()
            is_ours = marker in (folder / "environ").read_bytes()
        except OSError:
            continue
        if is_ours or (parent == os.getpid() and b"keeper.py" in command):
            found.append(f"{folder.name} {command!r}")
    return found


def left_sockets() -> list[Path]:
    parent = Path(tempfile.gettempdir()) / f"thousand-{os.getuid()}"
    return list(parent.glob(f"{os.getpid()}-*"))


@contextmanager
def peak_growth() -> Iterator[list[float]]:
    """Watch by how many megabytes this process grows, at its largest."""

    def resident() -> float:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6

    before, peak, over = resident(), [0.0], threading.Event()

    def watch() -> None:
        while not over.wait(0.02):
            peak[0] = max(peak[0], resident() - before)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield peak
    finally:
        over.set()
        watcher.join()


def write_row(case: Case, faults: dict[str, int], seconds: float, megabytes: float) -> None:
    """Add a line to the table of results, if one is wanted."""
    name = os.environ.get("THOUSAND_FAULT_TABLE")
    if name is None:
        return
    text = ", ".join(f"{count} {kind}" for kind, count in sorted(faults.items())) or "none"
    with Path(name).open("a", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        if file.tell() == 0:
            file.write("| Bot | Faults | Match, s | Bound, s | Referee grew by, MB |\n")
            file.write("|---|---|---|---|---|\n")
        file.write(
            f"| {case.name} | {text} | {seconds:.1f} | {case.seconds:.0f} | {megabytes:.1f} |\n"
        )
