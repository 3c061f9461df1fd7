"""Making the folder of a new bot, from templates and from an example bot."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final, Literal, TypeAlias

from thousand_referee.bots import NAME_RULE, is_name
from thousand_referee.errors import ConfigError
from thousand_referee.resources import example_bot, template

Language: TypeAlias = Literal["python", "javascript"]

_SUFFIX: Final = ".in"
_NAME: Final = "NAME"
"""Stands for the bot's name in templates."""

_JAVASCRIPT_FILES: Final = (
    ".npmrc",
    "Dockerfile",
    "bot.js",
    "bot.test.js",
    "package.json",
    "package-lock.json",
    "proto/thousand/v1/bot.proto",
    "proto/thousand/v1/cards.proto",
    "proto/thousand/v1/game.proto",
)
"""What a bot in JavaScript takes from the example as it is, but for its name."""


def make_bot(folder: Path, language: Language) -> list[str]:
    """Make a bot's folder, named like the bot; give the relative paths of its files.

    `ConfigError` if the name is none, something is there already, or it can't be written.
    """
    name = folder.name
    if not is_name(name):
        raise ConfigError(f"{name!r} is no name for a bot; use {NAME_RULE}")
    files = _files(name, language)
    try:
        folder.mkdir()
        for path, content in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(content, encoding="utf-8")
    except FileNotFoundError:
        raise ConfigError(f"{folder.parent}: no such folder; make it first") from None
    except FileExistsError:
        raise ConfigError(f"{folder}: is there already; choose another name") from None
    except OSError as error:
        raise ConfigError(f"{folder}: can't be made: {error.strerror or error}") from error
    return sorted(files)


def _files(name: str, language: Language) -> dict[str, str]:
    """Give the contents of each file by its path."""
    files = {
        path.name.removesuffix(_SUFFIX): path.read_text(encoding="utf-8").replace(_NAME, name)
        for path in template(language).glob(f"*{_SUFFIX}")
    }
    if language == "javascript":
        example = example_bot("javascript")
        package = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
        for path in _JAVASCRIPT_FILES:
            content = (example / path).read_text(encoding="utf-8")
            if path.startswith("package"):
                content = content.replace('"name": "javascript"', f'"name": "{package}"')
            files[path] = content
    return files
