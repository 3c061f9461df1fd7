"""Situations that a bot must have an answer to, however rare they are in play."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from thousand.rules import Decision, Game
from thousand.rules.game import LAST_DEAL
from thousand.testing import position
from thousand.view import View

Figures: TypeAlias = tuple[int, int, int]
"""Of the seat that is asked, its left and its right."""

_DEALS_PLAYED: Final = LAST_DEAL - 20
"""So late that no game goes on for long; which seat deals is as after this many."""


@dataclass(frozen=True, slots=True)
class Situation:
    """A position, told by whoever is asked: see `thousand.testing.position`."""

    name: str
    decision: Decision
    hand: str
    bids: Sequence[int | None] | None = None
    contract: int | None = None
    talon: str = ""
    gifts: str = ""
    played: str = ""
    scores: Figures = (0, 0, 0)
    barrel: tuple[int | None, int | None, int | None] = (None, None, None)

    def view(self, seat: int) -> View:
        """Give the view of this situation at a seat."""
        for deals in range(_DEALS_PLAYED, _DEALS_PLAYED + 3):
            game = Game(
                (self.scores[-seat % 3], self.scores[(1 - seat) % 3], self.scores[(2 - seat) % 3]),
                (self.barrel[-seat % 3], self.barrel[(1 - seat) % 3], self.barrel[(2 - seat) % 3]),
                deals,
                None,
            )
            view = position(
                self.decision,
                self.hand,
                bids=self.bids,
                contract=self.contract,
                talon=self.talon,
                gifts=self.gifts,
                played=self.played,
                game=game,
            )
            if view.seat == seat:
                return view
        raise AssertionError(f"no dealer puts {self.name!r} at seat {seat}")


_BID, _GIVE, _RAISE, _PLAY = Decision.BID, Decision.GIVE, Decision.RAISE, Decision.PLAY
_PLAIN: Final = "AS TS 9S JH 9H 9C JD"
_THREE_MARRIAGES: Final = "KH QH KD QD KC QC AS"

SITUATIONS: Final = (
    # Bids
    Situation("forehand without a marriage", _BID, _PLAIN),
    Situation("forehand with three marriages", _BID, _THREE_MARRIAGES),
    Situation("to outbid or pass", _BID, _THREE_MARRIAGES, bids=[100]),
    Situation("after a pass", _BID, _PLAIN, bids=[100, None]),
    Situation("to outbid above 120", _BID, _THREE_MARRIAGES, bids=[100, 160]),
    Situation("one bid below the limit", _BID, _PLAIN, bids=[115]),
    Situation("outbid as forehand", _BID, _THREE_MARRIAGES, bids=[100, None, 105]),
    Situation(
        "forehand on the barrel", _BID, _PLAIN, scores=(880, 100, 300), barrel=(0, None, None)
    ),
    Situation(
        "the last deal on the barrel", _BID, _PLAIN, bids=[100],
        scores=(880, 600, -240), barrel=(2, None, None),
    ),
    Situation(
        "all three on the barrel", _BID, _THREE_MARRIAGES, bids=[100, 105],
        scores=(880, 880, 880), barrel=(0, 1, 2),
    ),
    Situation(
        "an opponent on the barrel", _BID, _PLAIN, scores=(-300, 880, 860),
        barrel=(None, 2, None),
    ),
    # Gifts
    Situation("gifts from a plain ten", _GIVE, "AS TS 9S JH 9H 9C JD AD TD 9D"),
    Situation(
        "gifts from four marriages", _GIVE, "KH QH KD QD KC QC KS QS AS AH", bids=[200, None, None]
    ),
    Situation(
        "gifts with nothing cheap", _GIVE, "AS TS AH TH AC TC AD TD KS QS",
        bids=[100, 160, None, None],
    ),
    Situation(
        "gifts on the barrel", _GIVE, "AS TS KS QS 9H JH 9C JC 9D JD",
        bids=[120, None, None], scores=(880, 500, 500), barrel=(1, None, None),
    ),
    # Raises
    Situation("a raise without a marriage", _RAISE, "AS TS KS 9H JH 9C JD AD"),
    Situation("a raise with three marriages", _RAISE, "KH QH KD QD KC QC AS AH"),
    Situation(
        "a raise above 120", _RAISE, "KH QH KD QD AC TC AS AH", bids=[100, 200, None, None]
    ),
    Situation(
        "a raise on the barrel, at 100", _RAISE, "AS TS KS QS AH TH AC TC",
        scores=(880, 700, 300), barrel=(2, None, None),
    ),
    Situation("the last raise there is", _RAISE, "AS TS AH TH AC TC AD TD", bids=[115, None, None]),
    # Plays: the first trick
    Situation("the first lead, which announces nothing", _PLAY, "KH QH AS TS KS QS 9C JC"),
    Situation("to follow suit", _PLAY, "AS 9S KH QH JC 9D TD AD", played="TS"),
    Situation("to follow last", _PLAY, "AS 9S KH QH JC 9D TD AD", played="TS KS"),
    Situation(
        "to throw a card off, without a trump", _PLAY, "AH TH KH AC TC KC AD TD", played="AS"
    ),
    Situation("as a defender who knows a gift", _PLAY, "9C JC KH QH JD 9D TD AD", played="TS",
        gifts="9C"),
    # Plays: marriages
    Situation(
        "one marriage to announce", _PLAY, "KH QH 9S TS KS JC AC", played="AS JS QS"
    ),
    Situation(
        "three marriages to announce", _PLAY, "KH QH KD QD KC QC TS", played="AS JS QS",
    ),
    Situation(
        "three marriages under a high contract", _PLAY, "KH QH KD QD KC QC TS",
        bids=[100, 300, None, None], played="AS JS QS",
    ),
    Situation(
        "a marriage to announce as a defender", _PLAY, "KH QH 9D JD KC JC TC",
        played="TS AS JS",
    ),
    Situation(
        "a second marriage, which changes the trump", _PLAY, "QH KD QD AC TC 9C",
        played="AS JS QS KH! 9H JH",
    ),
    Situation(
        "a marriage on the barrel", _PLAY, "KH QH 9S TS KS JC AC", contract=120,
        played="AS JS QS", scores=(880, 300, 500), barrel=(1, None, None),
    ),
    # Plays: trumps
    Situation(
        "must trump", _PLAY, "TD AD 9H JH QH AH", played="AS JS 9S KD! 9D JD AC",
    ),
    Situation(
        "nothing to follow with, and no trump", _PLAY, "9C JC TC AC TD KD",
        played="AD 9D JD KH! 9H JH AS",
    ),
    Situation(
        "the last choice", _PLAY, "AD 9D",
        played="AS JS 9S TS QS KS AH 9H JH TH QH KH AC 9C JC TC QC KC",
    ),
)  # fmt: skip
"""Every kind of prompt, from the plain to the rare."""
