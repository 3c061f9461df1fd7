"""The faulty bots, what is expected of matches with them, and a look at what is left."""

from __future__ import annotations

import fcntl
import json
import os
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from match_maker import FAULTY
from referee_bench import short_games
from thousand_referee.launch.process import OUTPUT_LIMIT
from thousand_referee.match import play_match
from thousand_referee.matchlog.reader import read_log
from thousand_referee.matchlog.records import FaultLine
from thousand_referee.matchlog.verify import verify_log
from thousand_referee.spec import MatchSpec

SEAT = 1
"""Where the faulty bot sits: it is the first to be asked."""

GAMES = 2
DEALS = 4

CONNECT_SECONDS = 8.0
CONTAINER_CONNECT_SECONDS = 12.0

HANG = 2.2
"""Seconds until a hung bot is killed: its move, its bank, and a move time of silence."""

PLAY = 40.0
"""Seconds for all that every match needs; a twentieth of it where the machine is idle."""

CONTAINERS = 60.0
"""The same for containers, which take longer to start."""

MEGABYTES = 64
"""The referee's own memory grows by less, whatever a bot does."""

TABLE = "THOUSAND_FAULT_TABLE"
"""The environment variable with the file that results are added to, a JSON object a line."""


@dataclass(frozen=True)
class Case:
    """A faulty bot and what is expected of it.

    `kinds` are those of its faults, `locked` those where it runs in a container (the
    same, if None); `detail` is in one of them there. `extra` are the seconds that a
    match may take beyond what every match may. Where `everywhere` is false, only a
    container can stop it.
    """

    name: str
    kinds: tuple[str, ...] = ()
    extra: float = 0.0
    restarts: int = 1
    locked: tuple[str, ...] | None = None
    detail: str = ""
    waits_for_connect: bool = False
    everywhere: bool = True

    def bound(self, launcher: str) -> float:
        """The seconds that a match may take."""
        connect = CONNECT_SECONDS if launcher == "process" else CONTAINER_CONNECT_SECONDS
        base = PLAY if launcher == "process" else CONTAINERS
        return base + self.extra + self.waits_for_connect * connect


NO_START = ("no-start",)
CASES = (
    Case("prints"),
    Case("exits_at_once", NO_START),
    Case("dies_on_import", NO_START),
    Case("not_found", NO_START),
    Case("wrong_protocol", NO_START),
    Case("never_connects", NO_START, restarts=0, waits_for_connect=True),
    Case("no_hello", NO_START, restarts=0, waits_for_connect=True),
    Case("garbage_hello", NO_START),
    Case("wrong_token", NO_START, waits_for_connect=True),
    Case("silent", ("timeout",), 2 * HANG),
    Case("never_reads", ("timeout",), 2 * HANG),
    Case("ignores_sigterm", ("timeout",), 2 * HANG),
    Case("stops_itself", ("timeout",), 2 * HANG),
    Case("stops_keeper", ("timeout",), 2 * HANG),
    Case("just_in_time"),
    Case("just_late", ("timeout",)),
    Case("idle_words", ("timeout",)),
    Case("dribbles"),
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
    Case("floods_errors", extra=PLAY),
    Case("endless_line", extra=PLAY),
    Case("exits_early", ("crash",)),
    Case("dies_in_the_middle", ("crash",)),
    Case("hangs_up", ("crash",)),
    Case("stays"),
    Case("second_stream"),
    Case("dials_others"),
    Case("steals_tokens"),
    Case("many_connections"),
    Case("burns_processor"),
    Case("leaves_children"),
    Case("leaves_orphans"),
    Case("leaves_comet"),
    # In a container it has used up its processes before it can say hello.
    Case("forks", locked=NO_START),
    # In a container its parent is the container's init, which it can't kill.
    Case("kills_keeper", ("crash",), 2 * HANG, locked=("timeout",)),
    Case("fork_bomb", ("timeout",), 2 * HANG, everywhere=False),
    Case("memory_bomb", ("crash",), everywhere=False, detail="out of memory (256 MB)"),
    Case("fills_disk", ("crash",), everywhere=False, detail="it exited with status 1"),
    Case("snoops", everywhere=False),
    Case("probe", everywhere=False),
)


def folders() -> set[str]:
    """Give the names of all faulty bots."""
    return {path.parent.name for path in FAULTY.glob("*/bot.toml")}


def play(
    case: Case,
    spec: MatchSpec,
    launcher: str,
    others_left: Callable[[], list[str]] = list,
) -> list[FaultLine]:
    """Play a match with a faulty bot; check all that holds for every one. Give its faults.

    `others_left` finds what may be left of it besides processes, sockets and files.
    """
    began = time.monotonic()
    with short_games(DEALS), peak_growth() as growth:
        summary = play_match(spec)
        seconds = time.monotonic() - began
        path = Path(spec.log_dir) / f"{spec.match}.jsonl.gz"
        assert verify_log(path) == summary
    left = left_processes() + left_files(spec) + others_left()
    write_row(case, launcher, summary.faults[SEAT], seconds, left, growth[0])
    faults = [line for _, line in read_log(path) if isinstance(line, FaultLine)]

    assert not summary.faults[0], faults
    assert not summary.faults[2], faults
    assert len(summary.games) == GAMES
    assert seconds < case.bound(launcher)
    assert left == []
    for output in Path(spec.output_dir).rglob("*.log"):
        assert output.stat().st_size < 2 * OUTPUT_LIMIT + 100
    assert growth[0] < MEGABYTES
    return faults


def said(spec: MatchSpec) -> str:
    """Give what the faulty bot printed when it was started first."""
    return Path(spec.output_dir, spec.match, f"{SEAT}-{spec.bots[SEAT].name}.log").read_text()


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
    """Find the folders of sockets that this process's matches have left."""
    parent = Path(tempfile.gettempdir()) / f"thousand-{os.getuid()}"
    return list(parent.glob(f"{os.getpid()}-*"))


def left_files(spec: MatchSpec) -> list[str]:
    """Find what a match has left besides its log and its bots' output."""
    copies = list(Path(spec.output_dir, ".running").glob("*"))
    logs = [path for path in Path(spec.log_dir).iterdir() if path.suffix != ".gz"]
    return [str(path) for path in (*left_sockets(), *copies, *logs)]


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


def write_row(
    case: Case,
    launcher: str,
    faults: dict[str, int],
    seconds: float,
    left: list[str],
    megabytes: float,
) -> None:
    """Add a result to the table, if one is wanted; `fault_table.py` makes it up."""
    name = os.environ.get(TABLE)
    if name is None:
        return
    row = {
        "bot": case.name,
        "launcher": launcher,
        "faults": faults,
        "bound": case.bound(launcher),
        "took": round(seconds, 1),
        "left": left,
        "megabytes": round(megabytes, 1),
    }
    with Path(name).open("a", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write(json.dumps(row) + "\n")
