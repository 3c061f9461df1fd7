"""Old images of bots are removed, and nothing else is."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from docker_bench import BASE_IMAGE, engine, needs_docker, program, with_image
from thousand_referee.errors import ConfigError
from thousand_referee.launch.engine import OWNER_LABEL
from thousand_referee.launch.prune import mark_used, prune_images

__all__ = ["needs_docker"]

NOW = datetime(2026, 7, 1, tzinfo=UTC)
OLD, NEW = "2026-05-01T10:00:00.123456789Z", "2026-06-30T10:00:00Z"
NEVER = "0001-01-01T00:00:00Z"


class Engine:
    """An engine with images of some ages; `running` are the containers of matches."""

    def __init__(self, running: int = 0) -> None:
        self.removed: list[str] = []
        self._running = [{"Id": "x", "Labels": {OWNER_LABEL: "boot of another"}}] * running
        self._images = {
            "thousand-arena/bot:old": (OLD, OLD),
            "thousand-arena/bot:used": (OLD, NEW),
            "thousand-arena/bot:fresh": (NEW, NEVER),
            "thousand-arena/runtime:old": (OLD, NEVER),
            "thousand-arena/test-base:x": (OLD, OLD),
        }

    def containers(self, **_: Any) -> list[dict[str, Any]]:
        return self._running

    def images(self, repository: str) -> list[dict[str, Any]]:
        return [{"RepoTags": [tag]} for tag in self._images if tag.startswith(repository)]

    def inspect_image(self, tag: str) -> dict[str, Any]:
        created, tagged = self._images[tag]
        return {"Created": created, "Metadata": {"LastTagTime": tagged}}

    def remove_image(self, tag: str) -> None:
        self.removed.append(tag)


def test_what_was_not_used_for_long_is_removed() -> None:
    engine = Engine()
    pruned = prune_images(engine, timedelta(days=30), NOW)  # type: ignore[arg-type]
    assert engine.removed == ["thousand-arena/bot:old", "thousand-arena/runtime:old"]
    assert (pruned.removed, pruned.kept) == (tuple(engine.removed), 2)


def test_nothing_is_removed_while_matches_are_played() -> None:
    engine = Engine(running=1)
    with pytest.raises(ConfigError, match="when none is"):
        prune_images(engine, timedelta(days=30), NOW)  # type: ignore[arg-type]
    assert engine.removed == []


@pytest.mark.usefixtures("needs_docker")
def test_using_an_image_makes_it_young_and_it_can_be_removed(tmp_path: Path) -> None:
    source = f"print({secrets.token_hex(8)!r})"
    image = with_image(program(tmp_path / "bot", source)).image
    with engine() as api:
        (tag,) = api.inspect_image(image)["RepoTags"]
        before = api.inspect_image(image)["Metadata"]["LastTagTime"]
        mark_used(api, tag)
        assert api.inspect_image(image)["Metadata"]["LastTagTime"] > before
        with_image(tmp_path / "bot")
        assert api.inspect_image(image)["RepoTags"] == [tag]

        class OnlyThis:
            """The engine, as far as this test may touch it."""

            inspect_image, remove_image = api.inspect_image, api.remove_image

            def containers(self, **_: Any) -> list[Any]:
                return []

            def images(self, repository: str) -> list[dict[str, Any]]:
                return [{"RepoTags": [tag]}] if tag.startswith(f"{repository}:") else []

        only: Any = OnlyThis()
        far = datetime.now(UTC) + timedelta(days=40)
        assert prune_images(only, timedelta(days=50), far).removed == ()
        assert prune_images(only, timedelta(days=30), far).removed == (tag,)
        assert not api.images(tag)
        assert api.images(BASE_IMAGE)
