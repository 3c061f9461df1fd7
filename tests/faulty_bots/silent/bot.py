"""Says hello and then nothing more."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from faulty import never, raw

raw(lambda *_: never())
