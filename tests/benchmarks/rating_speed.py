"""Time for standings with intervals of 100 bots and a million games.

    python tests/benchmarks/rating_speed.py

The hardest shape: every trio of 100 bots, with one block each (and a few with two).
"""

from __future__ import annotations

import resource
import time
from itertools import combinations, permutations

import numpy as np

from thousand_referee.ratings import GameRecord, standings

BOTS, BLOCKS = 100, 166_667
SEATINGS = tuple(permutations(range(3)))


def million_games() -> list[GameRecord]:
    """Play the games, places by strength and luck."""
    generator = np.random.default_rng(0)
    names = [f"bot{number:03}" for number in range(BOTS)]
    trios = np.array(list(combinations(range(BOTS), 3)))
    strength = generator.normal(size=BOTS)
    games = []
    for number in range(BLOCKS):
        trio = trios[number % len(trios)]
        by_seat = trio[np.array(SEATINGS)]
        performance = strength[by_seat] + generator.gumbel(size=(6, 3))
        places = 1 + (performance[:, None, :] > performance[:, :, None]).sum(axis=2)
        rows = zip(by_seat.tolist(), places.tolist(), performance.tolist(), strict=True)
        for (a, b, c), (x, y, z), (p, q, r) in rows:
            games.append(
                GameRecord(
                    trio=(names[a], names[b], names[c]),
                    block=number // len(trios),
                    places=(x, y, z),
                    points=(int(600 + 100 * p), int(600 + 100 * q), int(600 + 100 * r)),
                    deals=15,
                )
            )
    return games


def main() -> None:
    """Print time and memory."""
    games = million_games()
    before_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    start, start_cpu = time.perf_counter(), time.process_time()
    table = standings(games, names=[f"bot{number:03}" for number in range(BOTS)])
    taken, taken_cpu = time.perf_counter() - start, time.process_time() - start_cpu
    extra_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024 - before_mb
    print(f"{table.games} games, {len(table.rows)} bots: {taken:.1f} s ({taken_cpu:.1f} s of CPU)")
    print(f"memory: {before_mb:.0f} MB with the games, {extra_mb:.0f} MB more at the peak")


if __name__ == "__main__":
    main()
