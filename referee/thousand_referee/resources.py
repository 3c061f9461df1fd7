"""Files that come with this package, or lie beside it in a checkout."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from thousand_referee.errors import ConfigError

_HERE: Final = Path(__file__).parent
_CHECKOUT: Final = _HERE.parents[1]


def example_bot(name: str) -> Path:
    """Give the folder of an example bot; `ConfigError` if this installation has none."""
    for parent in (_CHECKOUT, _HERE):
        folder = parent / "example_bots" / name
        if (folder / "bot.toml").is_file():
            return folder
    raise ConfigError(f"the example bot {name!r} did not come with thousand-arena; install it anew")


def template(language: str) -> Path:
    """Give the folder of files that a new bot in this language begins with."""
    return _HERE / "templates" / language
