"""Takes a little more than the time for a decision."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import asyncio
from itertools import count

from faulty import MOVE_SECONDS, Stream, raw

from thousand.messages import Prompt

tries = count(1)


async def talk(stream: Stream, prompts: list[Prompt]) -> None:
    """Be late until a bank is empty; a referee that lags itself does not see it at once."""
    bank_ms = min(prompt.view.bank_ms for prompt in prompts)
    if bank_ms:
        await asyncio.sleep(next(tries) * (1.7 * MOVE_SECONDS + bank_ms / 1000))
    await stream.honest(prompts)


raw(talk, times=1000)
