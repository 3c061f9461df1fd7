"""Sends a message over the limit of gRPC itself."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from faulty import raw

raw(lambda stream, prompts: stream.say(bytes(5_000_000)))
