"""Answers everything twice."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from faulty import Stream, raw

from thousand.messages import Prompt


async def talk(stream: Stream, prompts: list[Prompt]) -> None:
    await stream.honest(prompts * 2)
    await stream.honest(prompts)


raw(talk, times=50)
