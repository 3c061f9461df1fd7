"""The queue goes on, whatever one submission does to it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from arena_runs import thousand
from arena_server import bot_folder
from thousand.v1 import arena_pb2 as pb
from thousand_referee.errors import DataError, TooMuch
from thousand_referee.service import access, queue_order
from thousand_referee.service.accounts import Accounts
from thousand_referee.service.api import ArenaApi
from thousand_referee.service.config import Limits, read_config
from thousand_referee.service.examiner import Examiner
from thousand_referee.service.queue_order import ATTEMPTS, QueueOrder
from thousand_referee.service.submission_store import SubmissionStore
from thousand_referee.service.unpacking import pack
from thousand_referee.submitted import Role, State, Submission, User
from thousand_referee.tournament import Arena, open_arena


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[Arena]:
    with open_arena(tmp_path, create=True) as arena:
        arena.data.incoming.mkdir()
        arena.data.bots.mkdir()
        yield arena


@pytest.fixture
def anna(arena: Arena) -> User:
    user = Accounts(arena.store).user_of(Accounts(arena.store).add("anna", Role.AUTHOR))
    assert user is not None
    return user


def add(arena: Arena, user: User, name: str, archive: bytes | None = b"no archive") -> None:
    if archive is not None:
        (arena.data.incoming / f"{name}.tar.gz").write_bytes(archive)
    SubmissionStore(arena.store).add(
        name, bot=name, user=user, archive_sha256="", tournament=None,
        most_waiting=9, most_a_day=9,
    )  # fmt: skip


def examiner_of(arena: Arena, store: SubmissionStore | None = None) -> Examiner:
    config = read_config(None, arena.data.path)
    return Examiner(arena.data, store or SubmissionStore(arena.store), config, lambda *_given: None)


def examine_until(examiner: Examiner, is_done: Callable[[], bool]) -> None:
    async def run() -> None:
        examining = asyncio.create_task(examiner.run())
        async with asyncio.timeout(30):
            while not is_done():  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        examining.cancel()
        await asyncio.gather(examining, return_exceptions=True)

    asyncio.run(run())


def found(arena: Arena, name: str) -> Submission:
    submission = SubmissionStore(arena.store).submission(name)
    assert submission is not None
    return submission


def is_refused(arena: Arena, *names: str) -> bool:
    return all(found(arena, name).state is State.REFUSED for name in names)


def test_a_lost_archive_is_to_be_sent_again(arena: Arena, anna: User) -> None:
    add(arena, anna, "lost", None)
    add(arena, anna, "next")
    examine_until(examiner_of(arena), lambda: is_refused(arena, "lost", "next"))
    assert found(arena, "lost").reason == "its archive was lost; send it again"
    assert found(arena, "next").reason.startswith("the archive was refused: ")


def test_trouble_with_one_holds_up_nobody_else_and_is_its_own_in_the_end(
    arena: Arena, anna: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue_order, "RETRY_SECONDS", 0.1)
    add(arena, anna, "bad")
    (arena.data.incoming / "bad").write_text("where its folder should be")
    add(arena, anna, "good")
    examine_until(examiner_of(arena), lambda: is_refused(arena, "bad", "good"))
    assert found(arena, "good").reason.startswith("the archive was refused: ")
    assert "it can't be examined, although others can: [Errno" in found(arena, "bad").reason
    assert str(arena.data.path) not in found(arena, "bad").reason
    assert list(arena.data.incoming.iterdir()) == []


def test_a_check_that_the_database_broke_off_is_queued_again(
    arena: Arena, anna: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Failing(SubmissionStore):
        failures = 2

        def change(self, submission: str, state: State, build_log: str | None = None) -> None:
            super().change(submission, state, build_log)
            if self.failures:
                self.failures -= 1
                raise DataError("the database is busy")

    monkeypatch.setattr(queue_order, "RETRY_SECONDS", 0.1)
    add(arena, anna, "ace")
    examiner = examiner_of(arena, Failing(arena.store))
    examine_until(examiner, lambda: is_refused(arena, "ace"))
    assert found(arena, "ace").reason.startswith("the archive was refused: ")


async def requests() -> Any:
    bot = pb.SubmittedBot(name="ace", archive_bytes=1, archive_sha256=sha256(b"x").digest())
    yield pb.SubmitBotRequest(bot=bot)
    yield pb.SubmitBotRequest(chunk=b"x")


def test_nothing_is_taken_in_while_the_disk_is_nearly_full(arena: Arena, anna: User) -> None:
    unused: Any = None
    store = SubmissionStore(arena.store)
    limits = Limits(free_mb=1 << 40)
    api = ArenaApi(arena, store, unused, unused, unused, limits, "")

    async def submit() -> None:
        access._caller.set(anna)
        with pytest.raises(TooMuch, match="disk is nearly full"):
            await api.SubmitBot(requests(), None)

    asyncio.run(submit())
    assert (store.submissions(), list(arena.data.incoming.iterdir())) == ((), [])


def test_who_goes_away_while_the_database_is_slow_is_in_the_queue_with_an_archive(
    arena: Arena, anna: User
) -> None:
    begun, may_end = threading.Event(), threading.Event()

    class Slow(SubmissionStore):
        def add(self, submission: str, **values: Any) -> None:
            begun.set()
            may_end.wait(10)
            super().add(submission, **values)

    store = Slow(arena.store)
    examiner = examiner_of(arena)
    unused: Any = None
    api = ArenaApi(arena, store, unused, examiner, unused, Limits(), "")

    async def go_away() -> None:
        access._caller.set(anna)
        call = asyncio.create_task(api.SubmitBot(requests(), None))
        assert await asyncio.to_thread(begun.wait, 10)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        may_end.set()
        async with asyncio.timeout(10):
            while not store.submissions():  # noqa: ASYNC110
                await asyncio.sleep(0.01)

    asyncio.run(go_away())
    (queued,) = store.queued()
    assert [path.name for path in arena.data.incoming.iterdir()] == [f"{queued.id}.tar.gz"]


def test_an_engine_that_is_gone_is_no_authors_fault(
    arena: Arena,
    anna: User,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/nobody")
    archive = BytesIO()
    pack(bot_folder(tmp_path, "ace"), archive)
    add(arena, anna, "ace", archive.getvalue())
    config = tmp_path / "server.toml"
    config.write_text('[sandbox]\nkind = "docker"\n')
    store = SubmissionStore(arena.store)
    settings = read_config(config, arena.data.path)
    examiner = Examiner(arena.data, store, settings, lambda *_given: None)
    examine_until(
        examiner,
        lambda: (
            "ace can't be examined now" in caplog.text and found(arena, "ace").state is State.QUEUED
        ),
    )
    assert "no engine answers" in caplog.text


def test_a_server_without_its_engine_does_not_start(tmp_path: Path) -> None:
    config = tmp_path / "server.toml"
    config.write_text('http = "127.0.0.1:0"\nlisten = "127.0.0.1:0"\n[sandbox]\nkind = "docker"\n')
    done = thousand(
        "serve", "--config", config, check=False, DOCKER_HOST=f"unix://{tmp_path}/nobody"
    )
    assert done.returncode == 1
    assert "no engine answers" in done.stderr


def test_tidying_removes_what_belongs_to_no_submission(arena: Arena, anna: User) -> None:
    add(arena, anna, "ace")
    for name in ("none.tar.gz", "ace.tar.gz.part"):
        (arena.data.incoming / name).write_bytes(b"")
    (arena.data.incoming / "other").mkdir()
    examiner_of(arena).tidy()
    assert [path.name for path in arena.data.incoming.iterdir()] == ["ace.tar.gz"]


def test_the_order_of_the_queue() -> None:
    now = 0.0
    order = QueueOrder(lambda: now)
    assert (order.choose([]), order.rest([])) == (None, None)
    assert order.choose(["a", "b"]) == "a"
    assert not order.note_trouble("a")
    assert order.choose(["a", "b"]) == "b"
    assert order.choose(["a"]) is None
    assert order.rest(["a"]) == queue_order.RETRY_SECONDS
    now += queue_order.RETRY_SECONDS
    assert order.choose(["a"]) == "a"
    assert order.choose(["a", "b"]) == "b"


def test_trouble_of_all_is_nobodys_own() -> None:
    order = QueueOrder()
    for _ in range(3 * ATTEMPTS):
        assert not order.note_trouble("a")
        assert not order.note_trouble("b")
    order.note_end("b", by_check=False)
    assert not order.note_trouble("a")
    order.note_end("c", by_check=True)
    assert order.note_trouble("a")
