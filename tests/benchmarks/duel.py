"""Measure in process whether one example bot beats another, with an interval.

Each block is the same cards in the six seatings of the bot, its rival and a third one (by
default a second rival, which leaves three seatings that differ). What counts is the pairs
of bot and rival: 1 for the better place, half for an equal one. The interval is 95%, from
the spread of the blocks' means. Time is not limited; `--worlds` sets how many worlds a
bot that has this attribute draws::

    python tests/benchmarks/duel.py monte_carlo counter --blocks 20 --worlds 20
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from itertools import permutations
from math import log10, sqrt
from pathlib import Path
from statistics import mean, stdev
from time import process_time

sys.path.insert(0, str(Path(__file__).parents[1]))

from example_loader import load_module
from thousand import Bot
from thousand.testing import play_game


def load(name: str, worlds: int | None) -> type[Bot]:
    """Load a bot class, with a limit on worlds instead of one on time."""
    module = load_module(name)
    classes = [
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, Bot)
        and value.__module__ == module.__name__
    ]
    bot_class = classes[-1]
    if worlds is not None and hasattr(bot_class, "worlds"):
        vars(module)["SHARE"] = 1e9
        bot_class.worlds = worlds
    return bot_class


def block(bots: Sequence[type[Bot]], seed: int) -> float:
    """Play a block; give the share of pairs that the first bot wins against the second kind."""
    shares = []
    for order in permutations(range(3)):
        if bots[1] is bots[2] and order.index(1) > order.index(2):
            continue  # the same seating once more
        places = play_game([bots[number] for number in order], seed=seed)[1]
        own = places[order.index(0)]
        for rival in (1, 2):
            if bots[rival] is bots[1]:
                other = places[order.index(rival)]
                shares.append((own < other) + (own == other) / 2)
    return mean(shares)


def elo(share: float) -> float:
    """Give the difference in Elo that a share of pairs means."""
    share = min(0.999, max(0.001, share))
    return 400 * log10(share / (1 - share))


def main() -> None:
    """Play the blocks and print the share so far after each."""
    parser = argparse.ArgumentParser()
    parser.add_argument("bot")
    parser.add_argument("rival")
    parser.add_argument("--third", help="another bot at the table, instead of a second rival")
    parser.add_argument("--blocks", type=int, default=20)
    parser.add_argument("--worlds", type=int)
    parser.add_argument("--seed", type=int, default=1000)
    options = parser.parse_args()
    first, second = (load(name, options.worlds) for name in (options.bot, options.rival))
    third = load(options.third, options.worlds) if options.third else second
    shares: list[float] = []
    for number in range(options.blocks):
        shares.append(block((first, second, third), options.seed + number))
        if len(shares) > 1:
            error = 1.96 * stdev(shares) / sqrt(len(shares))
            low, middle, high = (elo(mean(shares) + sign * error) for sign in (-1, 0, 1))
            print(
                f"{len(shares)} blocks, {process_time():.0f} s: {options.bot} takes "
                f"{mean(shares):.3f} ± {error:.3f} of pairs, "
                f"Elo {middle:+.0f} ({low:+.0f} to {high:+.0f})",
                flush=True,
            )


if __name__ == "__main__":
    main()
