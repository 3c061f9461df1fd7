"""Starts a few hundred processes, in two generations."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

for _ in range(15):
    if os.fork() == 0:
        for _ in range(15):
            if os.fork() == 0:
                break
        time.sleep(3600)

sys.path.insert(0, str(Path(__file__).parents[1]))

from faulty import HonestBot  # noqa: E402

from thousand import run  # noqa: E402

run(HonestBot)
