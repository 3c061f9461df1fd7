"""The queue when the process that examines fails in every way."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from arena_server import ArenaServer
from thousand_referee.service import examiner as examiner_module
from thousand_referee.service import queue_order
from thousand_referee.service.config import Limits, ServerConfig
from thousand_referee.service.examiner import Examiner
from thousand_referee.service.submission_store import SubmissionStore, new_submission_id
from thousand_referee.submitted import State, Submission
from thousand_referee.tournament import Arena, open_arena

HEAD = """
import sys, time
task = sys.stdin.readline()
is_first = '"bot":"first"' in task
def tell(text):
    print(text, flush=True)
def ready(digest):
    tell('{"result":{"reason":"","digest":"' + digest * 64 + '","command":["x"],"report":{}}}')
"""


def queue(arena: Arena, server: ArenaServer, *bots: str) -> list[str]:
    """Queue submissions whose archives are there, but are never looked at."""
    store = SubmissionStore(arena.store)
    user = store.user(server.tokens["anna"])
    assert user is not None
    names = []
    for bot in bots:
        names.append(new_submission_id())
        (arena.data.incoming / f"{names[-1]}.tar.gz").write_bytes(b"archive")
        (arena.data.incoming / names[-1] / "bot").mkdir(parents=True)
        store.add(
            names[-1], bot=bot, user=user, archive_sha256="", tournament=None,
            most_waiting=9, most_a_day=9,
        )  # fmt: skip
    return names


@pytest.fixture
def examined(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], list[Submission]]:
    """Give what examines the bots ``first`` and ``second`` by a program instead of the real one."""

    def examine(program: str) -> list[Submission]:
        script = tmp_path / "program"
        script.write_text(f"#!{sys.executable}\n{HEAD}{program}")
        script.chmod(0o755)
        monkeypatch.setattr(examiner_module.sys, "executable", str(script))
        monkeypatch.setattr(queue_order, "RETRY_SECONDS", 0.3)
        server = ArenaServer(tmp_path)
        server.add_user("anna")
        with open_arena(server.data) as arena:
            for folder in (arena.data.incoming, arena.data.bots):
                folder.mkdir()
            names = queue(arena, server, "first", "second")
            store = SubmissionStore(arena.store)
            limits = Limits(check_seconds=3)
            examiner = Examiner(arena.data, store, ServerConfig(limits=limits), lambda *_: None)

            async def run() -> None:
                task = asyncio.create_task(examiner.run())
                async with asyncio.timeout(30):
                    while any(not each.state.is_final for each in store.submissions()):  # noqa: ASYNC110
                        await asyncio.sleep(0.05)
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)

            asyncio.run(run())
            found = [store.submission(name) for name in names]
            return [each for each in found if each is not None]

    return examine


def states(found: list[Submission]) -> list[State]:
    return [each.state for each in found]


def test_a_process_that_dies_each_time_is_the_bots_fault_after_three(
    examined: Callable[[str], list[Submission]],
) -> None:
    found = examined("if is_first: sys.exit(5)\nready('b')")
    assert states(found) == [State.REFUSED, State.READY]
    assert found[0].reason == "its check broke off 3 times: its process ended with status 5"


def test_nonsense_and_endless_lines(examined: Callable[[str], list[Submission]]) -> None:
    found = examined("if is_first: tell('}')\ntell('{\"said\":\"' + 'x' * (5 << 20) + '\"}')")
    assert states(found) == [State.REFUSED, State.REFUSED]
    assert all("wrote nonsense" in each.reason for each in found)


def test_a_process_that_never_ends_is_ended(examined: Callable[[str], list[Submission]]) -> None:
    found = examined("tell('{\"said\":\"hello\"}')\nif is_first: time.sleep(99)\nready('b')")
    assert states(found) == [State.REFUSED, State.READY]
    assert found[0].reason == "building and checking it took more than 3 s"
    assert found[0].build_log == "hello"


def test_trouble_of_the_machine_lets_others_go_first(
    examined: Callable[[str], list[Submission]], tmp_path: Path
) -> None:
    """The first one is tried until the trouble is over, which it is when the second is done."""
    found = examined(
        f"""
import pathlib
done = pathlib.Path({str(tmp_path / "done")!r})
if is_first and not done.exists():
    tell('{{"trouble":"no space"}}')
    sys.exit()
done.touch()
ready('a' if is_first else 'b')
"""
    )
    assert states(found) == [State.READY, State.READY]
    assert found[0].changed >= found[1].changed
