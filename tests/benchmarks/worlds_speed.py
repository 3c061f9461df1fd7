"""Print how many worlds per second are drawn, and how many rollouts are played.

Views of every decision are taken from deals played at random. For each kind: the time to
count the worlds of a view, worlds drawn per second, and rollouts per second: a world is
copied and played to its end, with legal actions at random by the rules, or by the fast
policy. The figures are medians over views, in processor time on one core::

    python tests/benchmarks/worlds_speed.py
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from statistics import median
from time import process_time

from thousand.policy import play_out
from thousand.rules import Deal, Decision, Game, block_seed, deal_cards
from thousand.view import View
from thousand.worlds import Worlds

DEALS = 60
DRAWS = 50


def per_second(action: Callable[[], object], times: int) -> float:
    """Give how often an action can be done in a second."""
    begin = process_time()
    for _ in range(times):
        action()
    return times / (process_time() - begin)


def play_at_random(world: Deal, rng: Random) -> None:
    """Play a copy of a world to its end with any legal actions."""
    deal = world.copy()
    while not deal.is_over:
        deal.apply(rng.choice(deal.legal_actions()))


def measure(view: View, rng: Random) -> tuple[float, ...]:
    """Give counts of a view, worlds, random rollouts and policy rollouts per second."""
    worlds = Worlds(view)
    drawn = [worlds.draw(rng) for _ in range(10)]
    return (
        per_second(lambda: Worlds(view), 3),
        per_second(lambda: worlds.draw(rng), DRAWS),
        per_second(lambda: play_at_random(rng.choice(drawn), rng), 10),
        per_second(lambda: play_out(rng.choice(drawn)), 10),
    )


def main() -> None:
    """Run the benchmark and print its medians."""
    rng = Random(1)
    cards_seed = block_seed("worlds", ("one", "two", "three"), 0)
    figures: dict[str, list[tuple[float, ...]]] = {}
    for number in range(1, DEALS + 1):
        deal = Deal(number % 3, *deal_cards(cards_seed, number))
        while not deal.is_over:
            if deal.forced() is None:
                view = View.of(deal, Game())
                name = f"{view.decision.name.lower()}, trick {len(view.played) // 3 + 1}"
                kind = name if view.decision is Decision.PLAY else view.decision.name.lower()
                figures.setdefault(kind, []).append(measure(view, rng))
            actions = deal.legal_actions()
            deal.apply(rng.choice(actions[:2] if deal.decision is Decision.BID else actions))
    print(
        f"{'asked':16}{'views':>6}{'count ms':>10}{'worlds/s':>10}{'random/s':>10}{'policy/s':>10}"
    )
    for kind, rows in figures.items():
        counts, *speeds = (median(column) for column in zip(*rows, strict=True))
        shown = "".join(f"{speed:10,.0f}" for speed in speeds)
        print(f"{kind:16}{len(rows):6}{1000 / counts:10.2f}{shown}")


if __name__ == "__main__":
    main()
