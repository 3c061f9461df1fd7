"""What starting and ending bots costs: their share of the time of matches of 20 games.

Plays the same matches one after another, with and without the next one's bots being
started meanwhile, turn by turn, in containers and as plain processes. The share is what
no match plays of the time that all of them take. Run it with the tests on the path::

    PYTHONPATH=tests python tests/benchmarks/container_cost.py [ROUNDS]
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path

import msgspec

from docker_bench import in_sandbox, with_image
from match_maker import EXAMPLES, match_spec
from thousand_referee.executor import LocalExecutor
from thousand_referee.match import play_match
from thousand_referee.play_slots import Slot
from thousand_referee.spec import BotVersion, MatchSpec, Sandbox

GAMES = 20
TABLES = 16
MATCHES = 5


@contextmanager
def watched() -> Iterator[list[float]]:
    """Note when a match of this process takes its slot, and when it first frees it."""
    moments: list[float] = []
    take, free = Slot.take, Slot.free

    async def taking(slot: Slot) -> None:
        await take(slot)
        moments.append(time.monotonic())

    def freeing(slot: Slot) -> None:
        if slot._lock is not None:
            moments.append(time.monotonic())
        free(slot)

    Slot.take, Slot.free = taking, freeing  # type: ignore[method-assign]
    try:
        yield moments
    finally:
        Slot.take, Slot.free = take, free  # type: ignore[method-assign]


def play_watched(spec: MatchSpec) -> float:
    """Play a match; give the seconds from its first prompt to its last answer."""
    with watched() as moments:
        play_match(spec)
    begun, over = moments
    return over - begun


def measure(bots: list[BotVersion], kind: str, ahead: int) -> tuple[float, float]:
    """Give the seconds that some matches take, and those of them in which one is played."""
    with tempfile.TemporaryDirectory() as name, LocalExecutor(1, ahead=ahead) as executor:
        folder = Path(name)
        specs = [
            in_sandbox(match_spec(folder, *bots, name=f"cost-{n}", games=GAMES, tables=TABLES))
            for n in range(MATCHES + 1)
        ]
        if kind == "process":
            specs = [
                msgspec.structs.replace(
                    spec,
                    sandbox=Sandbox(),
                    bots=tuple(msgspec.structs.replace(bot, image="") for bot in spec.bots),
                )
                for spec in specs
            ]
        # The first one's time is that of starting Python.
        futures: list[Future[float]] = []
        began = 0.0
        for number, spec in enumerate(specs):
            futures.append(executor.submit(play_watched, spec))
            if number == 0:
                futures[0].result()
                began = time.monotonic()
        played = sum(future.result() for future in futures[1:])
        return time.monotonic() - began, played


def main(rounds: int) -> None:
    bots = [with_image(EXAMPLES / name) for name in ("counter", "cautious", "random")]
    print(
        f"{MATCHES} matches of {GAMES} games at {TABLES} tables, one at a time; "
        f"medians of {rounds} rounds",
        flush=True,
    )
    for kind in ("process", "docker"):
        figures: dict[int, list[tuple[float, float]]] = {0: [], 1: []}
        for _ in range(rounds):
            for ahead, found in figures.items():
                found.append(measure(bots, kind, ahead))
        for ahead, found in figures.items():
            whole = statistics.median(seconds for seconds, _ in found)
            share = statistics.median(1 - played / seconds for seconds, played in found)
            how = "bots started ahead" if ahead else "one after another "
            print(
                f"{kind:8} {how}: {whole / MATCHES:5.2f} s a match, "
                f"starts and ends are {100 * share:2.0f}% of it"
            )
        ratio = statistics.median(
            after / before for (before, _), (after, _) in zip(figures[0], figures[1], strict=True)
        )
        print(f"{kind:8} takes {ratio:.2f} of the time", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
