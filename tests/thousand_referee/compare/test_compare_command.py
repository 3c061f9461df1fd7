"""``thousand compare`` as people run it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from arena_runs import EXAMPLE_BOTS, thousand


@pytest.mark.study
def test_a_much_better_bot_is_found_and_the_logs_are_kept(tmp_path: Path) -> None:
    done = thousand(
        "compare", EXAMPLE_BOTS / "cautious", EXAMPLE_BOTS / "random", "--seed", "1",
        "--elo1", "200", "--json", "--data", tmp_path, "--jobs", "2",
    )  # fmt: skip
    outcome = json.loads(done.stdout)
    assert outcome["verdict"] == "better"
    assert outcome["games"] == 3 * outcome["blocks"]
    assert outcome["estimate"]["low"] > 200
    assert outcome["faults"] == 0
    assert "0 wrong" in thousand("log", "verify", "--data", tmp_path).stdout


@pytest.mark.study
def test_a_copy_does_not_differ_and_the_limit_of_blocks_is_kept(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(EXAMPLE_BOTS / "cautious", copy)
    done = thousand(
        "compare", copy, EXAMPLE_BOTS / "cautious", "--against", EXAMPLE_BOTS / "random",
        "--max-blocks", "3", "--json", "--data", tmp_path / "data",
    )  # fmt: skip
    outcome = json.loads(done.stdout)
    assert outcome["verdict"] == "undecided"
    assert (outcome["blocks"], outcome["games"], outcome["score"]) == (3, 18, 0.5)
    assert outcome["new"]["name"] != outcome["old"]["name"]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("nowhere", EXAMPLE_BOTS / "random"), "nowhere"),
        ((EXAMPLE_BOTS / "random", EXAMPLE_BOTS / "random", "--elo1", "-5"), "elo0"),
        ((EXAMPLE_BOTS / "random", EXAMPLE_BOTS / "random", "--alpha", "2"), "alpha"),
    ],
)
def test_nonsense_is_refused(
    tmp_path: Path, arguments: tuple[str | Path, ...], expected: str
) -> None:
    done = thousand("compare", *arguments, "--data", tmp_path, check=False)
    assert done.returncode in (1, 2)
    assert expected in done.stderr
