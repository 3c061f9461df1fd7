"""Which launcher a match's bots are started by."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from thousand_referee.launch.launcher import Launcher
from thousand_referee.launch.process import ProcessLauncher
from thousand_referee.spec import MatchSpec


@contextmanager
def launcher_for(spec: MatchSpec) -> Iterator[Launcher]:
    """Give the launcher of the match's sandbox; `MatchVoid` if it can't be had."""
    if spec.sandbox.kind == "docker":
        from thousand_referee.launch.docker import docker_launcher

        with docker_launcher(spec) as launcher:
            yield launcher
    else:
        yield ProcessLauncher()
