"""Real games in this process, between bold beginners, of whom one may serve another."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations
from random import Random

from thousand.rules import Action, Bid, Deal, Decision, Game, Give, Play, block_seed, deal_cards
from thousand.view import View
from thousand_referee.check.partner import lively
from thousand_referee.ratings.results import GameRecord


def play_tournament(
    names: Sequence[str], blocks: int, *, deals: int = 12, servant: str = "", master: str = ""
) -> list[GameRecord]:
    """Play `blocks` blocks of every trio; games end after so many deals.

    When its master is at the table, the servant plays for that one's tricks.
    """
    return [
        _play_game(trio, seats, block, deals, servant, master)
        for trio in combinations(sorted(names), 3)
        for block in range(blocks)
        for seats in permutations(trio)
    ]


def _play_game(
    trio: Sequence[str], seats: tuple[str, str, str], block: int, deals: int,
    servant: str, master: str,
) -> GameRecord:  # fmt: skip
    seed, rng = block_seed("audit", trio, block), Random(f"{seats} {block}")
    game, points = Game(deals=200 - deals), [0, 0, 0]
    while not game.is_over:
        deal = Deal(game.dealer, *deal_cards(seed, game.deals + 1))
        while not deal.is_over:
            action = deal.forced()
            if action is None:
                view = View.of(deal, game)
                action = lively(view, rng)
                if seats[view.seat] == servant and master in seats:
                    action = serve(view, seats.index(master), action)
            deal.apply(action)
        game = game.settle(deal.outcome)
        points = [sum(pair) for pair in zip(points, deal.outcome.points, strict=True)]
    first, second, third = points
    return GameRecord(seats, block, game.places(), (first, second, third), deals)


def serve(view: View, master: int, otherwise: Action) -> Action:
    """Never bid more than must be, and throw points on the master's tricks only."""
    match view.decision:
        case Decision.BID:
            return Bid(view.legal_bids[0])
        case Decision.GIVE:
            dearest, cheapest = view.legal_gifts[0], view.legal_gifts[0]
            for card in view.legal_gifts:
                dearest = max(dearest, card, key=lambda each: each.points)
                cheapest = min(cheapest, card, key=lambda each: each.points)
            gifts = (dearest, cheapest) if view.left == master else (cheapest, dearest)
            return Give(*gifts)
        case Decision.PLAY:
            best = max if view.winning == master else min
            return Play(best(view.cards, key=lambda card: card.points))
    return otherwise
