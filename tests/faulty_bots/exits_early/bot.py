"""Exits as soon as it is asked anything, with status 0."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import os

from faulty import raw

raw(lambda *_: os._exit(0))
