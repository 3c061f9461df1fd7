"""A container's start that is given up, without an engine."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest

from match_maker import EXAMPLES, bot
from thousand_referee.errors import MatchVoid
from thousand_referee.launch import docker as launching
from thousand_referee.spec import Sandbox


class Output:
    """Notes that it was closed."""

    is_closed = False

    def close(self) -> None:
        self.is_closed = True


class SlowEngine:
    """Takes its time, and then refuses."""

    def create_host_config(self, **_options: Any) -> None:
        return None

    def create_container(self, *_arguments: Any, **_options: Any) -> None:
        time.sleep(0.2)
        raise MatchVoid("no such image")


@pytest.mark.parametrize("cancels", [0, 1, 2, 3])
def test_nothing_is_left_open_however_often_it_is_cancelled(
    cancels: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = Output()
    monkeypatch.setattr(launching, "_make_ready", lambda *_paths: output)

    async def start() -> None:
        engine: Any = SlowEngine()
        launcher = launching.DockerLauncher(engine, Sandbox(kind="docker"), "m")
        task = asyncio.create_task(
            launcher.start(
                bot(EXAMPLES / "random"), address="unix:/x/0.sock", token="t", output=tmp_path / "o"
            )
        )
        for _ in range(cancels):
            await asyncio.sleep(0.02)
            task.cancel()
        await asyncio.wait((task,))
        assert output.is_closed
        assert task.cancelled() if cancels else isinstance(task.exception(), MatchVoid)

    asyncio.run(start())
