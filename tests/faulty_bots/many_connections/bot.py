"""Dials the referee a few thousand times at once, and is honest otherwise."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import contextlib
import socket

from faulty import ADDRESS, HonestBot

from thousand import run

sockets = []
with contextlib.suppress(OSError):
    while True:
        sockets.append(socket.socket(socket.AF_UNIX))
        sockets[-1].connect(ADDRESS.removeprefix("unix:"))
for last in sockets[-50:]:
    last.close()
run(HonestBot)
