"""Leaves children behind that outlive it."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import subprocess

from faulty import HonestBot

from thousand import run

for _ in range(3):
    subprocess.Popen(["sleep", "3600"])
run(HonestBot)
