"""So many matches play at a time; the next one's bots are started meanwhile."""

from __future__ import annotations

import asyncio
import os
import signal
import textwrap
from collections.abc import Iterator
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import pytest

from arena_runs import bots_running, wait_until
from match_maker import bot, match_spec
from thousand_referee import play_slots
from thousand_referee.errors import NotBegun
from thousand_referee.executor import LocalExecutor
from thousand_referee.match import play_match
from thousand_referee.play_slots import Slot, close_slots, make_slots, use_slots
from thousand_referee.spec import BotVersion, MatchSpec, TimeLimits

SECONDS = 60
SLOW = """
    import itertools, time
    from thousand import Bot, run

    print("started", time.monotonic(), flush=True)

    plays = itertools.count()

    class Slow(Bot):
        def play(self, view):
            if next(plays) < 20:
                time.sleep({seconds})
            print("played", time.monotonic())
            return view.legal_plays[0]

    run(Slow)
"""


@pytest.fixture
def slots(tmp_path: Path) -> Iterator[list[Path]]:
    use_slots(make_slots(tmp_path, 2))
    yield play_slots._slots
    use_slots([])


def slow_bot(folder: Path, seconds: float = 0.05) -> BotVersion:
    folder.mkdir()
    (folder / "bot.toml").write_text('command = ["python", "bot.py"]\n')
    (folder / "bot.py").write_text(textwrap.dedent(SLOW).format(seconds=seconds))
    return bot(folder, "slow")


def test_no_more_than_there_are_slots_play(slots: list[Path]) -> None:
    async def play() -> None:
        first, second, third = Slot(), Slot(), Slot()
        await first.take()
        await second.take()
        waiting = asyncio.create_task(third.take())
        await asyncio.sleep(0.1)
        assert not waiting.done()
        first.free()
        await asyncio.wait_for(waiting, 5)
        first.free()
        fourth = asyncio.create_task(first.take())
        await asyncio.sleep(0.1)
        assert not fourth.done()
        close_slots(slots)
        with pytest.raises(NotBegun):
            await asyncio.wait_for(fourth, 5)
        for slot in (second, third):
            slot.free()

    asyncio.run(play())


def test_without_slots_one_plays_at_once() -> None:
    asyncio.run(Slot().take())


def told(spec: MatchSpec, word: str) -> list[float]:
    """Find when the bots of a match said a word."""
    return [
        float(line.split()[1])
        for path in (Path(spec.output_dir) / spec.match).iterdir()
        for line in path.read_text().splitlines()
        if line.startswith(word)
    ]


@pytest.mark.study
def test_the_next_match_gets_ready_while_one_plays_and_none_play_together(tmp_path: Path) -> None:
    slow = slow_bot(tmp_path / "slow")
    specs = [match_spec(tmp_path, slow, slow, slow, name=f"m{number}") for number in range(2)]
    with LocalExecutor(1) as executor:
        for future in [executor.submit(play_match, spec) for spec in specs]:
            assert future.result(SECONDS).faults == ({}, {}, {})
    first, second = sorted(specs, key=lambda spec: min(told(spec, "played")))
    assert max(told(second, "started")) < max(told(first, "played"))
    assert max(told(first, "played")) < min(told(second, "played"))


@pytest.mark.study
def test_no_clock_runs_for_a_bot_that_waits_for_its_turn(tmp_path: Path) -> None:
    slow = slow_bot(tmp_path / "slow")
    limits = TimeLimits(move_ms=1_500, bank_ms=0, connect_ms=20_000, match_ms=60_000)
    holder = Slot()
    with LocalExecutor(1) as executor:
        use_slots(executor._slots)
        try:
            asyncio.run(holder.take())
            spec = match_spec(tmp_path, slow, slow, slow, time=limits)
            future = executor.submit(play_match, spec)
            # Three bots are there, and wait for longer than a move may take.
            assert wait_until(lambda: len(bots_running(tmp_path)) == 3)
            assert not wait_until(lambda: bool(told(spec, "played")), 2.5)
        finally:
            holder.free()
            use_slots([])
        assert future.result(SECONDS).faults == ({}, {}, {})


@pytest.mark.study
def test_a_killed_match_frees_its_slot(tmp_path: Path) -> None:
    slow = slow_bot(tmp_path / "slow", 0.2)
    quick = slow_bot(tmp_path / "quick", 0.0)
    with LocalExecutor(1) as executor:
        long = executor.submit(play_match, match_spec(tmp_path, slow, slow, slow, name="long"))
        spec = match_spec(tmp_path, quick, quick, quick, name="next")
        assert wait_until(lambda: any((tmp_path / "output" / "long").glob("*.log")))
        assert wait_until(
            lambda: bool(told(match_spec(tmp_path, slow, slow, slow, name="long"), "played"))
        )
        after = executor.submit(play_match, spec)
        process = next(iter(executor._lanes[0].pool._processes))
        os.kill(process, signal.SIGKILL)
        assert isinstance(long.exception(SECONDS), BrokenProcessPool)
        assert after.result(SECONDS).faults == ({}, {}, {})
