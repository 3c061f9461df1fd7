"""Sends a message over the referee's limit."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from faulty import raw

raw(lambda stream, prompts: stream.say(bytes(300_000)))
