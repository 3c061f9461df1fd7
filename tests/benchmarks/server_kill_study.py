"""An arena server that is killed again and again with signal 9, at random moments.

    python tests/benchmarks/server_kill_study.py [RUNS]

In each run a server plays a tournament and takes bots in, and is killed up to six times.
All that it had confirmed must be there at the end: every submission checked and its bot
in its folder once, every game of the tournament played once, every log verified, and no
process left.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from server_kills import run_and_kill


def main() -> None:
    """Print a line for each run; fail at the first that is not as it should be."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    chance = random.Random(1)
    for number in range(runs):
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            told = run_and_kill(Path(folder), kills=chance.randint(1, 6), seed=number)
        print(f"run {number}: {told}, {time.monotonic() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
