"""Verifying one game of a match: its deals, the faults in them, and its end."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from thousand.rules import Game
from thousand_referee.faults import FaultKind
from thousand_referee.matchlog.records import DealLine, FaultLine, GameLine
from thousand_referee.matchlog.replay import (
    Mismatch,
    Question,
    Settled,
    check_deal,
    expect,
    questions,
    shown,
    written,
)
from thousand_referee.matchlog.spelling import action_text


@dataclass(frozen=True, slots=True)
class _OpenFault:
    """A fault in the deal in progress, with the number of its line."""

    number: int
    line: FaultLine


class GameCheck:
    """Follows one game through the lines of its match; `Mismatch` where one is wrong.

    Attributes:
        out: seats that are out of this game for faults in it.
    """

    def __init__(
        self, number: int, block: int, seed: bytes, bank_ms: int, never_asked: Collection[int]
    ) -> None:
        """Begin before the first deal; `never_asked` are seats that were out already."""
        self.out: set[int] = set()
        self._number = number
        self._block = block
        self._seed = seed
        self._bank_ms = bank_ms
        self._game = Game()
        self._faults = [0, 0, 0]
        self._open_faults: list[_OpenFault] = []
        self._out_before_deal = set(never_asked)

    @property
    def first_doubt(self) -> int | None:
        """The first line that can't be judged before the deal in progress has ended."""
        return self._open_faults[0].number if self._open_faults else None

    def take_fault(self, number: int, line: FaultLine, per_game: int) -> None:
        """Check a fault as far as can be before its deal's line."""
        self._expect_deal(line.deal)
        if line.seat in self.out:
            raise Mismatch(f"seat {line.seat} is out of game {self._number}, it can't fault there")
        self._faults[line.seat] += 1
        is_last = self._faults[line.seat] == per_game
        if is_last and line.out is None:
            raise Mismatch(f'out is null; with fault {per_game} in a game it must be "game"')
        if line.out == "game" and not is_last:
            raise Mismatch(
                f'out is "game"; it must be null: this is fault {self._faults[line.seat]} '
                f"of seat {line.seat} in game {self._number}, not {per_game}"
            )
        if line.out is not None:
            self.out.add(line.seat)
        self._open_faults.append(_OpenFault(number, line))

    def take_deal(self, line: DealLine, out_of_match: Collection[int]) -> None:
        """Check a deal, and the faults in it."""
        self._expect_deal(line.deal)
        settled = check_deal(line, self._seed, self._game)
        for seat in range(3):
            self._check_seat(line, settled, seat, out_of_match)
        self._game = settled.after
        self._open_faults.clear()
        self._out_before_deal = self.out.union(out_of_match)

    def take_end(self, line: GameLine, out_of_match: Collection[int]) -> None:
        """Check the game's result."""
        game = self._game
        if not game.is_over:
            raise Mismatch(f"game {self._number} is not over after {game.deals} deals")
        out = tuple(sorted(self.out.union(out_of_match)))
        places = game.places(out)
        expect("block", line.block, self._block)
        expect("out", line.out, out)
        expect("places", line.places, places)
        expect("winners", line.winners, tuple(seat for seat in range(3) if places[seat] == 1))
        expect("scores", line.scores, game.scores)
        expect("deals", line.deals, game.deals)

    def _expect_deal(self, deal: int | None) -> None:
        if self._game.is_over:
            raise Mismatch(f"game {self._number} is over after deal {self._game.deals}")
        expect("deal", deal, self._game.deals + 1)

    def _check_seat(
        self, line: DealLine, settled: Settled, seat: int, out_of_match: Collection[int]
    ) -> None:
        """Check what a seat was asked and charged, its faults, and what was played for it."""
        asked, most = line.asked[seat], settled.choices[seat]
        faults = [fault for fault in self._open_faults if fault.line.seat == seat]
        found: list[Question] = []
        if faults or asked != most:
            found = questions(line, self._seed, self._game, seat)
        places = self._places_of(faults, found)
        least = most
        if seat in self._out_before_deal:
            least = most = 0
        elif faults and faults[-1].line.out is not None:
            least = most = places[-1] + 1
        elif seat in out_of_match:
            least = places[-1] + 1 if places else 0
        if not least <= asked <= most:
            right = str(most) if least == most else f"from {least} to {most}"
            raise Mismatch(f"asked[{seat}] is {asked}; it must be {right}")
        for place in (*places, *range(asked, len(found))):
            question = found[place]
            default = question.default
            if question.played != default:
                raise Mismatch(
                    f"seat {seat} gave no valid answer to its question {place + 1}, so the "
                    f"default was due: {action_text(default)}, not {action_text(question.played)}"
                )
        ms = line.ms[seat]
        if ms < 0 or (ms > 0 and not asked):
            right = "0 or more" if asked else "0, since nothing was asked"
            raise Mismatch(f"ms[{seat}] is {ms}; it must be {right}")

    def _places_of(self, faults: list[_OpenFault], found: list[Question]) -> list[int]:
        """Find the questions that a seat's faults tell of, and check those faults."""
        places: list[int] = []
        for fault in faults:
            try:
                place = self._place_of(fault.line, found, places[-1] + 1 if places else 0)
                question = found[place]
                expect("action", fault.line.action, action_text(question.default))
                if fault.line.kind == FaultKind.ILLEGAL:
                    _check_illegal(fault.line, question)
            except Mismatch as mismatch:
                raise Mismatch(mismatch.problem, fault.number) from None
            places.append(place)
        return places

    def _place_of(self, line: FaultLine, found: list[Question], first: int) -> int:
        """Find a fault's question among those of its seat, from place `first` on."""
        prompt = dict(line.prompt or {})
        bank_ms = prompt.pop("bank_ms", None)
        if type(bank_ms) is not int or not 0 <= bank_ms <= self._bank_ms:
            raise Mismatch(
                f"prompt.bank_ms is {shown(bank_ms)}; it must be from 0 to {self._bank_ms}"
            )
        for place in range(first, len(found)):
            # Compared as text: to Python, 1, 1.0 and true are equal.
            if written(found[place].prompt) == written(prompt):
                return place
        nearest = max(
            (question.prompt for question in found[first:]),
            key=lambda right: sum(prompt.get(key) == right[key] for key in right),
            default=prompt,
        )
        for key, value in nearest.items():
            if written(prompt.get(key)) != written(value):
                raise Mismatch(
                    f"prompt.{key} is {shown(prompt.get(key))}; it must be {shown(value)}"
                )
        raise Mismatch(f"prompt is no question that seat {line.seat} was asked then")


def _check_illegal(line: FaultLine, question: Question) -> None:
    if line.answer in {action_text(action) for action in question.deal.legal_actions()}:
        raise Mismatch(f"answer is {shown(line.answer)}, which was legal")
