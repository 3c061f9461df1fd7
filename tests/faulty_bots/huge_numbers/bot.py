"""Answers with the largest numbers there are."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from faulty import answer_badly, raw

raw(
    lambda stream, prompts: answer_badly(
        stream, prompts, amount=2**32 - 1, cards=bytes([255]) * 300
    ),
    times=1000,
)
