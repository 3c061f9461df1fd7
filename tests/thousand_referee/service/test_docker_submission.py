"""A submission whose image is built and which is checked in a container."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena_runs import thousand
from arena_server import arena_server, bot_folder
from docker_bench import BASE_IMAGE, needs_docker

pytestmark = [pytest.mark.usefixtures("needs_docker"), pytest.mark.timeout(250)]
__all__ = ["needs_docker"]


@pytest.mark.study
def test_bots_are_built_and_checked_in_containers(tmp_path: Path) -> None:
    sandbox = f'[sandbox]\nkind = "docker"\nbase_image = "{BASE_IMAGE}"'
    with arena_server(tmp_path, extra=sandbox) as server:
        server.add_user("anna")
        server.start()
        options = ("--server", server.address, "--token", server.tokens["anna"])
        broken = bot_folder(tmp_path, "broken")
        (broken / "Dockerfile").write_text("ARG RUNTIME_IMAGE\nFROM $RUNTIME_IMAGE\nRUN exit 7\n")
        with (broken / "bot.toml").open("a") as file:
            file.write('dockerfile = "Dockerfile"\n')
        refused = thousand("submit", broken, *options, check=False)
        assert refused.returncode == 1
        assert "can't build the image" in refused.stdout
        assert "returned a non-zero code: 7" in refused.stdout
        assert str(tmp_path) not in refused.stdout
        (broken / "Dockerfile").write_text(
            "ARG RUNTIME_IMAGE\nFROM $RUNTIME_IMAGE\nRUN rm -rf /run && touch /run\n"
        )
        refused = thousand("submit", broken, *options, check=False)
        assert "no container of its image can be started: Docker: can't start" in refused.stdout
        good = thousand("submit", bot_folder(tmp_path, "ace"), *options)
        assert "ready: ace, version 1" in good.stdout
        assert "building" in good.stderr
        assert server.stop() == 0
