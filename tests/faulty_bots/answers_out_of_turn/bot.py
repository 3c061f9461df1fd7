"""Answers what it was not asked: old prompts, and those to come."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from faulty import Stream, raw

from thousand.defaults import default_action
from thousand.messages import Answer, Prompt


async def talk(stream: Stream, prompts: list[Prompt]) -> None:
    action = default_action(prompts[0].view)
    for prompt_id in (0, prompts[0].id - 1, prompts[0].id + 1000, 2**64 - 1):
        await stream.answer(Answer(prompt_id, action))
    await stream.honest(prompts)


raw(talk, times=50)
