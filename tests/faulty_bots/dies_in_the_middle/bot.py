"""Raises an error at its tenth card."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from faulty import HonestBot

from thousand import Play, View, run


class DyingBot(HonestBot):
    cards = 0

    def play(self, view: View) -> Play:
        DyingBot.cards += 1
        if DyingBot.cards == 10:
            raise RuntimeError("I have seen enough")
        return super().play(view)


run(DyingBot)
