"""The rules of Thousand: deals as state machines, games over deals, dealing from a seed."""

from thousand.errors import IllegalAction, MalformedAction, RulesError
from thousand.rules.actions import Action, Bid, Decision, Give, Play, Raise, plays_in
from thousand.rules.deal import Deal, Outcome, limit_of, winning_place
from thousand.rules.dealing import block_seed, deal_cards
from thousand.rules.game import Game, round_to_five

__all__ = [
    "Action", "Bid", "Deal", "Decision", "Game", "Give", "IllegalAction", "MalformedAction",
    "Outcome", "Play", "Raise", "RulesError", "block_seed", "deal_cards", "limit_of",
    "plays_in", "round_to_five", "winning_place",
]  # fmt: skip
