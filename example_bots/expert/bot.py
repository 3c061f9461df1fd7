"""Expert: the Monte Carlo method, with all that makes it strong.

It tries every choice in many worlds, as `monte_carlo` does, and adds four things.
*Inference*: worlds are drawn again by how well they explain what the others bid, gave and
played, so a player who bid is given the better cards. *Exact endings*: with few cards left
the declarer's points are not guessed by a quick policy but solved. *Chances*: a bid or a
raise is as good as the chance to make it. *The game*: what counts is the chance to win the
game from the scores after the deal, so it dares more when it is behind, keeps still when
it is ahead, and minds the barrel.

It tries `WORLDS` worlds for a decision, which takes about 20 ms and seldom above 100, and
fewer if the clock presses: it stops after `SHARE` of the time for a decision. As long as it
need not stop, it plays the same game again when given the same seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from math import exp
from time import monotonic
from typing import TypeVar

from thousand import Bid, Bot, Card, Give, Play, Rank, Suit, View, run
from thousand.cards import CardMask, mask_of
from thousand.policy import choose_gifts, keeping, odd_plays, play_out
from thousand.rules import Action, Deal, Game, Outcome
from thousand.solver import Solver
from thousand.worlds import Worlds

A = TypeVar("A", bound=Action)

WORLDS = 24  # for a play; a bid and a raise try fewer choices, so they get more worlds
SHARE = 0.15  # of the time for a decision

CANDIDATES = 4  # worlds drawn and weighed for each one that is tried
GIFTS = 5  # cards that may be given: those that are missed least
SOLVED = 4  # cards a hand from which on endings are solved

# Inference: how sure it is that the others bid, give and play as it would.
MARGIN = 10.0  # points a hand is worth beyond the bid when others are in two minds
BID_SPREAD = 22.0  # how far from that point they still may go either way
ODD_PLAY = 0.5  # how likely a play is that the policy would not make, against its own
ODD_GIFT = 0.4

# Chances to win: a multinomial logistic fit to 39,288 scores between the deals of 1,689 games
# of `counter` against itself.
SCORE_PROGRESS = 0.0031  # for each point
LATE_PROGRESS = 0.0015  # for each point above 500
BARREL_PROGRESS = (3.41, 3.30, 3.16)  # by deals used


class ExpertBot(Bot):
    """Judges every choice by the chance to win the game."""

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
        outcomes = [
            (play_out(world).points, copies) for world, copies in self.draw(view, 4 * self.worlds)
        ]

        def value(contract: int) -> float:
            return sum(
                copies * worth(view, Outcome(view.seat, contract, points))
                for points, copies in outcomes
            )

        return max(view.legal_raises, key=value)

    def play(self, view: View) -> Play:
        """Try each card, and each announcement."""
        return self.best(view, view.legal_plays, self.worlds)

    def best(self, view: View, actions: Sequence[A], worlds: int) -> A:
        """Give the action with the best sum over the same worlds for all."""
        sums = [0.0] * len(actions)
        solver = Solver()
        for world, copies in self.draw(view, worlds):
            for index, action in enumerate(actions):
                deal = world.copy()
                deal.apply(action)
                sums[index] += copies * worth(view, finish(deal, solver))
        return actions[sums.index(max(sums))]

    def draw(self, view: View, most: int) -> Iterator[tuple[Deal, int]]:
        """Draw likely worlds, at least one, until there are enough or the time is up.

        Each comes with how often it was drawn. Of worlds drawn uniformly some are drawn
        again by their weights, at equal steps along the sum of these (systematic
        resampling), so a world of average weight is in once for every `CANDIDATES`.
        """
        begin = monotonic()
        budget = SHARE * self.match.move_ms / 1000
        worlds = Worlds(view)
        drawn: list[Deal] = []
        weights: list[float] = []
        for _ in range(most * CANDIDATES):
            drawn.append(worlds.draw(self.rng))
            weights.append(likelihood(drawn[-1], view))
            if monotonic() - begin > budget / 2:
                break
        step = sum(weights) / max(1, len(drawn) // CANDIDATES)
        reach = self.rng.random()
        for world, weight in zip(drawn, weights, strict=True):
            reach += weight / step
            copies = int(reach)
            reach -= copies
            if copies:
                yield world, copies
                if monotonic() - begin > budget:
                    break


def finish(deal: Deal, solver: Solver) -> Outcome:
    """Play a deal to its end by the policy; in an ending, correct the declarer's points."""
    if deal.is_over:
        return deal.outcome
    outcome = play_out(deal)
    if len(deal.played) < 24 - 3 * SOLVED:
        return outcome
    points = [*outcome.points]
    points[outcome.declarer] = solver.solve(deal)
    first, second, third = points
    return Outcome(outcome.declarer, outcome.contract, (first, second, third))


# Inference


def likelihood(world: Deal, view: View) -> float:
    """Say how well a world explains what the others did, by the policy this bot knows."""
    weight = 1.0
    lowest = 100
    for place, (seat, amount) in enumerate(view.bids):
        if seat != view.seat and place:
            doubt = exp((lowest + MARGIN - strength(world.dealt[seat])) / BID_SPREAD)
            weight *= doubt / (1 + doubt) if amount is None else 1 / (1 + doubt)
        lowest = (amount or lowest - 5) + 5
    if view.declarer not in (None, view.seat):
        weight *= gift_likelihood(world, view)
    if view.played:
        odd = odd_plays(world)
        weight *= ODD_PLAY ** (odd[view.left] + odd[view.right])
    return weight


def gift_likelihood(world: Deal, view: View) -> float:
    """Rate the gifts this seat knows."""
    assert view.declarer is not None
    ten = world.dealt[view.declarer] | mask_of(view.talon)
    return 1.0 if view.gifts[0] in choose_gifts(ten) else ODD_GIFT


@cache
def suit_strength(ranks: int, suit: int) -> float:
    """Estimate what the cards of a suit bring a declarer; `ranks` is a mask of ranks."""
    ace, ten = ranks >> Rank.ACE & 1, ranks >> Rank.TEN & 1
    king, queen = ranks >> Rank.KING & 1, ranks >> Rank.QUEEN & 1
    points = 22.0 * ace + 13 * (ace & ten) + 10 * max(0, ranks.bit_count() - 3)
    value = Suit(suit).marriage_value
    return points + value * (0.9 * (king & queen) + 0.13 * (king ^ queen))


def strength(hand: CardMask) -> float:
    """Estimate a declarer's points from seven cards, as `counter` does."""
    return 31 + sum([suit_strength(hand >> 6 * suit & 63, suit) for suit in range(4)])


# The game


def worth(view: View, outcome: Outcome) -> float:
    """Give the chance to win the game after a deal with this outcome."""
    first, second, third = view.scores
    one, two, three = view.barrel
    game = Game((first, second, third), (one, two, three), view.deal - 1).settle(outcome)
    return chance_to_win(game, view.seat)


def chance_to_win(game: Game, seat: int) -> float:
    """Estimate a seat's chance to win from a game's state between two deals."""
    if game.is_over:
        return (seat in game.winners) / len(game.winners)
    odds = [exp(progress(game, other)) for other in range(3)]
    return odds[seat] / sum(odds)


def progress(game: Game, seat: int) -> float:
    """Value a seat's score; chances to win are as the exponentials of these."""
    used = game.barrel[seat]
    if used is not None:
        return BARREL_PROGRESS[used]
    return SCORE_PROGRESS * game.scores[seat] + LATE_PROGRESS * max(0, game.scores[seat] - 500)


if __name__ == "__main__":
    run(ExpertBot)
