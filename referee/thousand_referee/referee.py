"""The referee of one match: who is asked what, what is charged, what is a fault.

Sans I/O: the match tells it what was heard and what time it is, sends what `take`
gives, and looks at `wants_restart` and `is_over`. It never waits and never fails over
what a bot does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from thousand.errors import IllegalAction
from thousand.messages import (
    Answer,
    BadAnswer,
    GameStart,
    Notice,
    Prompt,
    Response,
    Welcome,
)
from thousand.rules import Action, Bid, Decision, Give, Play, Raise
from thousand.view import View
from thousand_referee.clock import Clock
from thousand_referee.faults import FaultKind
from thousand_referee.matchlog.records import FaultLine, GameLine, Line
from thousand_referee.matchlog.spelling import action_text, prompt_of
from thousand_referee.matchlog.writer import deal_line
from thousand_referee.spec import MatchSpec
from thousand_referee.table import DealSettled, Table
from thousand_referee.times import TimeHistogram

GRACE_SECONDS: Final = 0.02
"""Forgiven at the end of a decision's time, for input that came but was not read yet."""

BEATS_TO_WAIT: Final = 2
"""Prompts wait at most so many beats of the fair time (`lag`) for others to go with."""

STALE_LIMIT: Final = 1_000
"""Answers to nothing that was asked, after which a bot counts as gone mad."""

_DECISION_OF: Final = {
    Bid: Decision.BID,
    Give: Decision.GIVE,
    Raise: Decision.RAISE,
    Play: Decision.PLAY,
}


Question: TypeAlias = tuple[Table, View]
"""A decision that waits for a bot: where, and what the bot was shown."""


@dataclass(slots=True)
class Seat:
    """What the referee keeps of one seat: its clock, its open prompts, what to send next."""

    clock: Clock
    next_prompt: int = 1
    times: TimeHistogram = field(default_factory=TimeHistogram)
    open: dict[int, Question] = field(default_factory=dict)
    notices: list[Notice] = field(default_factory=list)
    prompts: list[Prompt] = field(default_factory=list)
    restarts: int = 0
    stale: int = 0
    is_out: bool = False
    wants_restart: bool = False
    beats_waited: int = 0


class Referee:
    """Plays all games of a match, `tables` at a time.

    Attributes:
        seats: what is kept of each seat.
        is_over: whether every game has ended.
    """

    def __init__(self, spec: MatchSpec, log: Callable[[Line], None]) -> None:
        self._spec = spec
        self._log = log
        self._tables: dict[int, Table] = {}
        self._next_game = 0
        self.seats = tuple(Seat(Clock(spec.time, GRACE_SECONDS)) for _ in range(3))
        self.is_over = False
        self._start_games()

    def welcome(self, seat: int) -> Response:
        """Give the first message for a seat's bot."""
        spec = self._spec
        return Response(
            Welcome(
                spec.games,
                min(spec.tables, spec.games),
                spec.time.move_ms,
                spec.time.bank_ms,
                bytes.fromhex(spec.bot_seeds[seat]),
            )
        )

    def has_news(self, seat: int) -> bool:
        """Whether there is a message to send to a seat now.

        Few and full messages carry more decisions a second, and nobody's clock runs for
        what was not sent. So notices wait for prompts, and prompts wait while the bot
        works on those of the message before; then for those of a quarter of the tables,
        but no longer than others work on what may bring some, nor than two beats.
        """
        state = self.seats[seat]
        if state.wants_restart:
            return False
        if self.is_over:
            return bool(state.notices)
        if not state.prompts or state.clock.is_running:
            return False
        return (
            4 * len(state.prompts) >= len(self._tables)
            or state.beats_waited >= BEATS_TO_WAIT
            or not any(other.clock.is_running for other in self.seats)
        )

    def take(self, seat: int, now: float) -> Response | None:
        """Give what is to be sent to a seat, whose clocks start now; None for nothing."""
        if not self.has_news(seat):
            return None
        state = self.seats[seat]
        response = Response(notices=tuple(state.notices), prompts=tuple(state.prompts))
        for prompt in state.prompts:
            state.clock.start(prompt.id, prompt.view.game, now)
        state.notices.clear()
        state.prompts.clear()
        state.beats_waited = 0
        return response

    # What a bot does

    def hear(self, seat: int, answers: tuple[Answer | BadAnswer, ...], now: float) -> None:
        """Answers of a bot came in one message."""
        state = self.seats[seat]
        if self.is_over or state.is_out or state.wants_restart:
            return
        valid: dict[int, Answer | BadAnswer] = {}
        for answer in answers:
            if state.clock.is_sent(answer.prompt_id) and answer.prompt_id not in valid:
                valid[answer.prompt_id] = answer
            else:
                state.stale += 1
        if valid:
            self._take_answers(seat, valid, now)
        else:
            state.stale += not answers
            state.clock.break_silence(now)
        if state.stale > STALE_LIMIT:
            detail = f"more than {STALE_LIMIT} answers to nothing that was asked"
            state.stale = 0
            self.lose(seat, FaultKind.MALFORMED, detail, now)
        self._check_match_time(seat)
        self._start_games()

    def check_time(self, seat: int, now: float) -> None:
        """Call timeouts that are due, the grace included; once at every beat."""
        state = self.seats[seat]
        state.beats_waited += bool(state.prompts)
        if self.is_over or state.wants_restart or not state.clock.is_due(now):
            return
        if state.clock.is_silent:
            detail = f"silent for {self._spec.time.move_ms} ms after a timeout"
            self._replace(seat, FaultKind.TIMEOUT, detail)
        else:
            prompt_id, seconds = state.clock.expire(now)
            table, view = state.open.pop(prompt_id)
            state.times.add(round(seconds * 1e6))
            table.charge(seat, seconds * 1000)
            self._fault(seat, FaultKind.TIMEOUT, _over_limits(seconds), table, view)
            self._advance(table)
            self._check_match_time(seat)
        self._start_games()

    def lose(self, seat: int, kind: FaultKind, detail: str, now: float) -> None:
        """A bot's process or its stream has ended, or must be ended.

        The oldest open prompt bears the fault and gets the default action; the others
        are asked again if there is a restart left.
        """
        state = self.seats[seat]
        if self.is_over or state.is_out or state.wants_restart:
            return
        prompt_id = next(iter(state.open), None)
        if prompt_id is None:
            self._replace(seat, kind, detail)
        else:
            table, view = state.open.pop(prompt_id)
            if state.clock.is_sent(prompt_id):
                table.charge(seat, 1000 * state.clock.stop([prompt_id], now).seconds)
            self._replace(seat, kind, detail, (table, view))
            self._advance(table)
        self._start_games()

    def restarted(self, seat: int) -> None:
        """A new process of the bot runs: ask its open prompts again."""
        state = self.seats[seat]
        state.wants_restart = False
        state.clock.restart()
        state.notices = [GameStart(number) for number in self._tables]
        state.prompts = [Prompt(id_, view) for id_, (_, view) in state.open.items()]

    # What the referee does

    def _start_games(self) -> None:
        """Open tables while there are games left and fewer than `tables` are played.

        The last step of whatever may end a game; a loop, since games whose seats are
        all out end as soon as they have begun.
        """
        spec = self._spec
        while self._next_game < spec.games and len(self._tables) < spec.tables:
            number = self._next_game
            self._next_game += 1
            out = {seat for seat in range(3) if self.seats[seat].is_out}
            seed = bytes.fromhex(spec.block_seeds[number])
            table = Table(number, spec.first_block + number, seed, out)
            self._tables[number] = table
            self._notify(GameStart(number))
            self._advance(table)
        self.is_over = not self._tables and self._next_game == spec.games

    def _advance(self, table: Table) -> None:
        """Play on to the next question, and ask it; log and tell what has ended."""
        for event in table.advance():
            self._notify(event.notice)
            if isinstance(event, DealSettled):
                line = deal_line(table.number, event.deal, event.after, event.asked, event.ms)
                self._log(line)
            else:
                self._log(
                    GameLine(
                        game=table.number,
                        block=table.block,
                        places=event.places,
                        winners=event.winners,
                        scores=event.game.scores,
                        deals=event.game.deals,
                        out=event.out,
                    )
                )
        if table.is_over:
            del self._tables[table.number]
            for state in self.seats:
                state.clock.forget_game(table.number)
            return
        seat = self.seats[table.seat]
        view = table.view(seat.clock.bank_ms(table.number))
        table.count_asked()
        # Numbers of the seat's own: shared ones would tell how often others had a choice.
        seat.open[seat.next_prompt] = table, view
        seat.prompts.append(Prompt(seat.next_prompt, view))
        seat.next_prompt += 1

    def _notify(self, notice: Notice) -> None:
        for seat in self.seats:
            if not seat.is_out:
                seat.notices.append(notice)

    def _take_answers(self, seat: int, answers: dict[int, Answer | BadAnswer], now: float) -> None:
        """Charge for the answers to open prompts that came in one message, and carry them out."""
        state = self.seats[seat]
        charge = state.clock.stop(answers, now)
        state.times.add(round(charge.seconds * 1e6), len(answers))
        for prompt_id, answer in answers.items():
            table, view = state.open.pop(prompt_id)
            table.charge(seat, charge.seconds * 1000)
            if prompt_id in charge.late:
                self._fault(seat, FaultKind.TIMEOUT, _over_limits(charge.seconds), table, view)
            else:
                self._decide(seat, table, view, answer)
            self._advance(table)

    def _check_match_time(self, seat: int) -> None:
        """Take a bot out of the match that has spent all its time for it."""
        state = self.seats[seat]
        if state.clock.is_used_up and not state.is_out:
            detail = f"used up its {self._spec.time.match_ms} ms for the whole match"
            self._leave(seat, FaultKind.TIMEOUT, detail)

    def _decide(self, seat: int, table: Table, view: View, answer: Answer | BadAnswer) -> None:
        """Carry out an answer, or call what is wrong with it."""
        if isinstance(answer, BadAnswer):
            self._fault(seat, FaultKind.MALFORMED, answer.problem, table, view)
            return
        action = answer.action
        if _DECISION_OF[type(action)] is not view.decision:
            detail = f"this is no answer to {view.decision.name.lower()}"
            self._fault(seat, FaultKind.MALFORMED, detail, table, view, action)
            return
        try:
            table.answer(action)
        except IllegalAction as error:
            self._fault(seat, FaultKind.ILLEGAL, str(error), table, view, action)

    def _fault(
        self,
        seat: int,
        kind: FaultKind,
        detail: str,
        table: Table,
        view: View,
        answer: Action | None = None,
        *,
        leaves: bool = False,
    ) -> None:
        """Log a fault at a table and play the default action for its open decision.

        `leaves` says that the bot is out of the match with this one.
        """
        table.faults[seat] += 1
        out = None
        if leaves:
            out = "match"
        elif table.faults[seat] == self._spec.faults.per_game:
            out = "game"
        if out:
            table.out.add(seat)
        default = table.default()
        self._log(
            FaultLine(
                game=view.game,
                deal=view.deal,
                seat=seat,
                kind=kind,
                detail=detail,
                prompt=prompt_of(view),
                answer=None if answer is None else action_text(answer),
                action=action_text(default),
                out=out,
            )
        )
        table.answer(default)

    def _replace(
        self, seat: int, kind: FaultKind, detail: str, question: Question | None = None
    ) -> None:
        """Have the bot's process replaced, or the bot leave the match if none is left."""
        state = self.seats[seat]
        if state.restarts >= self._spec.faults.restarts:
            self._leave(seat, kind, f"{detail}; no restart is left", question)
            return
        state.restarts += 1
        state.wants_restart = True
        state.notices.clear()
        state.prompts.clear()
        if question is None:
            self._log(FaultLine(game=None, deal=None, seat=seat, kind=kind, detail=detail))
        else:
            self._fault(seat, kind, detail, *question)

    def _leave(
        self, seat: int, kind: FaultKind, detail: str, question: Question | None = None
    ) -> None:
        """Take a bot out of all the games that are left of the match."""
        state = self.seats[seat]
        state.is_out = True
        state.wants_restart = False
        state.notices.clear()
        state.prompts.clear()
        state.clock.restart()
        if question is None:
            self._log(
                FaultLine(game=None, deal=None, seat=seat, kind=kind, detail=detail, out="match")
            )
        else:
            self._fault(seat, kind, detail, *question, leaves=True)
        for table in self._tables.values():
            table.out.add(seat)
        waiting = [table for table, _ in state.open.values()]
        state.open.clear()
        for table in waiting:
            self._advance(table)


def _over_limits(seconds: float) -> str:
    return f"no answer within the time and the bank, after {seconds * 1000:.0f} ms"
