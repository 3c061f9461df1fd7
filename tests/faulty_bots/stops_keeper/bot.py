"""Stops the process that keeps it, and hangs."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import os
import signal

from faulty import never, raw


async def talk(*_: object) -> None:
    os.kill(os.getppid(), signal.SIGSTOP)
    await never()


raw(talk)
