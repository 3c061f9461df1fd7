"""A bot of which no image can be made leaves an open tournament; the others play."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena_server import bot_folder
from docker_bench import BASE_IMAGE, needs_docker
from thousand_referee.service.line_up import open_line_up
from thousand_referee.tournament import open_arena
from thousand_referee.tournament_file import read_tournament

pytestmark = [pytest.mark.usefixtures("needs_docker"), pytest.mark.timeout(250)]
__all__ = ["needs_docker"]


def test_only_the_bot_without_an_image_is_left_out(tmp_path: Path) -> None:
    folders = [bot_folder(tmp_path, name) for name in ("broken", "one", "two")]
    (folders[0] / "Dockerfile").write_text("ARG RUNTIME_IMAGE\nFROM $RUNTIME_IMAGE\nRUN exit 7\n")
    with (folders[0] / "bot.toml").open("a") as settings:
        settings.write('dockerfile = "Dockerfile"\n')
    path = tmp_path / "open.toml"
    entries = "".join(f'[[entry]]\nbot = "{folder}"\n' for folder in folders)
    sandbox = f'[sandbox]\nkind = "docker"\nbase_image = "{BASE_IMAGE}"\n'
    path.write_text(f'mode = "open"\n{sandbox}{entries}')
    file = read_tournament(path)
    with open_arena(tmp_path / "data", create=True) as arena:
        arena.store.create_or_resume(file, "")
        bots = open_line_up(arena, file, {})
        assert sorted(bots) == ["one", "two"]
        assert all(bot.image.startswith("sha256:") for bot in bots.values())
        stored = arena.store.tournament("open").entries
        assert {entry.name for entry in stored if entry.retired} == {"broken"}
        assert open_line_up(arena, file, bots) == bots
