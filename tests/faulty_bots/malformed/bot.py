"""Sends bytes that are no message."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from faulty import raw

raw(lambda stream, _: stream.say(bytes([255]) * 40))
