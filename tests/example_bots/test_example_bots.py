"""The example bots: legal to the end, repeatable, and each better than the one before."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from thousand import Bot
from thousand.testing import play_game

FOLDER = Path(__file__).parents[2] / "example_bots"


def load(name: str) -> type[Bot]:
    """Load a bot's class from its folder, under a module name of its own."""
    spec = importlib.util.spec_from_file_location(f"example_{name}", FOLDER / name / "bot.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    bot_class = getattr(module, f"{name.capitalize()}Bot")
    assert issubclass(bot_class, Bot)
    return bot_class


RANDOM, CAUTIOUS, COUNTER = map(load, ("random", "cautious", "counter"))


@pytest.mark.parametrize("seed", range(5))
def test_whole_games_are_legal_and_repeat(seed: int) -> None:
    table = [RANDOM, CAUTIOUS, COUNTER]
    assert play_game(table, seed=seed) == play_game(table, seed=seed)
