"""Answers with a negative number, which the protocol has no room for."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from faulty import Stream, raw

from thousand.messages import Prompt


async def talk(stream: Stream, prompts: list[Prompt]) -> None:
    """Write field 3 (amount) as a varint of ten bytes: -100, as int32 would be."""
    number = (2**64 - 100) & (2**64 - 1)
    varint = bytes([number >> 7 * place & 127 | 128 for place in range(9)]) + b"\x01"
    answer = bytes([8, prompts[0].id, 16, int(prompts[0].view.decision), 24]) + varint
    await stream.say(bytes([18, len(answer)]) + answer)
    await stream.honest(prompts[1:])


raw(talk)
