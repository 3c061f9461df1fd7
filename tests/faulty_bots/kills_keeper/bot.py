"""Kills the process that keeps it, and leaves grandchildren."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import os
import signal

from faulty import raw, sleep_forever

if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        sleep_forever()
    os._exit(0)
raw(lambda *_: os.kill(os.getppid(), signal.SIGKILL))
