"""The engine fails, or processes are killed: matches are void, and containers are swept."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import docker_kills
from arena_runs import REPOSITORY, start, wait_until
from docker_bench import (
    containers,
    engine,
    in_sandbox,
    needs_docker,
    program,
    sandbox,
    skip_without_docker,
    with_image,
)
from match_maker import match_spec
from private_engine import PrivateEngine, private_engine
from thousand_referee.errors import ConfigError, MatchVoid
from thousand_referee.launch import docker as docker_launch
from thousand_referee.launch.engine import OWNER_LABEL, check_engine, open_engine, sweep
from thousand_referee.launch.images import build_images
from thousand_referee.match import play_match
from thousand_referee.spec import BotVersion, MatchSpec, Sandbox

pytestmark = [pytest.mark.usefixtures("needs_docker"), pytest.mark.timeout(400)]
__all__ = ["needs_docker"]

LONG_MATCH = """
import sys
sys.path[:0] = {paths!r}
from pathlib import Path
from docker_bench import in_sandbox, with_image
from match_maker import EXAMPLES, match_spec
from thousand_referee.match import play_match

if __name__ == "__main__":
    bots = [with_image(EXAMPLES / name) for name in ("counter", "cautious", "random")]
    play_match(in_sandbox(match_spec(Path({folder!r}), *bots, name={name!r}, games=900)))
"""


@pytest.fixture(scope="module")
def private() -> Iterator[PrivateEngine]:
    skip_without_docker()
    with private_engine(docker_kills.images()) as engine:
        yield engine


@pytest.fixture(scope="module")
def calm(private: PrivateEngine, tmp_path_factory: pytest.TempPathFactory) -> docker_kills.Outcome:
    """The tournament as it goes when nothing is killed."""
    outcome = docker_kills.run(tmp_path_factory.mktemp("calm"), private)
    assert (outcome.voids, outcome.faults) == (0, 0)
    return outcome


def nobodys_match(folder: Path) -> MatchSpec:
    """Describe a match of bots whose image isn't there."""
    bots = [BotVersion(name, "0", "/", ("true",), "no-such-image") for name in ("anna", "b", "c")]
    return in_sandbox(match_spec(folder, *bots))


def sweep_now() -> None:
    with open_engine() as api:
        sweep(api)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_matches_are_void_and_played_again_when_the_engine_ends(
    tmp_path: Path, private: PrivateEngine, calm: docker_kills.Outcome, number: int
) -> None:
    troubled = docker_kills.run(tmp_path, private, kill=number, after=0.5)
    assert troubled.voids >= 1, troubled.text
    assert troubled.faults == 0
    assert troubled.games == calm.games


def test_containers_of_a_killed_match_are_swept(tmp_path: Path) -> None:
    paths = [str(REPOSITORY / "tests"), *sys.path]
    script = tmp_path / "match.py"
    script.write_text(LONG_MATCH.format(paths=paths, folder=str(tmp_path), name="docker-killed"))
    with subprocess.Popen([sys.executable, script]) as process:
        try:
            assert wait_until(lambda: len(containers("docker-killed")) == 3, 60)
            sweep_now()
            assert len(containers("docker-killed")) == 3
        finally:
            process.kill()
    assert containers("docker-killed")
    sweep_now()
    assert containers("docker-killed") == []


def test_containers_of_a_killed_coordinator_are_swept(tmp_path: Path) -> None:
    process = start("tournament", "run", docker_kills.file(tmp_path), "--data", tmp_path / "data")
    try:
        assert wait_until(lambda: bool(_of_tournament()), 90)
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
    assert wait_until(_sweeps_all, 20)


def _of_tournament() -> list[str]:
    with engine() as api:
        found = api.containers(all=True, filters={"label": [OWNER_LABEL]})
    return [each["Id"] for each in found if each["Labels"]["thousand-arena.match"].startswith("t-")]


def _sweeps_all() -> bool:
    """Sweep; whether nothing is left: match processes take a moment to notice."""
    sweep_now()
    return not _of_tournament()


def test_containers_of_the_living_and_of_strangers_stay() -> None:
    with engine() as api:
        image = sandbox().base_image
        labels = [{OWNER_LABEL: "nonsense"}, {OWNER_LABEL: "boot pid:[1] 1 1"}, {}]
        strange, dead, other = (
            api.create_container(image, "true", labels=each)["Id"] for each in labels
        )
        try:
            sweep(api)
            left = {each["Id"] for each in api.containers(all=True)}
            assert left & {strange, dead, other} == {strange, other}
        finally:
            for each in (strange, other):
                api.remove_container(each)


def test_a_missing_image_voids_the_match(tmp_path: Path) -> None:
    with pytest.raises(MatchVoid, match=r"Docker: can't start (anna|b|c): No such image"):
        play_match(nobodys_match(tmp_path))


def test_somebody_removes_a_container(tmp_path: Path) -> None:
    folder = program(tmp_path / "bot", "import time; print('here', flush=True); time.sleep(3600)")
    slow = with_image(folder, "slow")
    spec = in_sandbox(match_spec(tmp_path, slow, slow, slow, name="docker-removed"))
    remove = (
        "import docker, time\n"
        "api = docker.from_env()\n"
        "filters = {'label': 'thousand-arena.match=docker-removed'}\n"
        "while len(found := api.containers.list(filters=filters)) < 3: time.sleep(0.05)\n"
        "found[0].remove(force=True)"
    )
    remover = subprocess.Popen([sys.executable, "-c", remove])
    with remover, pytest.raises(MatchVoid, match="somebody removed"):
        play_match(spec)
    assert containers("docker-removed") == []


def test_no_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/no.sock")
    monkeypatch.setattr(docker_launch, "PATIENCE_SECONDS", 0.6)
    with pytest.raises(MatchVoid, match=r"no engine answers at unix:.*install or start it"):
        play_match(nobodys_match(tmp_path))
    with pytest.raises(ConfigError, match="no engine answers"):
        build_images([], sandbox(), tmp_path, print)
    monkeypatch.setenv("DOCKER_HOST", "tcp://192.0.2.1:2375")
    with pytest.raises(ConfigError, match="must run on the referee's machine"):
        build_images([], sandbox(), tmp_path, print)


@pytest.mark.parametrize(
    ("info", "settings", "problem"),
    [
        ({"MemoryLimit": False}, {}, "can't limit memory"),
        ({"SwapLimit": False}, {}, "swapaccount=1"),
        ({"PidsLimit": False}, {}, "can't limit processes"),
        ({"SecurityOptions": ["name=apparmor"]}, {}, "no seccomp"),
        ({}, {"cpus": 8.0}, "sandbox.cpus: 8, but there are 2"),
        ({}, {"runtime": "runsc"}, "sandbox.runtime: .* no 'runsc', only runc"),
    ],
)
def test_an_engine_that_is_no_sandbox_is_refused(
    info: dict[str, object], settings: dict[str, object], problem: str
) -> None:
    class Engine:
        def info(self) -> dict[str, object]:
            good = dict.fromkeys(("MemoryLimit", "SwapLimit", "PidsLimit", "CpuCfsQuota"), True)
            return {
                **good,
                "SecurityOptions": ["name=seccomp,profile=default"],
                "NCPU": 2,
                "Runtimes": {"runc": {}},
                **info,
            }

    with pytest.raises(ConfigError, match=problem):
        check_engine(Engine(), Sandbox(kind="docker", **settings))  # type: ignore[arg-type]
