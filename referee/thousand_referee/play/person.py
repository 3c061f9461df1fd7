"""A person who plays a seat of a match from the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from thousand.messages import Answer, DealEnd, GameEnd, GameStart, Notice, Response, Welcome
from thousand.rules import Action
from thousand.view import View
from thousand_referee.errors import RefereeError
from thousand_referee.in_process import ResidentLeft
from thousand_referee.interview import BotFailed
from thousand_referee.play.hints import Hints
from thousand_referee.play.reading import Misread, read_action
from thousand_referee.play.screen import HELP, Screen
from thousand_referee.play.terminal import Terminal

LEFT: Final = "the person at the terminal left"


class Person:
    """Shows a person what a bot would be sent, and reads the answers."""

    def __init__(self, terminal: Terminal, screen: Screen, hints: Hints | None) -> None:
        self.has_left = False
        self._terminal = terminal
        self._screen = screen
        self._hints = hints
        self._games = 0

    async def receive(self, response: Response) -> Sequence[Answer]:
        """Show a message and read the answers to its prompts; see `in_process.Resident`."""
        if response.welcome is not None:
            await self._welcome(response.welcome)
        for notice in response.notices:
            self._tell(notice)
        return [Answer(prompt.id, await self._ask(prompt.view)) for prompt in response.prompts]

    async def close(self) -> None:
        """End the bot that gives hints."""
        if self._hints is not None:
            await self._hints.close()

    async def _welcome(self, welcome: Welcome) -> None:
        self._games = welcome.games
        self._terminal.open()
        self._terminal.write(self._screen.welcome())
        if self._hints is not None:
            try:
                await self._hints.open(welcome)
            except RefereeError as error:
                self._terminal.write(f"  no hints: {error}")

    def _tell(self, notice: Notice) -> None:
        if self._hints is not None:
            self._hints.tell(notice)
        match notice:
            case GameStart():
                self._terminal.write(*self._screen.game_start(notice.game, self._games))
            case DealEnd():
                self._terminal.write(*self._screen.deal_end(notice))
            case GameEnd():
                self._terminal.write(*self._screen.game_end(notice))

    async def _ask(self, view: View) -> Action:
        """Read lines until one is an answer; `ResidentLeft` if the person leaves."""
        self._terminal.write(*self._screen.question(view))
        while True:
            line = await self._terminal.read_line(self._screen.prompt(view))
            match None if line is None else line.strip().lower():
                case None | "q" | "quit":
                    self.has_left = True
                    raise ResidentLeft(LEFT)
                case "":
                    continue
                case "?" | "help":
                    self._terminal.write(HELP)
                case "t":
                    self._terminal.write(*self._screen.tricks(view))
                case "h":
                    await self._hint(view)
                case _:
                    assert line is not None
                    try:
                        return read_action(view, line)
                    except Misread as misread:
                        self._terminal.write(f"  {misread}")

    async def _hint(self, view: View) -> None:
        if self._hints is None:
            self._terminal.write("  start with --hint BOT to get hints of a bot")
            return
        try:
            action = await self._hints.ask(view)
        except BotFailed as error:
            self._terminal.write(f"  no hint: {error}")
        else:
            self._terminal.write(self._screen.hint(self._hints.name, action))
