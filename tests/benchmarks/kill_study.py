"""Runs of a tournament in which a match process, or a bot, is killed at a random point.

    python tests/benchmarks/kill_study.py [RUNS]

Each run must end with the same set of games as an undisturbed one, none lost, none
twice, and leave no process. Games where a match process was killed must also be the
same card for card.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from arena_runs import (
    EXAMPLE_BOTS,
    bots_running,
    children_of,
    played_games,
    processes_with,
    start,
    thousand,
    tournament_file,
    wait_until,
)


def main() -> None:
    """Print a line for each run; exit with 1 at the first that is not as it should be."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        bots = [
            Path(shutil.copytree(EXAMPLE_BOTS / bot, folder / "bots" / bot))
            for bot in ("counter", "cautious", "random")
        ]
        file = tournament_file(folder, *bots, blocks=1)
        thousand("tournament", "run", file, "--data", folder / "calm", "--jobs", "2")
        calm = played_games(folder / "calm")
        chance = random.Random(1)
        for number in range(runs):
            for kind in ("match", "bot"):
                data = folder / f"{kind}-{number}"
                run = start("tournament", "run", file, "--data", data, "--jobs", "2")
                time.sleep(chance.uniform(0.8, 4.0))
                victims: list[int] = []
                while not victims and run.poll() is None:
                    victims = (
                        children_of(run.pid, "spawn_main")
                        if kind == "match"
                        else bots_running(data)
                    )
                if not victims:
                    sys.exit(f"{kind} {number}: the run was over before anything was killed")
                os.kill(chance.choice(victims), signal.SIGKILL)
                _, errors = run.communicate()
                games = played_games(data)
                same = games == calm if kind == "match" else games.keys() == calm.keys()
                gone = wait_until(lambda: not processes_with(str(folder)))
                print(f"{kind} {number}: same {same}, gone {gone}", flush=True)
                if not (same and gone and run.returncode == 0):
                    sys.exit(errors)


if __name__ == "__main__":
    main()
