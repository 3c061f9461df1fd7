"""Takes a little more than the time for a decision."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import asyncio

from faulty import BANK_SECONDS, MOVE_SECONDS, Stream, raw

from thousand.messages import Prompt


async def talk(stream: Stream, prompts: list[Prompt]) -> None:
    await asyncio.sleep(1.85 * MOVE_SECONDS + BANK_SECONDS)
    await stream.honest(prompts)


raw(talk)
