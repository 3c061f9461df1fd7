"""Answers with a decision that the protocol does not know."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from faulty import answer_badly, raw

raw(lambda stream, prompts: answer_badly(stream, prompts, decision=77))
