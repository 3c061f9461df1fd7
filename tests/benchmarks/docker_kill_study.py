"""Kills the Docker engine in mid-tournament, run after run, and counts what that costs.

Each run plays the same tournament with an engine of its own, which is ended (by SIGKILL
and SIGTERM in turn) at another moment, and started again a second later. No game may be
lost or differ, and no bot be charged with a fault. Run it with the tests on the path::

    PYTHONPATH=tests python tests/benchmarks/docker_kill_study.py [RUNS]
"""

from __future__ import annotations

import signal
import sys
import tempfile
from pathlib import Path

import docker_kills
from private_engine import private_engine


def main(runs: int) -> int:
    bad = 0
    with private_engine(docker_kills.images()) as engine, tempfile.TemporaryDirectory() as folder:
        calm = Path(folder, "calm")
        calm.mkdir()
        expected = docker_kills.run(calm, engine)
        print(f"undisturbed: {len(expected.games)} games in {expected.seconds:.1f} s", flush=True)
        for number in range(runs):
            kind = (signal.SIGKILL, signal.SIGTERM)[number % 2]
            after = 0.4 * number
            place = Path(folder, str(number))
            place.mkdir()
            found = docker_kills.run(place, engine, kill=kind, after=after)
            is_same = found.games == expected.games
            bad += not is_same or found.faults > 0
            print(
                f"run {number + 1:2}: {kind.name} {after:.1f} s after the first log: "
                f"{found.voids} void, {found.faults} faults, "
                f"{len(found.games)} games, {'all the same' if is_same else 'NOT the same'}, "
                f"{found.seconds:.1f} s",
                flush=True,
            )
    print(f"{runs - bad} of {runs} runs lost nothing and charged nobody")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 10))
