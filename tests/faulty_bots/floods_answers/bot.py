"""Answers things it was not asked, without end."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from faulty import Stream, raw

from thousand.messages import Answer, Prompt
from thousand.rules import Bid


async def talk(stream: Stream, prompts: list[Prompt]) -> None:
    await stream.honest(prompts)
    while True:
        await stream.answer(*[Answer(0, Bid(None))] * 100)


raw(talk)
