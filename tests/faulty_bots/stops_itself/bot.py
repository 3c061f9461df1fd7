"""Stops its own process."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import os
import signal

from faulty import raw

raw(lambda *_: os.kill(os.getpid(), signal.SIGSTOP))
