"""What containers cost: starting and ending one, and their share of a match's time.

Plays the same matches of 20 games in containers and as plain processes, and measures
the launcher's calls from within. Run it with the tests on the path::

    PYTHONPATH=tests python tests/benchmarks/container_cost.py [MATCHES]
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec

from docker_bench import in_sandbox, with_image
from match_maker import EXAMPLES, match_spec
from thousand_referee.launch import docker as docker_launch
from thousand_referee.launch import process
from thousand_referee.match import play_match
from thousand_referee.session import Session
from thousand_referee.spec import Sandbox

GAMES = 20
TABLES = 16
Times = dict[str, list[float]]


def timed(times: Times, name: str, call: Callable[..., Awaitable[Any]]) -> Callable[..., Any]:
    """Note how long a coroutine function takes, in seconds."""

    async def measured(*arguments: Any, **keywords: Any) -> Any:
        began = time.monotonic()
        try:
            return await call(*arguments, **keywords)
        finally:
            times.setdefault(name, []).append(time.monotonic() - began)

    return measured


def watch(times: Times, started: list[float]) -> None:
    """Measure every launch and end, and the time from a launch to the bot's hello."""
    for launcher, running in (
        (docker_launch.DockerLauncher, docker_launch.RunningContainer),
        (process.ProcessLauncher, process.RunningProcess),
    ):
        launcher.start = timed(times, "launch", launcher.start)  # type: ignore[attr-defined]
        running.end = timed(times, "end", running.end)  # type: ignore[attr-defined]
    expect, admit = Session.expect, Session._admit

    def expecting(session: Session) -> str:
        started.append(time.monotonic())
        return expect(session)

    async def admitting(session: Session, context: Any) -> None:
        await admit(session, context)
        times.setdefault("ready", []).append(time.monotonic() - started[0])

    Session.expect = expecting  # type: ignore[method-assign]
    Session._admit = admitting  # type: ignore[method-assign]


def main(matches: int) -> None:
    times: Times = {}
    started: list[float] = []
    watch(times, started)
    bots = [with_image(EXAMPLES / name) for name in ("counter", "cautious", "random")]
    print(f"matches of {GAMES} games at {TABLES} tables; medians of {matches}, in seconds")
    for kind in ("process", "docker"):
        wholes, readies = [], []
        times.clear()
        for number in range(matches):
            with tempfile.TemporaryDirectory() as folder:
                spec = in_sandbox(
                    match_spec(
                        Path(folder), *bots, name=f"cost-{number}", games=GAMES, tables=TABLES
                    )
                )
                if kind == "process":
                    spec = msgspec.structs.replace(spec, sandbox=Sandbox())
                started.clear()
                times.pop("ready", None)
                began = time.monotonic()
                play_match(spec)
                wholes.append(time.monotonic() - began)
                readies.append(max(times["ready"]))
        launch, end = (statistics.median(times[name]) for name in ("launch", "end"))
        whole, ready = statistics.median(wholes), statistics.median(readies)
        print(
            f"{kind:8} launch {launch:.2f}, three bots ready {ready:.2f}, end {end:.2f}, "
            f"match {whole:.2f}: starts and ends are {100 * (ready + end) / whole:.0f}% of it"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 6)
