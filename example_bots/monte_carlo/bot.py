"""Monte Carlo: tries every choice in many worlds, and takes what is best on average.

It teaches the method behind most strong card players. A world is a complete deal in which
all is true that this seat knows (`View.sample_worlds`, here one at a time from `Worlds`).
In each world each choice is made, a quick policy plays the deal to its end for all three
(`play_out`), and the deal is settled into the game's score. So bids, gifts, the raise and
plays are all judged by one measure: what becomes of the score.

It draws `WORLDS` worlds for a decision, which takes about 8 ms, and draws fewer if the
clock presses: it stops after `SHARE` of the time for a decision. As long as it need not
stop, it plays the same game again when given the same seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from time import monotonic
from typing import TypeVar

from thousand import Bid, Bot, Card, Give, Play, View, run
from thousand.cards import mask_of
from thousand.policy import keeping, play_out
from thousand.rules import Action, Deal, Game, Outcome
from thousand.worlds import Worlds

A = TypeVar("A", bound=Action)

WORLDS = 16  # for a play; a bid and a raise try fewer choices, so they get more worlds
SHARE = 0.15  # of the time for a decision

GIFTS = 5  # cards that may be given: those that are missed least
VICTORY = 400  # a won game, in points beyond the score
RIVALS = 0.5  # what a point of each other player costs


class MonteCarloBot(Bot):
    """Judges every choice by playing it out."""

    worlds = WORLDS

    def bid(self, view: View) -> int | None:
        """Bid as little as possible if that is better than to pass."""
        pass_or_open, *raises = view.legal_bids
        if pass_or_open is not None or not raises:
            return pass_or_open
        return self.best(view, [Bid(None), Bid(raises[0])], 3 * self.worlds).amount

    def give(self, view: View) -> tuple[Card, Card]:
        """Try pairs of the cards that are missed least."""
        hand = mask_of(view.hand)
        spare = sorted(view.legal_gifts, key=lambda card: keeping(card, hand))[:GIFTS]
        gifts = [Give(left, right) for left, right in combinations(spare, 2)]
        best = self.best(view, gifts, self.worlds)
        return best.to_left, best.to_right

    def raise_contract(self, view: View) -> int:
        """Play each world once, and choose the contract that would have been best."""
        outcomes = [play_out(world) for world in self.draw(view, 4 * self.worlds)]

        def value(contract: int) -> float:
            return sum(
                worth(view, Outcome(view.seat, contract, outcome.points)) for outcome in outcomes
            )

        return max(view.legal_raises, key=value)

    def play(self, view: View) -> Play:
        """Try each card, and each announcement."""
        return self.best(view, view.legal_plays, self.worlds)

    def best(self, view: View, actions: Sequence[A], worlds: int) -> A:
        """Give the action with the best sum over the same worlds for all."""
        sums = [0.0] * len(actions)
        for world in self.draw(view, worlds):
            for index, action in enumerate(actions):
                deal = world.copy()
                deal.apply(action)
                sums[index] += worth(view, deal.outcome if deal.is_over else play_out(deal))
        return actions[sums.index(max(sums))]

    def draw(self, view: View, most: int) -> Iterator[Deal]:
        """Draw worlds, at least one, until there are enough or the time is up."""
        stop = monotonic() + SHARE * self.match.move_ms / 1000
        worlds = Worlds(view)
        for _ in range(most):
            yield worlds.draw(self.rng)
            if monotonic() > stop:
                break


def worth(view: View, outcome: Outcome) -> float:
    """Value the score after a deal with this outcome: one's own, against the others'."""
    first, second, third = view.scores
    one, two, three = view.barrel
    game = Game((first, second, third), (one, two, three), view.deal - 1).settle(outcome)
    values = [standing(game, seat) for seat in range(3)]
    return (1 + RIVALS) * values[view.seat] - RIVALS * sum(values)


def standing(game: Game, seat: int) -> float:
    """Value a seat's score; the barrel is worth less with each of its deals used."""
    if seat in game.winners:
        return 1000 + VICTORY
    used = game.barrel[seat]
    return game.scores[seat] if used is None else game.scores[seat] - 20 * used


if __name__ == "__main__":
    run(MonteCarloBot)
