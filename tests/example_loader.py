"""Load an example bot from its folder, as a class to play with in process."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

FOLDER = Path(__file__).parents[1] / "example_bots"


def load_module(name: str) -> ModuleType:
    """Load the `bot.py` of a bot's folder under a module name of its own."""
    spec = importlib.util.spec_from_file_location(f"example_{name}", FOLDER / name / "bot.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
