"""Sends empty messages instead of answers, to win time."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import asyncio

from faulty import MOVE_SECONDS, Stream, raw

from thousand.messages import Prompt


async def talk(stream: Stream, prompts: list[Prompt]) -> None:
    for _ in range(16):
        await stream.answer()
        await asyncio.sleep(MOVE_SECONDS / 2)
    await stream.honest(prompts)


raw(talk)
