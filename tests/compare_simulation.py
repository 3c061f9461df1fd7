"""Simulated runs of ``thousand compare``; run it to print how often it errs and how long it takes.

Blocks are drawn from models whose deviations are those of real blocks: 0.09 to 0.19 were
measured between the example bots and variants of them, with twins and with third bots.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from random import Random
from statistics import median
from typing import Final

from thousand_referee.compare.sequential import Plan, SequentialTest, Verdict, score_of

MOST_BLOCKS: Final = 5000

Scores = Callable[[Random, float], float]
"""Draws a block's score around a mean."""


def six_coins(random: Random, mean: float) -> float:
    """Six games as good as independent: the most that blocks of real bots vary."""
    return sum(random.random() < mean for _ in range(6)) / 6


def normal(deviation: float) -> Scores:
    """Give a model of scores with this deviation."""
    return lambda random, mean: random.gauss(mean, deviation)


def rarely_different(random: Random, mean: float) -> float:
    """Three blocks in ten differ, by one game: bots that are the same but for one rule."""
    if random.random() > 0.3:
        return 0.5
    chance = 0.5 + (mean - 0.5) * 6 / 0.3 / 2
    return 0.5 + (1 / 6 if random.random() < chance else -1 / 6)


MODELS: Final[dict[str, Scores]] = {
    "six coins (0.20)": six_coins,
    "normal, 0.17": normal(0.17),
    "normal, 0.10": normal(0.10),
    "rarely different (0.09)": rarely_different,
}


def simulate(
    plan: Plan, scores: Scores, elo: float, runs: int, seed: int = 0
) -> tuple[Counter[Verdict], list[int]]:
    """Run the test so many times; give how often each verdict came, and the blocks, sorted."""
    random = Random(seed)
    verdicts: Counter[Verdict] = Counter()
    blocks = []
    mean = score_of(elo)
    for _ in range(runs):
        test = SequentialTest(plan)
        while test.verdict is Verdict.UNDECIDED and test.blocks < MOST_BLOCKS:
            test.add(scores(random, mean))
        verdicts[test.verdict] += 1
        blocks.append(test.blocks)
    return verdicts, sorted(blocks)


def main(runs: int) -> None:
    """Print a table."""
    print(f"{runs} runs each; blocks: median and 95%")
    print(f"{'model':<24} {'elo1':>4} {'true':>4}  better  worse   none    blocks")
    for elo1 in (Plan().elo1, 30.0):
        for name, scores in MODELS.items():
            for elo in (0.0, 30.0):
                verdicts, blocks = simulate(Plan(elo1=elo1), scores, elo, runs)
                better, worse, none = (
                    100 * verdicts[verdict] / runs
                    for verdict in (Verdict.BETTER, Verdict.WORSE, Verdict.NO_DIFFERENCE)
                )
                print(
                    f"{name:<24} {elo1:>4.0f} {elo:>4.0f} {better:>6.1f}% {worse:>5.1f}% "
                    f"{none:>5.1f}% {median(blocks):>5.0f} {blocks[int(0.95 * runs)]:>5}"
                )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
