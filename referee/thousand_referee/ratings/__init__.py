"""Ratings: standings with honest intervals from the games of complete blocks.

Importing this package imports numpy; a command that may not need it imports this late.
"""

from thousand_referee.ratings.results import Difference, GameRecord, Standings, StandingsRow
from thousand_referee.ratings.standings import standings

__all__ = ["Difference", "GameRecord", "Standings", "StandingsRow", "standings"]
