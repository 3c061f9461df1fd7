"""One bot's stream: a socket of its own, a one-time token, messages out and in.

With the service for remote bots, the only part of the referee that touches grpc. What
it raises stays here: a stream that breaks, however it does, is `Session.lost`.
"""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import AsyncIterator
from typing import Final, Protocol

# Forking after gRPC was used hangs; this must be set before grpc is imported.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")

import grpc
import grpc.aio

from thousand.codec import decode_request, encode_response
from thousand.errors import MalformedMessage
from thousand.messages import METHOD, PROTOCOL, SERVICE, Response
from thousand_referee.errors import MatchVoid

MESSAGE_LIMIT: Final = 256 * 1024
"""Bytes of a bot's largest message. A larger one is handed on, to be called a fault."""

HARD_LIMIT: Final = 4 * MESSAGE_LIMIT
"""Bytes beyond which a message is not even read: gRPC breaks the stream."""

_OPTIONS: Final = (
    ("grpc.so_reuseport", 0),
    ("grpc.max_receive_message_length", HARD_LIMIT),
    ("grpc.max_metadata_size", 16 * 1024),
    ("grpc.max_concurrent_streams", 8),
)
_GRPC_ERRORS: Final = (grpc.aio.BaseError, grpc.RpcError, asyncio.InvalidStateError)
_KEPT_REFUSALS: Final = 10

_Context = grpc.aio.ServicerContext[bytes, bytes]


class SessionHandler(Protocol):
    """Who is told what comes in over a session, and says what goes out; it never raises."""

    def heard(self, seat: int, data: bytes) -> None:
        """Take a message that came from the seat's bot, not decoded yet."""

    def take(self, seat: int) -> bytes | None:
        """Give the next message for the seat's bot, or None if there is none now."""

    def welcome(self, seat: int) -> bytes:
        """Give the first message for the seat's bot."""


class Session:
    """One seat's line to whatever process holds its token.

    Attributes:
        address: what the bot is to dial.
        greeted: done when the bot has said hello.
        lost: done when its stream has ended; says how. All that came before was handed on.
        refusals: why callers were turned away since `expect`, the latest last.
    """

    def __init__(self, seat: int, address: str, handler: SessionHandler) -> None:
        self.address = address
        self._seat = seat
        self._handler = handler
        self._server = grpc.aio.server(options=_OPTIONS)
        self._server.add_generic_rpc_handlers(
            (
                grpc.method_handlers_generic_handler(
                    SERVICE, {METHOD: grpc.stream_stream_rpc_method_handler(self._play)}
                ),
            )
        )
        self._work = asyncio.Event()
        self._stream: asyncio.Task[None] | None = None
        self.expect()

    async def open(self) -> None:
        """Listen; `MatchVoid` if the socket can't be made."""
        try:
            self._server.add_insecure_port(self.address)
            await self._server.start()
        except RuntimeError as error:
            raise MatchVoid(f"can't listen on {self.address}: {error}") from error

    async def close(self) -> None:
        """Stop listening and end any stream."""
        await self._server.stop(None)

    def expect(self) -> str:
        """Get ready for a new process; give the token that it must show, once.

        A stream of the process before is cut off, and is never heard again.
        """
        loop = asyncio.get_running_loop()
        if self._stream is not None:
            self._stream.cancel()
        self._stream = None
        self._token: str | None = secrets.token_urlsafe(24)
        self._goodbye: str | None = None
        self._work.clear()
        self.refusals: list[str] = []
        self.greeted: asyncio.Future[None] = loop.create_future()
        self.lost: asyncio.Future[str] = loop.create_future()
        return self._token

    def wake(self) -> None:
        """Send what the handler has for the bot."""
        self._work.set()

    def say_goodbye(self, reason: str) -> None:
        """Tell the bot, after all else, that it should exit."""
        self._goodbye = reason
        self._work.set()

    async def _play(self, _: AsyncIterator[bytes], context: _Context) -> None:
        """Serve one stream from hello to goodbye."""
        await self._admit(context)
        lost, greeted = self.lost, self.greeted
        self._stream = asyncio.current_task()
        writer: asyncio.Task[None] | None = None
        how = "it closed its stream, or its stream broke"
        try:
            await context.write(self._handler.welcome(self._seat))
            greeted.set_result(None)
            writer = asyncio.create_task(self._write(context))
            while isinstance(data := await context.read(), bytes):
                self._handler.heard(self._seat, data)
        except _GRPC_ERRORS as error:
            how = f"its stream broke: {error}"
        finally:
            if writer is not None:
                writer.cancel()
            if not lost.done():
                lost.set_result(how)

    async def _admit(self, context: _Context) -> None:
        """Read the first message; turn the caller away unless it is a good hello.

        The token is used up with that: nothing is awaited between the two.
        """
        code, problem = self._judge(await context.read())
        if code is grpc.StatusCode.OK:
            self._token = None
            return
        self.refusals = [*self.refusals[1 - _KEPT_REFUSALS :], problem]
        await context.abort(code, problem)

    def _judge(self, data: object) -> tuple[grpc.StatusCode, str]:
        """Say whether a first message is the hello that is waited for, and if not, why."""
        if not isinstance(data, bytes):
            return grpc.StatusCode.INVALID_ARGUMENT, "it said nothing before it hung up"
        try:
            hello = decode_request(data).hello
        except MalformedMessage as error:
            return grpc.StatusCode.INVALID_ARGUMENT, str(error)
        if hello is None:
            return grpc.StatusCode.INVALID_ARGUMENT, "the first message must be a hello"
        if hello.protocol != PROTOCOL:
            problem = f"protocol {hello.protocol} is not spoken here, but {PROTOCOL}"
            return grpc.StatusCode.FAILED_PRECONDITION, problem
        if self._token is None or not secrets.compare_digest(
            hello.token.encode(), self._token.encode()
        ):
            problem = "this is not the token of this seat, or it was used before"
            return grpc.StatusCode.UNAUTHENTICATED, problem
        return grpc.StatusCode.OK, ""

    async def _write(self, context: _Context) -> None:
        """Send whatever there is, whenever there is something; the goodbye last.

        A stream that takes no more is no trouble here: whoever reads it finds out.
        """
        try:
            while True:
                await self._work.wait()
                self._work.clear()
                while (data := self._handler.take(self._seat)) is not None:
                    await context.write(data)
                if self._goodbye is not None:
                    await context.write(encode_response(Response(goodbye=self._goodbye)))
                    return
        except _GRPC_ERRORS:
            return
