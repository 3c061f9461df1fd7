"""No bot is charged a fault for a busy machine: many games while other processes compute.

Run ``python tests/benchmarks/loaded_machine.py``. It plays the example bots against each
other with a second for each decision, next to processes that do nothing but compute, and
ends with status 1 if any bot was charged a fault.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from match_maker import EXAMPLES, bot, match_spec
from thousand_referee.match import play_match
from thousand_referee.matchlog.reader import read_log
from thousand_referee.matchlog.records import EndLine
from thousand_referee.matchlog.summary import MatchSummary
from thousand_referee.spec import MatchSpec, TimeLimits
from thousand_referee.times import TimeHistogram


def compute() -> None:
    """Keep a processor busy."""
    while True:
        sum(range(100_000))


def report(spec: MatchSpec, summary: MatchSummary, seconds: float, busy: int) -> None:
    """Say how the match went, and how long decisions took."""
    end = list(read_log(Path(spec.log_dir) / f"{spec.match}.jsonl.gz"))[-1][1]
    assert isinstance(end, EndLine)
    decisions = sum(sum(game.asked) for game in summary.games)
    print(f"{os.cpu_count()} processors, {busy} busy processes; one minute's load", end=" ")
    print(f"{os.getloadavg()[0]:.1f} at the end")
    print(f"{len(summary.games)} games at {spec.tables} tables in {seconds:.0f} s:", end=" ")
    print(f"{decisions} decisions, {decisions / seconds:.0f} a second")
    print(f"the referee was late by {end.lag_ms:.0f} ms at worst, which nobody was charged")
    for entry, times, faults in zip(spec.bots, end.times, summary.faults, strict=True):
        histogram = TimeHistogram.from_json(times)
        median, p99 = histogram.quantile(0.5), histogram.quantile(0.99)
        print(
            f"  {entry.name:10} median {median:.2f} ms, p99 {p99:.1f} ms, "
            f"worst {histogram.worst_ms:.0f} ms; faults: {faults or 'none'}"
        )


def main() -> int:
    """Load the machine, play, and report."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=1_000)
    parser.add_argument("--tables", type=int, default=32)
    parser.add_argument("--busy", type=int, default=4, help="processes that only compute")
    parser.add_argument("--move-ms", type=int, default=1_000)
    parser.add_argument("--bank-ms", type=int, default=0, help="none: each decision for itself")
    options = parser.parse_args()
    context = multiprocessing.get_context("spawn")
    busy = [context.Process(target=compute, daemon=True) for _ in range(options.busy)]
    for process in busy:
        process.start()
    with tempfile.TemporaryDirectory() as folder:
        spec = match_spec(
            Path(folder),
            *(bot(EXAMPLES / name) for name in ("random", "cautious", "counter")),
            games=options.games,
            tables=options.tables,
            time=TimeLimits(
                move_ms=options.move_ms, bank_ms=options.bank_ms, match_ms=24 * 3_600_000
            ),
        )
        started = time.monotonic()
        summary = play_match(spec)
        report(spec, summary, time.monotonic() - started, options.busy)
    for process in busy:
        process.kill()
    return 1 if any(summary.faults) else 0


if __name__ == "__main__":
    sys.exit(main())
