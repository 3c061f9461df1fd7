"""An exam: what a bot under check is asked, and what is wrong with its answers.

Sans I/O: the sitting tells it what was heard and what time it is, and sends what
`take` gives. The first thing that is wrong ends it.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final

from thousand.errors import IllegalAction
from thousand.messages import Answer, BadAnswer, Notice, Prompt, Response, Welcome
from thousand.rules import Action, Bid, Decision, Give, Play, Raise
from thousand.testing import check
from thousand.view import View
from thousand_referee.check.lessons import Lesson, lessons
from thousand_referee.clock import Clock
from thousand_referee.matchlog.spelling import action_text
from thousand_referee.referee import GRACE_SECONDS, STALE_LIMIT
from thousand_referee.spec import TimeLimits
from thousand_referee.times import TimeHistogram

_SITUATIONS_CLOCK: Final = -1
_ILLEGAL: Final = {
    Decision.BID: "it makes a bid that isn't legal",
    Decision.GIVE: "it gives cards that it can't give",
    Decision.RAISE: "it plays a contract that isn't legal",
    Decision.PLAY: "it plays a card that isn't legal",
}
_KINDS: Final = {
    Bid: Decision.BID,
    Give: Decision.GIVE,
    Raise: Decision.RAISE,
    Play: Decision.PLAY,
}


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a bot isn't ready: `cause` completes "not ready: …".

    `where` names the table, `view` is what it was asked there, `answer` what it said;
    `detail` says more. All but the cause may be empty.
    """

    cause: str
    detail: str = ""
    where: str = ""
    view: View | None = None
    answer: str = ""


@dataclass(slots=True)
class _Seat:
    """A lesson under way."""

    number: int
    lesson: Lesson
    asked: int = 0


@dataclass(slots=True)
class Figures:
    """What an exam counts: questions of each kind, times, and every answer by its place.

    An answer's place is the game's number and how many were asked there before.
    """

    asked: Counter[Decision] = field(default_factory=Counter)
    times: TimeHistogram = field(default_factory=TimeHistogram)
    answers: dict[tuple[int, int], str] = field(default_factory=dict)
    unasked: int = 0
    over_move: float = 0.0


class Exam:
    """Asks a bot all lessons, `tables` at a time.

    Attributes:
        problem: what is wrong with the bot, once something is.
        figures: what was counted.
        is_over: whether all was asked and answered, or something is wrong.
    """

    def __init__(self, seed: str, tables: int, limits: TimeLimits) -> None:
        self._seed = seed
        self._tables = tables
        self._limits = limits
        self._waiting = deque(enumerate(lessons(seed)))
        self._games = len(self._waiting)
        self._under_way = 0
        self._clock = Clock(limits, GRACE_SECONDS)
        self._next_prompt = 1
        self._open: dict[int, tuple[_Seat, View]] = {}
        self._notices: list[Notice] = []
        self._prompts: list[Prompt] = []
        self.problem: Problem | None = None
        self.figures = Figures()
        self._start_lessons()

    @property
    def is_over(self) -> bool:
        """Whether there is nothing more to ask."""
        return self.problem is not None or not (self._waiting or self._under_way)

    @property
    def progress(self) -> tuple[int, int]:
        """Give how many lessons have ended, and how many there are."""
        return self._games - len(self._waiting) - self._under_way, self._games

    def welcome(self) -> Response:
        """Give the first message."""
        limits = self._limits
        seed = sha256(f"thousand check bot {self._seed}".encode()).digest()[:16]
        return Response(Welcome(self._games, self._tables, limits.move_ms, limits.bank_ms, seed))

    def take(self, now: float) -> Response | None:
        """Give the next message, whose questions' time starts now; None if it is not time."""
        if self.is_over:
            notices, self._notices = tuple(self._notices), []
            return Response(notices=notices) if notices and self.problem is None else None
        if not self._prompts or self._clock.is_running:
            return None
        response = Response(notices=tuple(self._notices), prompts=tuple(self._prompts))
        for prompt in self._prompts:
            self._clock.start(prompt.id, _clock_of(self._open[prompt.id][0]), now)
        self._notices.clear()
        self._prompts.clear()
        return response

    def hear(self, answers: Iterable[Answer | BadAnswer], now: float) -> None:
        """Take the answers of one message."""
        valid: dict[int, Answer | BadAnswer] = {}
        for answer in answers:
            if self._clock.is_sent(answer.prompt_id) and answer.prompt_id not in valid:
                valid[answer.prompt_id] = answer
            else:
                self.figures.unasked += 1
        if self.figures.unasked > STALE_LIMIT:
            self.lose(
                "it answers what nobody asked",
                f"more than {STALE_LIMIT:,} answers with a prompt id that was not open",
            )
        if self.is_over or not valid:
            return
        banks = {clock: self._bank(clock) for clock in map(_clock_of, self._seats())}
        charge = self._clock.stop(valid, now)
        over = max(0.0, charge.seconds - self._limits.move_ms / 1000)
        for prompt_id, answer in valid.items():
            seat, view = self._open.pop(prompt_id)
            self._count_time(charge.seconds)
            left = banks[_clock_of(seat)]
            banks[_clock_of(seat)] = max(0.0, left - over)
            if prompt_id in charge.late:
                self._object(self._too_slow(charge.seconds, left, seat), seat, view)
            else:
                self._judge(seat, view, answer)
            if self.problem is not None:
                return
        self._start_lessons()

    def check_time(self, now: float) -> None:
        """End the exam if an answer doesn't come within the limits."""
        if self.is_over or not self._clock.is_due(now):
            return
        banks = {seat.number: self._bank(_clock_of(seat)) for seat in self._seats()}
        prompt_id, seconds = self._clock.expire(now)
        seat, view = self._open[prompt_id]
        self._count_time(seconds)
        self._object(self._too_slow(seconds, banks[seat.number], seat), seat, view)

    def lose(self, cause: str, detail: str) -> None:
        """End the exam because of the bot's process; the question it had is named."""
        if self.problem is None:
            sent = (self._open[key] for key in self._open if self._clock.is_sent(key))
            seat, view = next(sent, (None, None))
            self._object(Problem(cause, detail), seat, view)

    # The lessons

    def _start_lessons(self) -> None:
        while self._waiting and self._under_way < self._tables:
            self._under_way += 1
            number, lesson = self._waiting.popleft()
            self._go_on(_Seat(number, lesson), None)

    def _go_on(self, seat: _Seat, action: Action | None) -> None:
        """Go on with a lesson up to its next question or its end."""
        steps = seat.lesson.steps
        try:
            step = next(steps) if action is None else steps.send(action)
            while not isinstance(step, View):
                self._notices.append(step)
                step = next(steps)
        except StopIteration:
            self._under_way -= 1
            return
        view = step._replace(bank_ms=self._clock.bank_ms(_clock_of(seat)))
        self.figures.asked[view.decision] += 1
        self._open[self._next_prompt] = seat, view
        self._prompts.append(Prompt(self._next_prompt, view))
        self._next_prompt += 1

    def _judge(self, seat: _Seat, view: View, answer: Answer | BadAnswer) -> None:
        """Go on after a good answer, object to any other."""
        if isinstance(answer, BadAnswer):
            problem = Problem("it sends an answer that can't be read", answer.problem)
            self._object(problem, seat, view)
            return
        text = action_text(answer.action)
        kind = _KINDS[type(answer.action)]
        if kind is not view.decision:
            cause = f"it answers with a {kind.name.lower()} when asked for another thing"
            self._object(Problem(cause, answer=text), seat, view)
            return
        try:
            check(view, answer.action)
        except IllegalAction:
            self._object(Problem(_cause_of(view, answer.action), answer=text), seat, view)
            return
        self.figures.answers[seat.number, seat.asked] = text
        seat.asked += 1
        self._go_on(seat, answer.action)

    def _object(self, problem: Problem, seat: _Seat | None, view: View | None) -> None:
        where = "" if seat is None else seat.lesson.name
        self.problem = Problem(problem.cause, problem.detail, where, view, problem.answer)

    def _count_time(self, seconds: float) -> None:
        self.figures.times.add(round(seconds * 1e6))
        self.figures.over_move += max(0.0, seconds - self._limits.move_ms / 1000)

    def _seats(self) -> Iterator[_Seat]:
        return (seat for seat, _ in self._open.values())

    def _bank(self, clock: int) -> float:
        return self._clock.bank_ms(clock) / 1000

    def _too_slow(self, seconds: float, left: float, seat: _Seat) -> Problem:
        """Say so; `left` is what the bank had when the decision's time began."""
        limits = self._limits
        if self.figures.times.total <= 1 or seconds > (limits.move_ms + limits.bank_ms) / 1000:
            cause = "it doesn't answer"
        else:
            cause = "it takes too long for its decisions"
        whole = "all the situations share" if seat.lesson.is_situation else "a whole game has"
        move_s, bank_s = limits.move_ms / 1000, limits.bank_ms / 1000
        return Problem(
            cause,
            f"no answer after {seconds:.1f} s: the limit is {move_s:g} s a decision, and of the "
            f"{bank_s:g} s on top that {whole} {left:.1f} s were left",
        )


def _cause_of(view: View, action: Action) -> str:
    if isinstance(action, Play) and action.announce and action.card in view.cards:
        return "it announces a marriage that it can't announce"
    return _ILLEGAL[view.decision]


def _clock_of(seat: _Seat) -> int:
    return _SITUATIONS_CLOCK if seat.lesson.is_situation else seat.number
