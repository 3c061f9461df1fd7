"""Feeding a logged game's exact prompts to a bot, and seeing where it answers differently.

The deals are dealt and played again from the log, so the bot gets the views that the
logged seat got, one by one, and the notices between them. What it answers changes
nothing: the game goes on as it was logged. Two things a log doesn't tell: what was left
of the bank at each prompt (the bot is told that all of it was), and the seed of the
seat's lots, so a bot that draws lots may differ from itself.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from thousand.errors import IllegalAction
from thousand.messages import DealEnd, GameEnd, GameStart, Notice, Welcome
from thousand.rules import Action, Deal, Game, deal_cards
from thousand.testing import check
from thousand.view import View
from thousand_referee.errors import LogError
from thousand_referee.interview import Interview
from thousand_referee.launch.launcher import Launcher
from thousand_referee.matchlog.reader import read_log
from thousand_referee.matchlog.records import DealLine, FaultLine, GameLine, MatchLine
from thousand_referee.matchlog.replay import Mismatch, replay
from thousand_referee.matchlog.spelling import prompt_of
from thousand_referee.spec import BotVersion

NO_SEED: Final = bytes(16)


@dataclass(frozen=True, slots=True)
class LoggedGame:
    """One game of a log: the match's header, its deals with the numbers of their lines."""

    path: Path
    header: MatchLine
    number: int
    deals: tuple[tuple[int, DealLine], ...]
    faults: tuple[FaultLine, ...]
    end: GameLine

    def decisions_of(self, seat: int) -> int:
        """Count the decisions that a seat was asked for."""
        return sum(line.asked[seat] for _, line in self.deals)


@dataclass(frozen=True, slots=True)
class Question:
    """What a seat was asked, what was played then, and the fault if that was the default."""

    view: View
    logged: Action
    fault: FaultLine | None


@dataclass(frozen=True, slots=True)
class Reply:
    """A question, and what the bot that is asked again answers."""

    question: Question
    answer: Action

    @property
    def differs(self) -> bool:
        """Whether the bot would have played otherwise."""
        return self.answer != self.question.logged

    @property
    def is_legal(self) -> bool:
        """Whether the rules allow the bot's answer."""
        try:
            check(self.question.view, self.answer)
        except IllegalAction:
            return False
        return True


def read_game(path: Path, number: int) -> LoggedGame:
    """Read one game of a log, whole or not; `LogError` if the game isn't there to its end."""
    header: MatchLine | None = None
    deals: list[tuple[int, DealLine]] = []
    faults: list[FaultLine] = []
    for line_number, line in read_log(path):
        match line:
            case MatchLine():
                header = line
                if not 0 <= number < line.games:
                    raise LogError(
                        str(path), 0, f"there is no game {number}; games are 0 to {line.games - 1}"
                    )
            case DealLine() if line.game == number:
                deals.append((line_number, line))
            case FaultLine() if line.game == number:
                faults.append(line)
            case GameLine() if line.game == number:
                assert header is not None  # the reader sees to it
                return LoggedGame(path, header, number, tuple(deals), tuple(faults), line)
    raise LogError(str(path), 0, f"game {number} has no end")


def prompts(logged: LoggedGame, seat: int) -> Iterator[Question | Notice]:
    """Yield all that a seat was asked and told in the game, in order.

    `LogError` where the log can't be played under the rules.
    """
    yield GameStart(logged.number)
    game = Game()
    for line_number, line in logged.deals:
        try:
            seed = bytes.fromhex(logged.header.seeds[logged.number])
            deal = Deal(game.dealer, *deal_cards(seed, line.deal))
            asked = 0
            for action in replay(line, deal):
                if deal.seat == seat and asked < line.asked[seat]:
                    asked += 1
                    yield _question(
                        logged,
                        View.of(deal, game, number=line.game, bank_ms=logged.header.time.bank_ms),
                        action,
                    )
            game = game.settle(deal.outcome)
        except (Mismatch, ValueError) as error:
            raise LogError(
                str(logged.path),
                line_number,
                f"can't be played again ({error}); `thousand log verify` tells more",
            ) from error
        yield DealEnd.of(deal, game, number=line.game)
    yield GameEnd(logged.number, logged.end.places, logged.end.scores)


async def replies(
    logged: LoggedGame, seat: int, bot: BotVersion, launcher: Launcher, folder: Path, output: Path
) -> AsyncIterator[Reply]:
    """Start a bot, ask it all that the seat was asked, and yield what it says.

    `folder` is for a socket, `output` the file for what it prints. `BotFailed` when it
    doesn't answer.
    """
    time = logged.header.time
    welcome = Welcome(logged.header.games, 1, time.move_ms, time.bank_ms, NO_SEED)
    async with Interview(
        bot, launcher, welcome, connect_ms=time.connect_ms, folder=folder, output=output
    ) as interview:
        for each in prompts(logged, seat):
            if isinstance(each, Question):
                yield Reply(each, await interview.ask(each.view))
            else:
                interview.tell(each)


def _question(logged: LoggedGame, view: View, played: Action) -> Question:
    prompt = _without_bank(prompt_of(view))
    for fault in logged.faults:
        if fault.seat == view.seat and fault.prompt and _without_bank(fault.prompt) == prompt:
            return Question(view, played, fault)
    return Question(view, played, None)


def _without_bank(prompt: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in prompt.items() if name != "bank_ms"}
