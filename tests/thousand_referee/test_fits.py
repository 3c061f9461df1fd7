"""Standings that a coroutine waits for: once for all who ask, and never very old."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Any

import pytest

from thousand_referee.errors import DataError
from thousand_referee.fits import PATIENCE, RESTS, Fitted


class ByHand:
    """An executor whose work is done when the test says so."""

    def __init__(self) -> None:
        self.asked: list[Future[str]] = []

    def submit(self, function: Any, /, *arguments: Any) -> Future[str]:
        self.asked.append(Future())
        return self.asked[-1]


@dataclass
class Row:
    matches: int
    name: str = "t"
    entries: tuple[()] = ()


class Bench:
    """What each test needs: results by hand, and a clock that stands still."""

    def __init__(self) -> None:
        self.now = 0.0
        self.hand = ByHand()
        self.seconds: list[float] = []
        self.fitted: Fitted[str] = Fitted(
            self.hand,  # type: ignore[arg-type]
            "",
            lambda _where, name: name,
            3,
            lambda: self.now,
            self.seconds.append,
        )

    async def ask(self, matches: int) -> asyncio.Task[str]:
        """Ask, and let that go as far as it goes."""
        asking = asyncio.create_task(self.fitted.latest(Row(matches)))
        await asyncio.sleep(0.01)
        return asking


def test_all_who_wait_wait_for_one_piece_of_work() -> None:
    bench = Bench()

    async def run() -> None:
        first, *others = [await bench.ask(1) for _ in range(50)]
        assert len(bench.hand.asked) == 1
        first.cancel()
        bench.now = 2
        bench.hand.asked[0].set_result("one")
        assert set(await asyncio.gather(*others)) == {"one"}
        assert await bench.fitted.latest(Row(1)) == "one"

    asyncio.run(run())
    assert bench.seconds == [2]


def test_what_is_older_than_the_last_match_is_made_anew_after_a_rest() -> None:
    bench = Bench()

    async def run() -> None:
        asking = await bench.ask(1)
        bench.now = 1
        bench.hand.asked[0].set_result("one")
        assert await asking == "one"
        bench.now += RESTS - 0.1
        asking = await bench.ask(2)
        assert (len(bench.hand.asked), asking.done()) == (1, False)
        bench.now += 0.1
        await asyncio.sleep(0.15)
        bench.hand.asked[1].set_result("two")
        assert await asking == "two"
        assert bench.fitted.get(Row(2)) == "two"

    asyncio.run(run())


def test_after_long_work_the_older_result_is_good_enough() -> None:
    bench = Bench()

    async def run() -> None:
        asking = await bench.ask(1)
        bench.now = PATIENCE
        bench.hand.asked[0].set_result("one")
        assert await asking == "one"
        assert await bench.fitted.latest(Row(2)) == "one"

    asyncio.run(run())
    assert len(bench.hand.asked) == 1


def test_what_is_newer_than_what_was_read_is_new_enough() -> None:
    bench = Bench()

    async def run() -> None:
        asking = [await bench.ask(matches) for matches in (2, 1)]
        bench.hand.asked[0].set_result("one")
        assert await asyncio.gather(*asking) == ["one", "one"]

    asyncio.run(run())


def test_a_process_that_was_killed_is_forgiven_once() -> None:
    bench = Bench()

    async def run() -> None:
        asking = await bench.ask(1)
        bench.hand.asked[0].set_exception(BrokenProcessPool("killed"))
        await asyncio.sleep(0.01)
        bench.hand.asked[1].set_result("one")
        assert await asking == "one"
        other = asyncio.create_task(bench.fitted.latest(Row(1, "other")))
        for number in (2, 3):
            await asyncio.sleep(0.01)
            bench.hand.asked[number].set_exception(BrokenProcessPool("killed"))
        with pytest.raises(DataError, match="killed"):
            await other

    asyncio.run(run())


def test_a_tournament_that_can_not_be_read_is_told() -> None:
    bench = Bench()

    async def run() -> None:
        asking = await bench.ask(1)
        bench.hand.asked[0].set_exception(DataError("no such tournament"))
        with pytest.raises(DataError, match="no such tournament"):
            await asking

    asyncio.run(run())
    assert len(bench.hand.asked) == 1
