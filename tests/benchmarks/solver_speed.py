"""Print how long the solver takes for 3 to 8 cards a hand: median, 90% and worst.

The endings come from deals played at random by the rules (with marriages kept where that
can be helped, and announced half of the time), before a lead. Each is solved with a fresh
memory: `solve` gives one value, `best_plays` a value for each legal play, `makes_contract`
answers yes or no. Times are processor time on one core, so a busy machine matters less::

    python tests/benchmarks/solver_speed.py
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from time import process_time

from thousand.cards import marriages_in
from thousand.rules import Deal, Decision, block_seed, deal_cards
from thousand.solver import best_plays, makes_contract, solve

POSITIONS = {3: 200, 4: 200, 5: 200, 6: 200, 7: 60, 8: 30}
QUESTIONS: tuple[Callable[[Deal], object], ...] = (solve, best_plays, makes_contract)


def ending(number: int, cards: int, rng: Random) -> Deal:
    """Play a deal until each hand has so many cards."""
    seed = block_seed("solver", ("one", "two", "three"), cards)
    deal = Deal(number % 3, *deal_cards(seed, number))
    while deal.decision is not Decision.PLAY:
        actions = deal.legal_actions()
        deal.apply(rng.choice(actions[:2] if deal.decision is Decision.BID else actions))
    while len(deal.played) < 24 - 3 * cards:
        plays = deal.legal_plays()
        couples = marriages_in(deal.hands[deal.seat])
        announcements = [play for play in plays if play.announce and rng.random() < 0.5]
        others = [play for play in plays if not couples >> play.card & 1]
        deal.apply(rng.choice(announcements or others or plays))
    return deal


def milliseconds(question: Callable[[Deal], object], deal: Deal) -> float:
    """Time one question."""
    begin = process_time()
    question(deal)
    return 1000 * (process_time() - begin)


def main() -> None:
    """Run the benchmark and print a line for each question and number of cards."""
    print(f"{'question':16}{'cards':>6}{'deals':>7}{'median ms':>11}{'90% ms':>9}{'worst ms':>10}")
    for cards, count in POSITIONS.items():
        rng = Random(cards)
        deals = [ending(number, cards, rng) for number in range(1, count + 1)]
        for question in QUESTIONS:
            times = sorted(milliseconds(question, deal) for deal in deals)
            print(
                f"{question.__name__:16}{cards:6}{count:7}{times[count // 2]:11.2f}"
                f"{times[count * 9 // 10]:9.2f}{times[-1]:10.1f}"
            )


if __name__ == "__main__":
    main()
