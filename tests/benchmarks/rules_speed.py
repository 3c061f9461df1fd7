"""Print how many whole deals per second the rules play in one process.

Each deal is dealt from a seed, played from auction to last trick with actions drawn
from the complete legal set of every decision, and settled. The figure is the median
of five runs::

    python tests/benchmarks/rules_speed.py
"""

from __future__ import annotations

from random import Random
from statistics import median
from time import perf_counter

from thousand.rules import Deal, Game, block_seed, deal_cards

DEALS = 3000
RUNS = 5


def random_deals(count: int, seed: int) -> float:
    """Play `count` random deals and give the deals per second."""
    rng = Random(seed)
    cards_seed = block_seed(str(seed), ("one", "two", "three"), 0)
    game = Game()
    begin = perf_counter()
    for number in range(1, count + 1):
        deal = Deal(game.dealer, *deal_cards(cards_seed, number))
        while not deal.is_over:
            actions = deal.legal_actions()
            deal.apply(actions[int(rng.random() * len(actions))])
        game = game.settle(deal.outcome)
        if game.is_over:
            game = Game()
    return count / (perf_counter() - begin)


def main() -> None:
    """Run the benchmark and print its median and its spread."""
    speeds = sorted(random_deals(DEALS, seed) for seed in range(RUNS))
    print(
        f"{median(speeds):,.0f} deals/s"
        f" (median of {RUNS} runs of {DEALS:,} deals; {speeds[0]:,.0f} to {speeds[-1]:,.0f})"
    )


if __name__ == "__main__":
    main()
