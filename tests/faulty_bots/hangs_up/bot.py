"""Closes its stream in the middle, and stays."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from faulty import Stream, never, raw

from thousand.messages import Prompt


async def talk(stream: Stream, prompts: list[Prompt]) -> None:
    await stream.hang_up()
    await never()


raw(talk)
