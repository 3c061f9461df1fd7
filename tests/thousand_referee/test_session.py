"""One bot's stream, with a real gRPC client at the other end."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import grpc
import grpc.aio
import pytest

from thousand.codec import decode_response, encode_request, encode_response
from thousand.messages import METHOD, SERVICE, GameStart, Hello, Request, Response, Welcome
from thousand_referee.errors import MatchVoid
from thousand_referee.session import HARD_LIMIT, Session

Call = grpc.aio.StreamStreamCall[bytes, bytes]
WELCOME = Welcome(games=1, tables=1, move_ms=1, bank_ms=1, seed=b"seed")
SEAT = 2


class Recorder:
    """A handler that keeps what it was told, and gives what lies in `outbox`."""

    def __init__(self) -> None:
        self.inbox: list[bytes] = []
        self.outbox: list[bytes] = []
        self.something_came = asyncio.Event()

    def heard(self, seat: int, data: bytes) -> None:
        assert seat == SEAT
        self.inbox.append(data)
        self.something_came.set()

    def take(self, seat: int) -> bytes | None:
        assert seat == SEAT
        return self.outbox.pop(0) if self.outbox else None

    def welcome(self, seat: int) -> bytes:
        assert seat == SEAT
        return encode_response(Response(welcome=WELCOME))


class Line:
    """A session that listens, and means to call it."""

    def __init__(self, session: Session, handler: Recorder, channel: grpc.aio.Channel) -> None:
        self.session = session
        self.handler = handler
        self._channel = channel

    async def call(self, *messages: bytes) -> Call:
        call: Call = self._channel.stream_stream(f"/{SERVICE}/{METHOD}")()
        for message in messages:
            await call.write(message)
        return call

    async def greeted(self) -> Call:
        """Call with the right token, and read the welcome."""
        call = await self.call(hello(self.session.expect()))
        assert decode_response(await read(call)).welcome == WELCOME
        await within(self.session.greeted)
        return call


def hello(token: str, protocol: int = 1) -> bytes:
    return encode_request(Request(Hello(token, protocol)))


async def read(call: Call) -> bytes:
    data = await asyncio.wait_for(call.read(), 10)
    assert isinstance(data, bytes)
    return data


async def within(future: asyncio.Future[str] | asyncio.Future[None]) -> str | None:
    return await asyncio.wait_for(asyncio.shield(future), 10)


@asynccontextmanager
async def open_line() -> AsyncIterator[Line]:
    with tempfile.TemporaryDirectory() as folder:
        handler = Recorder()
        session = Session(SEAT, f"unix:{folder}/bot.sock", handler)
        await session.open()
        options = (("grpc.default_authority", "localhost"), ("grpc.max_send_message_length", -1))
        async with grpc.aio.insecure_channel(session.address, options=options) as channel:
            try:
                yield Line(session, handler, channel)
            finally:
                await asyncio.wait_for(session.close(), 10)


def over_a_line(test: Callable[[Line], Awaitable[None]]) -> None:
    async def main() -> None:
        async with open_line() as line:
            await test(line)

    asyncio.run(main())


async def refusal(line: Line, *messages: bytes) -> grpc.StatusCode:
    call = await line.call(*messages)
    await call.done_writing()
    return await asyncio.wait_for(call.code(), 10)


def test_a_bot_with_the_token_is_welcomed_and_heard() -> None:
    async def test(line: Line) -> None:
        call = await line.greeted()
        for message in (b"one", b"two", b""):
            await call.write(message)
        await call.done_writing()
        await within(line.session.lost)
        assert line.handler.inbox == [b"one", b"two", b""]

    over_a_line(test)


@pytest.mark.parametrize(
    ("messages", "code"),
    [
        ((), grpc.StatusCode.INVALID_ARGUMENT),
        ((b"\xff" * 40,), grpc.StatusCode.INVALID_ARGUMENT),
        ((b"",), grpc.StatusCode.INVALID_ARGUMENT),
        ((encode_request(Request()),), grpc.StatusCode.INVALID_ARGUMENT),
        ((hello("guessed"),), grpc.StatusCode.UNAUTHENTICATED),
        ((hello(""),), grpc.StatusCode.UNAUTHENTICATED),
        ((hello("schlüssel"),), grpc.StatusCode.UNAUTHENTICATED),
    ],
)
def test_a_caller_without_a_good_hello_is_turned_away(
    messages: tuple[bytes, ...], code: grpc.StatusCode
) -> None:
    async def test(line: Line) -> None:
        assert await refusal(line, *messages) is code
        assert len(line.session.refusals) == 1
        assert not line.session.greeted.done()
        assert not line.session.lost.done()
        await line.greeted()

    over_a_line(test)


def test_another_version_of_the_protocol_is_refused_by_name() -> None:
    async def test(line: Line) -> None:
        code = await refusal(line, hello(line.session.expect(), protocol=2))
        assert code is grpc.StatusCode.FAILED_PRECONDITION
        assert line.session.refusals == ["protocol 2 is not spoken here, but 1"]

    over_a_line(test)


def test_a_token_opens_one_stream_and_no_second() -> None:
    async def test(line: Line) -> None:
        token = line.session.expect()
        first = await line.call(hello(token))
        await read(first)
        assert await refusal(line, hello(token)) is grpc.StatusCode.UNAUTHENTICATED
        await first.write(b"still here")
        await first.done_writing()
        await within(line.session.lost)
        assert line.handler.inbox == [b"still here"]

    over_a_line(test)


def test_only_the_latest_refusals_are_kept_and_none_of_an_earlier_process() -> None:
    async def test(line: Line) -> None:
        for _ in range(12):
            await refusal(line, hello("guessed"))
        assert len(line.session.refusals) == 10
        line.session.expect()
        assert line.session.refusals == []

    over_a_line(test)


def test_what_there_is_goes_out_when_the_session_is_woken() -> None:
    async def test(line: Line) -> None:
        call = await line.greeted()
        messages = [encode_response(Response(notices=(GameStart(game),))) for game in range(3)]
        line.handler.outbox += messages
        line.session.wake()
        assert [await read(call) for _ in range(3)] == messages

    over_a_line(test)


def test_the_goodbye_comes_after_all_else() -> None:
    async def test(line: Line) -> None:
        call = await line.greeted()
        line.handler.outbox.append(encode_response(Response(notices=(GameStart(1),))))
        line.session.say_goodbye("that is all")
        assert decode_response(await read(call)).notices == (GameStart(1),)
        assert decode_response(await read(call)).goodbye == "that is all"
        assert not line.session.lost.done()
        await call.done_writing()
        await within(line.session.lost)

    over_a_line(test)


def test_a_large_message_is_handed_on_and_a_huge_one_breaks_the_stream() -> None:
    async def test(line: Line) -> None:
        call = await line.greeted()
        await call.write(bytes(HARD_LIMIT - 100))
        await call.write(bytes(HARD_LIMIT + 100))
        await within(line.session.lost)
        assert [len(data) for data in line.handler.inbox] == [HARD_LIMIT - 100]
        assert await call.code() is grpc.StatusCode.RESOURCE_EXHAUSTED

    over_a_line(test)


def test_a_call_that_is_cancelled_is_lost() -> None:
    async def test(line: Line) -> None:
        call = await line.greeted()
        call.cancel()
        assert await within(line.session.lost)

    over_a_line(test)


def test_a_new_process_cuts_off_the_stream_of_the_one_before() -> None:
    async def test(line: Line) -> None:
        old = await line.greeted()
        lost = line.session.lost
        new = await line.greeted()
        await within(lost)
        assert line.session.lost is not lost
        assert not line.session.lost.done()
        await old.write(b"a ghost")
        await new.write(b"hello")
        await new.done_writing()
        await within(line.session.lost)
        assert line.handler.inbox == [b"hello"]

    over_a_line(test)


def test_a_bot_that_never_reads_holds_nothing_up() -> None:
    """Its stream is full, but it is heard, and the session can be closed."""

    async def test(line: Line) -> None:
        call = await line.call(hello(line.session.expect()))
        await within(line.session.greeted)
        line.handler.outbox += [bytes(1_000_000)] * 20
        line.session.wake()
        await asyncio.sleep(0.2)
        assert line.handler.outbox
        await call.write(b"I hear nothing")
        await asyncio.wait_for(line.handler.something_came.wait(), 10)
        line.session.say_goodbye("that is all")

    over_a_line(test)


def test_a_session_closes_while_callers_wait() -> None:
    async def test(line: Line) -> None:
        await line.call()
        await line.greeted()

    over_a_line(test)


def test_a_socket_that_can_not_be_made_is_no_bots_fault() -> None:
    async def main() -> None:
        session = Session(SEAT, "unix:/nowhere/at/all/bot.sock", Recorder())
        with pytest.raises(MatchVoid, match="can't listen on"):
            await session.open()
        await session.close()

    asyncio.run(main())


def test_sessions_can_be_opened_in_one_event_loop_after_another(tmp_path: Path) -> None:
    async def test(line: Line) -> None:
        await line.greeted()

    for _ in range(5):
        over_a_line(test)
