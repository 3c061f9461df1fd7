"""The bot in JavaScript: the protocol, the .proto files and gRPC are all that it takes."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from arena_runs import thousand
from docker_bench import BASE_IMAGE, in_sandbox, needs_docker, sandbox, with_image
from match_maker import EXAMPLES, ROOT, match_spec
from thousand_referee.bots import MAX_BYTES, MAX_FILES, files_in, read_bot
from thousand_referee.match import play_match
from thousand_referee.matchlog.verify import verify_log
from thousand_referee.new_bot import make_bot

__all__ = ["needs_docker"]

FOLDER = EXAMPLES / "javascript"
INSTALL_SECONDS = 100


def test_its_proto_files_are_those_of_the_protocol() -> None:
    copies = {path.relative_to(FOLDER): path for path in FOLDER.glob("proto/**/*.proto")}
    names = (f"proto/thousand/v1/{name}.proto" for name in ("bot", "cards", "game"))
    originals = {Path(name): ROOT / name for name in names}
    assert set(copies) == set(originals)
    for name, original in originals.items():
        assert copies[name].read_bytes() == original.read_bytes(), f"copy {name} anew"


def test_it_is_short_and_names_no_registry() -> None:
    assert len((FOLDER / "bot.js").read_text().splitlines()) < 150
    lock = json.loads((FOLDER / "package-lock.json").read_text())
    for name, package in lock["packages"].items():
        assert "resolved" not in package, name
        assert name == "" or package["integrity"], name


def is_missing(reason: str) -> None:
    """Skip the test, or fail where nothing may be missing."""
    if os.environ.get("THOUSAND_REQUIRE_ALL"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the bot with what it depends on, made once for all test processes."""
    if shutil.which("npm") is None:
        is_missing("npm is not installed")
    parent = tmp_path_factory.getbasetemp()
    if os.environ.get("PYTEST_XDIST_WORKER"):
        parent = parent.parent
    folder, marker = parent / "javascript", parent / "javascript-is-installed"
    with (parent / "javascript.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not marker.exists():
            shutil.copytree(
                FOLDER, folder, ignore=shutil.ignore_patterns("node_modules"), dirs_exist_ok=True
            )
            done = npm(folder, "ci", "--no-audit", "--no-fund")
            if done.returncode:
                is_missing(f"npm ci failed: {done.stderr[-500:]}")
            marker.touch()
    return folder


def npm(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["npm", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=INSTALL_SECONDS,
        check=False,
    )


def test_its_own_tests_pass(installed: Path) -> None:
    done = npm(installed, "test")
    assert done.returncode == 0, done.stdout


def test_what_it_depends_on_fits_into_a_bot(installed: Path) -> None:
    files = list(files_in(installed))
    assert any(name.startswith("node_modules/") for name in files)
    assert len(files) < MAX_FILES / 4
    assert sum((installed / name).lstat().st_size for name in files) < MAX_BYTES / 4


@pytest.mark.parametrize("tables", [1, 8])
def test_it_plays_whole_matches_without_a_fault(
    installed: Path, tmp_path: Path, tables: int
) -> None:
    bots = [read_bot(folder) for folder in (installed, EXAMPLES / "cautious", EXAMPLES / "random")]
    spec = match_spec(
        tmp_path, *(bot.as_entry(bot.name) for bot in bots), games=8, tables=tables, seed="js"
    )
    summary = play_match(spec)
    assert summary.faults == ({}, {}, {})
    verify_log(tmp_path / "logs" / "m.jsonl.gz")
    wins = [sum(seat in game.winners for game in summary.games) for seat in range(3)]
    assert wins[2] == 0
    assert wins[0] > 0
    assert [path.read_text() for path in (tmp_path / "output").rglob("0-*.log")] in ([], [""])


def test_a_new_bot_in_javascript_plays(installed: Path, tmp_path: Path) -> None:
    make_bot(tmp_path / "Hot Shot", "javascript")
    (tmp_path / "Hot Shot" / "node_modules").mkdir()
    shutil.copytree(
        installed / "node_modules",
        tmp_path / "Hot Shot" / "node_modules",
        symlinks=True,
        dirs_exist_ok=True,
    )
    assert npm(tmp_path / "Hot Shot", "test").returncode == 0
    bot = read_bot(tmp_path / "Hot Shot")
    twins = [bot.as_entry(name) for name in ("one", "two", "three")]
    summary = play_match(match_spec(tmp_path, *twins, games=2, tables=2))
    assert summary.faults == ({}, {}, {})


@pytest.mark.usefixtures("needs_docker")
def test_it_is_ready_for_containers_and_plays_there(installed: Path, tmp_path: Path) -> None:
    done = thousand(
        *("check", installed, "--sandbox", "docker", "--base-image", BASE_IMAGE),
        *("--build-arg", f"NODE_IMAGE={BASE_IMAGE}"),
    )
    assert done.stdout.startswith("ok: ")
    assert "Note" not in done.stdout
    settings = sandbox(build_args={"NODE_IMAGE": BASE_IMAGE})
    locked = with_image(installed, "locked", settings)
    others = [with_image(EXAMPLES / name) for name in ("cautious", "random")]
    spec = match_spec(tmp_path, locked, *others, name="docker-javascript", games=4, tables=4)
    summary = play_match(in_sandbox(spec))
    assert summary.faults == ({}, {}, {})


@pytest.mark.usefixtures("needs_docker")
def test_what_it_depends_on_is_missed_when_its_image_is_built(tmp_path: Path) -> None:
    folder = shutil.copytree(FOLDER, tmp_path / "js", ignore=shutil.ignore_patterns("node_modules"))
    done = thousand(
        *("check", folder, "--sandbox", "docker", "--base-image", BASE_IMAGE),
        *("--build-arg", f"NODE_IMAGE={BASE_IMAGE}"),
        check=False,
    )
    assert done.returncode == 1
    assert "run npm ci in the bot's folder first" in done.stdout + done.stderr
