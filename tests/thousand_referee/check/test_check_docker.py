"""``thousand check --sandbox docker``: the same check, with the bot locked in."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from arena_runs import EXAMPLE_BOTS, thousand
from docker_bench import BASE_IMAGE, needs_docker, program

pytestmark = [pytest.mark.usefixtures("needs_docker"), pytest.mark.timeout(400)]
__all__ = ["needs_docker"]


def test_an_example_bot_is_ready() -> None:
    done = thousand(
        "check", EXAMPLE_BOTS / "cautious", "--sandbox", "docker", "--base-image", BASE_IMAGE
    )
    assert done.stdout.startswith("ok: ")
    assert "the same answers" in done.stdout
    found = re.search(r"(\d+) MB", done.stdout)
    assert found is not None, done.stdout
    assert 10 < int(found[1]) < 200
    assert re.search(r"processor|CPU|cpu", done.stdout)


def test_what_a_container_has_not_is_missed(tmp_path: Path) -> None:
    folder = program(tmp_path / "writer", "open('notes.txt', 'w')")
    done = thousand("check", folder, "--sandbox", "docker", "--base-image", BASE_IMAGE, check=False)
    assert done.returncode == 1
    first, *others = done.stdout.splitlines()
    assert first.startswith("not ready: it ends before it says hello: OSError: [Errno 30]")
    assert "Read-only file system" in "\n".join(others)
