"""One table: a game being played, deal by deal, with nobody asked and nothing sent."""

from __future__ import annotations

from dataclasses import dataclass

from thousand.defaults import default_action
from thousand.messages import DealEnd, GameEnd
from thousand.rules import Action, Deal, Game, deal_cards
from thousand.view import View


@dataclass(frozen=True, slots=True)
class DealSettled:
    """A deal is over: its cards, the game after it, decisions asked and time charged by seat."""

    deal: Deal
    after: Game
    asked: tuple[int, int, int]
    ms: tuple[float, float, float]
    notice: DealEnd


@dataclass(frozen=True, slots=True)
class GameOver:
    """A game is over; `winners` are the seats in first place, `out` those excluded."""

    game: Game
    places: tuple[int, int, int]
    winners: tuple[int, ...]
    out: tuple[int, ...]
    notice: GameEnd


class Table:
    """A game between three seats, on the cards of one block.

    Attributes:
        number: the game's number in the match.
        block: the block whose cards are played.
        is_over: whether the game has ended.
        faults: by seat, faults in this game.
        out: seats that are not asked any more; they are placed last.
    """

    def __init__(self, number: int, block: int, seed: bytes, out: set[int]) -> None:
        self.number = number
        self.block = block
        self.is_over = False
        self.faults = [0, 0, 0]
        self.out = set(out)
        self._seed = seed
        self._game = Game()
        self._begin_deal()

    @property
    def deal_number(self) -> int:
        """Number of the deal in progress, from 1."""
        return self._game.deals + 1

    @property
    def seat(self) -> int:
        """The seat whose decision it is, once `advance` is through."""
        return self._deal.seat

    def view(self, bank_ms: int) -> View:
        """Show the seat whose decision it is what it may know."""
        return View.of(self._deal, self._game, number=self.number, bank_ms=bank_ms)

    def advance(self) -> list[DealSettled | GameOver]:
        """Play on until a seat must be asked or the game is over; give what ended.

        Decisions with one choice, and those of seats that are out, are not asked.
        """
        ended: list[DealSettled | GameOver] = []
        while not self._has_question():
            self._game = self._game.settle(self._deal.outcome)
            ended.append(self._settled(self._deal))
            if self._game.is_over:
                self.is_over = True
                ended.append(self._over())
                break
            self._begin_deal()
        return ended

    def count_asked(self) -> None:
        """The present decision is put to its seat."""
        self._asked[self._deal.seat] += 1

    def charge(self, seat: int, milliseconds: float) -> None:
        """A seat's decision in this deal took this long."""
        self._ms[seat] += milliseconds

    def answer(self, action: Action) -> None:
        """Carry out the decision that was asked; `IllegalAction` changes nothing."""
        self._deal.apply(action)

    def default(self) -> Action:
        """Give the default action for the present decision."""
        return default_action(self.view(0))

    def _has_question(self) -> bool:
        """Play on until a seat must be asked, or the deal is over: then there is none."""
        deal = self._deal
        while deal.decision is not None:
            action = deal.forced()
            if action is None:
                if deal.seat not in self.out:
                    return True
                action = self.default()
            deal.apply(action)
        return False

    def _begin_deal(self) -> None:
        self._deal = Deal(self._game.dealer, *deal_cards(self._seed, self._game.deals + 1))
        self._asked = [0, 0, 0]
        self._ms = [0.0, 0.0, 0.0]

    def _settled(self, deal: Deal) -> DealSettled:
        first, second, third = self._asked
        one, two, three = (round(ms, 1) for ms in self._ms)
        notice = DealEnd.of(deal, self._game, number=self.number)
        return DealSettled(deal, self._game, (first, second, third), (one, two, three), notice)

    def _over(self) -> GameOver:
        places = self._game.places(self.out)
        winners = tuple(seat for seat in range(3) if places[seat] == 1)
        notice = GameEnd(self.number, places, self._game.scores)
        return GameOver(self._game, places, winners, tuple(sorted(self.out)), notice)
