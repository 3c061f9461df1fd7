"""What tests with Docker share: the engine they need, images of bots, what is left over."""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import docker
import msgspec
import pytest

from match_maker import FAULTY
from thousand_referee.bots import read_bot
from thousand_referee.errors import RefereeError
from thousand_referee.launch.engine import OWNER_LABEL, open_engine
from thousand_referee.launch.images import build_images
from thousand_referee.spec import BotVersion, MatchSpec, Sandbox

BASE_IMAGE = os.environ.get("THOUSAND_TEST_BASE_IMAGE", "")


@cache
def _missing() -> str:
    """Say what tests with Docker lack here; nothing if they can run."""
    if not BASE_IMAGE:
        return "THOUSAND_TEST_BASE_IMAGE names no base image; try: source .ci/docker"
    try:
        with open_engine() as api:
            api.inspect_image(BASE_IMAGE)  # type: ignore[no-untyped-call]
    except (RefereeError, docker.errors.DockerException) as error:
        return str(error)
    return ""


@pytest.fixture
def needs_docker() -> Iterator[None]:
    """Skip a test where there is no engine; fail it where there must be one.

    A void match lives on in the error's traceback, with grpc's thread and sockets; that
    is cleaned up here, not at a moment that suits the collector.
    """
    skip_without_docker()
    yield
    gc.collect()


def skip_without_docker() -> None:
    """Skip the present test, or fail it, if Docker or the base image is not there."""
    if _missing():
        if os.environ.get("THOUSAND_REQUIRE_ALL"):
            pytest.fail(_missing())
        pytest.skip(_missing())


def sandbox(**settings: Any) -> Sandbox:
    """Give Docker's sandbox with the base image of the tests."""
    return Sandbox(**{"kind": "docker", "base_image": BASE_IMAGE, **settings})


def program(folder: Path, source: str, **files: str) -> Path:
    """Write a bot's folder around a program, which finds `faulty` beside it; give the folder."""
    folder.mkdir(parents=True)
    shutil.copy(FAULTY / "faulty.py", folder)
    (folder / "bot.toml").write_text('command = ["python", "bot.py"]\n')
    (folder / "bot.py").write_text(textwrap.dedent(source))
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text)
    return folder


def with_image(
    folder: Path, name: str | None = None, settings: Sandbox | None = None
) -> BotVersion:
    """Give a bot, its image built; the log of that is not kept."""
    bot = read_bot(folder, in_container=True)
    with tempfile.TemporaryDirectory() as logs:
        images = build_images([bot], settings or sandbox(), Path(logs), lambda _: None)
    return msgspec.structs.replace(bot.as_entry(name or bot.name), image=images[bot.digest])


def in_sandbox(spec: MatchSpec, **settings: Any) -> MatchSpec:
    """Let a match be played in Docker's sandbox."""
    return msgspec.structs.replace(spec, sandbox=sandbox(**settings))


@contextmanager
def engine() -> Iterator[Any]:
    """Give a client of the engine, for looking at what is there."""
    with open_engine() as api:
        yield api


def containers(match: str) -> list[str]:
    """Find the containers of a match."""
    filters = {"label": [OWNER_LABEL, f"thousand-arena.match={match}"]}
    with engine() as api:
        return [each["Id"] for each in api.containers(all=True, filters=filters)]
