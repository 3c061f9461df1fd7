"""Whose doing it is that a bot can't be built or started: its own, or the machine's."""

from __future__ import annotations

from pathlib import Path

import pytest
from docker.errors import APIError
from requests import Response

from arena_server import bot_folder
from docker_bench import BASE_IMAGE, needs_docker
from match_maker import EXAMPLES
from thousand_referee.bots import BotFolder, read_bot
from thousand_referee.check.checker import check_bot
from thousand_referee.errors import BuildFailed, ConfigError, ContainerRefused, MatchVoid
from thousand_referee.launch import docker as docker_module
from thousand_referee.launch import images
from thousand_referee.launch.images import build_images
from thousand_referee.launch.wheels import Target, fetch_wheels
from thousand_referee.spec import Sandbox

__all__ = ["needs_docker"]

with_docker = pytest.mark.usefixtures("needs_docker")
SANDBOX = Sandbox(kind="docker", base_image=BASE_IMAGE or "none")


def with_dockerfile(folder: Path, line: str) -> Path:
    bot = bot_folder(folder, "ace")
    (bot / "Dockerfile").write_text(f"ARG RUNTIME_IMAGE\nFROM $RUNTIME_IMAGE\n{line}\n")
    with (bot / "bot.toml").open("a") as file:
        file.write('dockerfile = "Dockerfile"\n')
    return bot


def read(folder: Path) -> BotFolder:
    return read_bot(folder, in_container=True)


@with_docker
@pytest.mark.parametrize("line", ["RUN exit 7", "NONSENSE", "VOLUME /data"])
def test_a_build_that_fails_is_the_bots_doing(tmp_path: Path, line: str) -> None:
    bot = read(with_dockerfile(tmp_path, line))
    with pytest.raises(BuildFailed):
        build_images([bot], SANDBOX, tmp_path / "logs", print)


@with_docker
def test_a_disk_that_is_full_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bot = read(with_dockerfile(tmp_path, "RUN exit 8"))
    monkeypatch.setattr(images, "_MACHINES_PROBLEMS", ("returned a non-zero code: 8",))
    with pytest.raises(ConfigError, match="can't build the image") as raised:
        build_images([bot], SANDBOX, tmp_path / "logs", print)
    assert not isinstance(raised.value, BuildFailed)


@with_docker
def test_a_base_image_that_is_missing_is_not(tmp_path: Path) -> None:
    sandbox = Sandbox(kind="docker", base_image="no-such/image:1")
    with pytest.raises(ConfigError, match="can't fetch the base image") as raised:
        build_images([read_bot(EXAMPLES / "random")], sandbox, tmp_path, print)
    assert not isinstance(raised.value, BuildFailed)


def test_an_engine_that_is_gone_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/nobody")
    with pytest.raises(ConfigError, match="no engine answers") as raised:
        build_images([read_bot(EXAMPLES / "random")], SANDBOX, tmp_path, print)
    assert not isinstance(raised.value, BuildFailed)


def test_a_network_that_is_gone_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:1/simple")
    monkeypatch.setenv("PIP_RETRIES", "1")
    with pytest.raises(MatchVoid, match="can't fetch wheels of no-such-thing"):
        fetch_wheels(["no-such-thing"], Target((3, 11), "x86_64", ("2", "36")), tmp_path)


@with_docker
def test_an_image_without_place_for_the_socket_is_the_bots_doing(tmp_path: Path) -> None:
    folder = with_dockerfile(tmp_path, "RUN rm -rf /run && touch /run")
    report = check_bot(folder, seed="check", sandbox=SANDBOX, say=print)
    assert report.problem is not None
    assert report.problem.cause == "no container of its image can be started"
    assert report.problem.detail.startswith("Docker: can't start ace: ")


@with_docker
def test_an_engine_that_starts_nothing_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_given: object, **_named: object) -> None:
        answer = Response()
        answer.status_code = 500
        raise APIError("no", response=answer, explanation="no cgroups")

    monkeypatch.setattr(docker_module.docker.APIClient, "start", refuse)
    with pytest.raises(ContainerRefused, match="no cgroups"):
        check_bot(bot_folder(tmp_path, "ace"), seed="check", sandbox=SANDBOX, say=print)
