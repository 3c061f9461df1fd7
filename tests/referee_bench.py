"""A referee driven by hand, with a time of its own and nobody else's."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from unittest.mock import patch

from thousand.defaults import default_action
from thousand.messages import Answer, BadAnswer, Notice, Prompt
from thousand.rules import Action, Bid, Decision, Give, Play, Raise
from thousand.view import View
from thousand_referee.match import match_header
from thousand_referee.matchlog.records import DealLine, FaultLine, GameLine, Line
from thousand_referee.matchlog.summary import MatchSummary
from thousand_referee.matchlog.verify import verify_log
from thousand_referee.matchlog.writer import LogWriter
from thousand_referee.referee import Referee
from thousand_referee.spec import MatchSpec

Choice = Callable[[View], Action]


def short_games(deals: int) -> AbstractContextManager[object]:
    """Make every game end after so many deals, to play more of them."""
    return patch("thousand.rules.game.LAST_DEAL", deals)


class Bench:
    """A referee, what it logged, and what was sent to each seat and is not answered yet.

    `now` is the fair time in seconds; nothing happens unless a test makes it happen.
    """

    def __init__(self, spec: MatchSpec) -> None:
        self.spec = spec
        self.now = 1000.0
        self.lines: list[Line] = []
        self.referee = Referee(spec, self.lines.append)
        self.sent: list[list[Prompt]] = [[], [], []]
        self.notices: list[list[Notice]] = [[], [], []]

    @property
    def faults(self) -> list[FaultLine]:
        return [line for line in self.lines if isinstance(line, FaultLine)]

    @property
    def games(self) -> list[GameLine]:
        return [line for line in self.lines if isinstance(line, GameLine)]

    @property
    def deals(self) -> list[DealLine]:
        return [line for line in self.lines if isinstance(line, DealLine)]

    def send(self) -> None:
        """Send whatever there is for anybody."""
        for seat in range(3):
            response = self.referee.take(seat, self.now)
            if response is not None:
                self.sent[seat] += response.prompts
                self.notices[seat] += response.notices

    def asked(self) -> int:
        """Send what there is, and give a seat that is asked."""
        self.send()
        return next(seat for seat in range(3) if self.sent[seat])

    def say(self, seat: int, *answers: Answer | BadAnswer) -> None:
        """Say this as the seat's bot, in one message."""
        ids = {answer.prompt_id for answer in answers}
        self.sent[seat] = [prompt for prompt in self.sent[seat] if prompt.id not in ids]
        self.referee.hear(seat, answers, self.now)

    def answer(self, seat: int, choose: Choice = default_action, count: int | None = None) -> None:
        """Answer the first so many prompts of a seat, or all, in one message."""
        prompts = self.sent[seat][:count]
        self.say(seat, *(Answer(prompt.id, choose(prompt.view)) for prompt in prompts))

    def wait(self, seconds: float) -> None:
        """Let time pass, then look at every clock."""
        self.now += seconds
        for seat in range(3):
            self.referee.check_time(seat, self.now)

    def restart(self, seat: int) -> None:
        """Start the bot's process again, as the match does when the referee wants it."""
        assert self.referee.seats[seat].wants_restart
        self.sent[seat].clear()
        self.notices[seat].clear()
        self.referee.restarted(seat)

    def play_out(self, limit: int = 100_000) -> None:
        """Let everybody play well from now on, to the end; fail if there is none."""
        for _ in range(limit):
            for seat in range(3):
                if self.referee.seats[seat].wants_restart:
                    self.restart(seat)
            self.send()
            if self.referee.is_over:
                return
            for seat in range(3):
                if self.sent[seat]:
                    self.answer(seat)
        raise AssertionError("the match does not end")

    def verified(self, folder: Path) -> MatchSummary:
        """Write the log of a match that is over, verify it, and sum it up."""
        assert self.referee.is_over
        with LogWriter(folder, match_header(self.spec)) as log:
            for line in self.lines:
                log.write(line)
            first, second, third = (seat.times.to_json() for seat in self.referee.seats)
            return verify_log(log.finish(self.spec.games, (first, second, third), 0.0))


def illegal_action(view: View) -> Action:
    """Give a well-formed answer to the question that the rules forbid."""
    match view.decision:
        case Decision.BID:
            return Bid(5)
        case Decision.RAISE:
            return Raise(0)
        case Decision.GIVE:
            return Give(view.hand[0], view.hand[0])
        case Decision.PLAY:
            return Play(view.unseen[0] if view.unseen else view.played[0])


def wrong_action(view: View) -> Action:
    """Give an answer to a question that was not put."""
    return Raise(100) if view.decision is Decision.BID else Bid(None)
