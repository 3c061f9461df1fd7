"""Removing images of bots that nothing has needed for a while.

An image says when it was last tagged, and every use tags it anew. What is removed is
built again when it is needed, from the bot's folder: so nothing is lost but time.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final

import docker
import msgspec
from docker.errors import APIError, NotFound

from thousand_referee.errors import ConfigError
from thousand_referee.launch.engine import OWNER_LABEL, sweep, translated

BOT_REPOSITORY: Final = "thousand-arena/bot"
RUNTIME_REPOSITORY: Final = "thousand-arena/runtime"


class Pruned(msgspec.Struct, frozen=True):
    """What was removed (tags), and how many images stay."""

    removed: tuple[str, ...]
    kept: int


def mark_used(api: docker.APIClient, tag: str) -> None:
    """Note that an image is needed now."""
    repository, _, digest = tag.rpartition(":")
    with translated(f"can't tag image {tag}"):
        api.tag(tag, repository, digest)


def prune_images(api: docker.APIClient, unused: timedelta, now: datetime) -> Pruned:
    """Remove images of bots, and runtime images, that were last needed so long ago.

    ConfigError while matches are played in containers, whose images might be among them.
    """
    sweep(api)
    with translated("can't list containers and images"):
        running = api.containers(filters={"label": OWNER_LABEL})
        # Bots' images first: they are built on top of the others.
        tags = [
            tag
            for repository in (BOT_REPOSITORY, RUNTIME_REPOSITORY)
            for image in api.images(repository)
            for tag in image["RepoTags"] or ()
            if tag.startswith(f"{repository}:")
        ]
    if running:
        raise ConfigError("matches are played in containers now; prune images when none is")
    old = [tag for tag in tags if _last_used(api, tag, now) < now - unused]
    removed = tuple(tag for tag in old if _remove(api, tag))
    return Pruned(removed, len(tags) - len(removed))


def _last_used(api: docker.APIClient, tag: str, now: datetime) -> datetime:
    """Give when an image was tagged last; now, if somebody else has removed it."""
    with translated("can't look at an image"):
        try:
            found: dict[str, Any] = api.inspect_image(tag)  # type: ignore[no-untyped-call]
        except NotFound:
            return now
    return max(
        datetime.fromisoformat(text.partition(".")[0].removesuffix("Z") + "+00:00")
        for text in (found["Created"], found.get("Metadata", {}).get("LastTagTime", ""))
        if text
    )


def _remove(api: docker.APIClient, tag: str) -> bool:
    """Remove an image; give whether that could be done: others may be built on top of it."""
    with translated(f"can't remove image {tag}"):
        try:
            api.remove_image(tag)
        except NotFound:
            return False
        except APIError as error:
            if error.status_code != 409:
                raise
            return False
    return True
