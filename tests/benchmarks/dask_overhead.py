"""What a match costs more on a Dask worker than in a local match process.

    python tests/benchmarks/dask_overhead.py [MATCHES]

Both play the same matches of one game, one at a time and by turns, on this machine: a
scheduler and one worker are started for it.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import Executor
from pathlib import Path

import msgspec

from thousand_referee.bots import read_bot
from thousand_referee.cluster.executor import cluster
from thousand_referee.executor import LocalExecutor
from thousand_referee.match import play_match
from thousand_referee.spec import FaultLimits, MatchSpec, TimeLimits

BOT = Path(__file__).resolve().parents[2] / "example_bots" / "cautious"


def spec_of(folder: Path) -> MatchSpec:
    """Make a match of three cautious bots, whose games are short."""
    bot = read_bot(BOT)
    first, second, third = (bot.as_entry(name) for name in ("one", "two", "three"))
    return MatchSpec(
        match="",
        tournament="",
        bots=(first, second, third),
        first_block=0,
        block_seeds=("00" * 16,),
        bot_seeds=("00" * 16, "01" * 16, "02" * 16),
        tables=1,
        time=TimeLimits(),
        faults=FaultLimits(),
        log_dir=str(folder),
        output_dir=str(folder),
    )


def seconds(executor: Executor, spec: MatchSpec) -> float:
    """Play once, and give how long it took."""
    began = time.perf_counter()
    executor.submit(play_match, spec).result()
    return time.perf_counter() - began


def main() -> None:
    """Print the two times, and their difference."""
    parser = argparse.ArgumentParser()
    parser.add_argument("matches", nargs="?", type=int, default=10)
    matches: int = parser.parse_args().matches
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = folder / "scheduler.json"
        dask = [str(Path(sys.executable).parent / "dask")]
        quiet = [*("--scheduler-file", str(file)), "--no-dashboard"]
        scheduler = [*dask, "scheduler", "--host", "127.0.0.1", "--port", "0", *quiet]
        worker = [*dask, "worker", "--nthreads", "1", "--local-directory", name, *quiet]
        processes = [subprocess.Popen(scheduler, stderr=subprocess.DEVNULL)]
        local = LocalExecutor(1)
        try:
            while not file.exists():
                time.sleep(0.1)
            processes.append(subprocess.Popen(worker, stderr=subprocess.DEVNULL))
            address = json.loads(file.read_text())["address"]
            with cluster(address) as remote:
                taken: dict[str, list[float]] = {"local": [], "dask": []}
                spec = spec_of(folder)
                for number in range(matches + 1):
                    for kind, executor in (("local", local), ("dask", remote)):
                        one = msgspec.structs.replace(spec, match=f"{kind}-{number}")
                        taken[kind].append(seconds(executor, one))
        finally:
            local.shutdown()
            for process in processes:
                process.terminate()
                process.wait()
    # The first of each starts a process, or unpacks the bots.
    here, there = (statistics.median(taken[kind][1:]) for kind in ("local", "dask"))
    pairs = zip(taken["local"][1:], taken["dask"][1:], strict=True)
    more = statistics.median(dask - local for local, dask in pairs)
    print(f"{matches} matches of one game each; medians")
    print(f"local {1000 * here:.0f} ms, dask {1000 * there:.0f} ms")
    print(f"a match costs {1000 * more:.0f} ms more on a worker")
    print(f"the first: local {taken['local'][0]:.2f} s, dask {taken['dask'][0]:.2f} s")


if __name__ == "__main__":
    main()
