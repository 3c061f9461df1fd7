"""Looks for logs, seeds and stores in all files, then is honest."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import os

from faulty import HonestBot

from thousand import run

SUFFIXES = (".jsonl", ".jsonl.gz", ".sqlite", ".toml")


def secrets() -> list[str]:
    found = []
    for folder, below, names in os.walk("/"):
        if folder == "/":
            below[:] = [name for name in below if name not in ("proc", "sys")]
        for name in names:
            path = os.path.join(folder, name)
            if name.endswith(SUFFIXES) and not path.startswith(("/bot/", "/usr/", "/opt/")):
                found.append(path)
    return found


print("secrets", secrets(), flush=True)
run(HonestBot)
