"""What stays: half of a seat's view is the same from prompt to prompt, so it is kept.

Dealer, scores and barrel stay for a deal, and stand before the hand; auction, talon and
gifts stay once cards are played, and stand after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

from thousand.messages import DealEnd, Notice
from thousand.rules import Decision
from thousand.v1 import game_pb2
from thousand.view import View

_View = TypeVar("_View", View, game_pb2.View)
_Before = TypeVar("_Before")
_After = TypeVar("_After")


@dataclass(slots=True)
class _Kept(Generic[_Before, _After]):
    """Of one deal; `after_hand` only once cards are played."""

    deal: int
    before_hand: _Before
    after_hand: _After | None = None


class Staying(Generic[_View, _Before, _After]):
    """Keeps, by game, what `before_hand` and `after_hand` make of one seat's views."""

    def __init__(
        self, before_hand: Callable[[_View], _Before], after_hand: Callable[[_View], _After]
    ) -> None:
        self._before_hand: Callable[[_View], _Before] = before_hand
        self._after_hand: Callable[[_View], _After] = after_hand
        self._kept: dict[int, _Kept[_Before, _After]] = {}

    def hear(self, notices: Iterable[Notice]) -> None:
        """Forget games that start or end; notices come before the prompts of a message."""
        for notice in notices:
            if not isinstance(notice, DealEnd):
                self._kept.pop(notice.game, None)

    def parts(self, view: _View, game: int, decision: Decision) -> tuple[_Before, _After]:
        """Give both parts of a view."""
        kept = self._kept.get(game)
        if kept is None or kept.deal != view.deal:
            kept = self._kept[game] = _Kept(view.deal, self._before_hand(view))
        after_hand = kept.after_hand
        if after_hand is None:
            after_hand = self._after_hand(view)
            if decision is Decision.PLAY:
                kept.after_hand = after_hand
        return kept.before_hand, after_hand
