"""What a match needs of whatever runs its bots: processes here, containers elsewhere."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Protocol

from thousand_referee.spec import BotVersion


class RunningBot(Protocol):
    """A bot that was started."""

    @property
    def exited(self) -> asyncio.Future[str]:
        """Done when the bot's process has ended; says how, for people.

        Fails with `MatchVoid` when it could not be started for no fault of its own.
        """

    async def end(self) -> None:
        """Kill the bot and all it has started, at once; return when nothing is left.

        May be called again, as after a call that was cancelled.
        """


class Launcher(Protocol):
    """Starts bots. Its failures are ours (`MatchVoid`), never a bot's fault."""

    async def start(self, bot: BotVersion, *, address: str, token: str, output: Path) -> RunningBot:
        """Start a bot that is to dial `address` with `token`, its output going to a file."""
