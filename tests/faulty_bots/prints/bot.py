"""Prints to standard output, and is honest otherwise."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from faulty import HonestBot

from thousand import Play, View, run


class PrintingBot(HonestBot):
    def play(self, view: View) -> Play:
        print("my hand is", *view.hand)
        return super().play(view)


run(PrintingBot)
