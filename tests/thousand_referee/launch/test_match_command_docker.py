"""``thousand match --sandbox docker``: the same match as without, its bots locked in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena_runs import EXAMPLE_BOTS, thousand
from docker_bench import BASE_IMAGE, containers, needs_docker

pytestmark = [pytest.mark.usefixtures("needs_docker"), pytest.mark.timeout(200)]
__all__ = ["needs_docker"]


def test_a_match_in_containers_is_the_one_without(tmp_path: Path) -> None:
    data = tmp_path / "data"
    bots = [EXAMPLE_BOTS / name for name in ("counter", "random", "counter")]
    match = ("match", *bots, "--games", "1", "--seed", "7", "--data", data, "--json")
    bare = json.loads(thousand(*match).stdout)
    locked = json.loads(thousand(*match, "--sandbox", "docker", "--base-image", BASE_IMAGE).stdout)
    for result in (bare, locked):
        assert [bot["name"] for bot in result["bots"]] == ["counter", "random", "counter#2"]
    assert locked["faults"] == [{}, {}, {}]
    assert [game["scores"] for game in locked["games"]] == [
        game["scores"] for game in bare["games"]
    ]
    assert containers(locked["match"]) == []


def test_a_base_image_that_is_not_there_is_told(tmp_path: Path) -> None:
    bot = EXAMPLE_BOTS / "random"
    done = thousand(
        *("match", bot, bot, bot, "--sandbox", "docker", "--base-image", "localhost:1/none"),
        *("--data", tmp_path / "data"),
        check=False,
    )
    assert done.returncode == 1
    assert "can't fetch the base image localhost:1/none" in done.stderr
    assert len(done.stderr.strip().splitlines()[-1:]) == 1
