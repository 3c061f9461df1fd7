"""Answers with what the rules forbid."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from faulty import Stream, illegal, raw

from thousand.messages import Answer, Prompt


async def talk(stream: Stream, prompts: list[Prompt]) -> None:
    await stream.answer(*(Answer(prompt.id, illegal(prompt.view)) for prompt in prompts))


raw(talk, times=1000)
