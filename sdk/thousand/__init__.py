"""Write bots for the card game Thousand, and play them in the arena."""

from thousand.bot import Bot, run
from thousand.cards import CARDS, Card, Rank, Suit
from thousand.messages import DealEnd, GameEnd, Welcome
from thousand.rules import Bid, Decision, Give, Play, Raise
from thousand.view import Trick, View

__all__ = [
    "CARDS", "Bid", "Bot", "Card", "DealEnd", "Decision", "GameEnd", "Give", "Play", "Raise",
    "Rank", "Suit", "Trick", "View", "Welcome", "run",
]  # fmt: skip
