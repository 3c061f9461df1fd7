"""A bot that is asked for its opinion while a person plays."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path

from thousand.messages import Notice, Welcome
from thousand.rules import Action
from thousand.view import View
from thousand_referee.interview import BotFailed, Interview
from thousand_referee.launch.process import ProcessLauncher
from thousand_referee.sockets import socket_folder
from thousand_referee.spec import BotVersion, TimeLimits


class Hints:
    """Keeps a bot informed of what the person's seat is told, and asks it when wanted."""

    def __init__(self, bot: BotVersion, limits: TimeLimits, output: Path) -> None:
        self.name = bot.name
        self._bot = bot
        self._limits = limits
        self._output = output
        self._stack = AsyncExitStack()
        self._interview: Interview | None = None

    async def open(self, welcome: Welcome) -> None:
        """Start the bot; `BotFailed` if it doesn't."""
        folder = self._stack.enter_context(socket_folder())
        self._interview = await self._stack.enter_async_context(
            Interview(
                self._bot,
                ProcessLauncher(),
                welcome,
                connect_ms=self._limits.connect_ms,
                folder=folder,
                output=self._output,
            )
        )

    def tell(self, notice: Notice) -> None:
        """Pass a notice on."""
        if self._interview is not None:
            self._interview.tell(notice)

    async def ask(self, view: View) -> Action:
        """Give what the bot would do; `BotFailed` if it fails, now or before."""
        if self._interview is None:
            raise BotFailed(f"{self.name} gives no hints any more")
        try:
            return await self._interview.ask(view)
        except BotFailed:
            self._interview = None
            raise

    async def close(self) -> None:
        """End the bot."""
        self._interview = None
        await self._stack.aclose()
