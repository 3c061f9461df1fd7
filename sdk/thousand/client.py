"""The connection of a bot process to the referee that started it."""

from __future__ import annotations

import asyncio
import os
import sys
import time
import traceback
from collections.abc import Sequence
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from types import TracebackType
from typing import Final

# Forking after gRPC was used hangs; this must be set before grpc is imported.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")

import grpc
import grpc.aio

from thousand.bot import Bot
from thousand.codec import ResponseReader, encode_request
from thousand.errors import MalformedMessage, NoReferee
from thousand.messages import METHOD, SERVICE, Answer, Hello, Request, Response
from thousand.player import Player

ADDRESS_VARIABLE: Final = "THOUSAND_ADDRESS"
TOKEN_VARIABLE: Final = "THOUSAND_TOKEN"
FLUSH_SECONDS: Final = 0.005
"""Answers that are ready wait for others no longer than this, and the decision at hand."""
FINISH_SECONDS: Final = 0.5
"""The referee has this long to close the stream after the bot did."""

_OPTIONS: Final = (
    ("grpc.default_authority", "localhost"),
    ("grpc.enable_http_proxy", 0),
    ("grpc.initial_reconnect_backoff_ms", 50),
    ("grpc.max_reconnect_backoff_ms", 200),
    ("grpc.max_receive_message_length", 16 * 1024 * 1024),
)
_NOT_THE_AUTHORS: Final = ("thousand", "asyncio")
_BROKEN: Final = (grpc.aio.AioRpcError, asyncio.InvalidStateError)


def main(bot_class: type[Bot]) -> None:
    """Play the match this process was started for, and exit."""
    address, token = os.environ.get(ADDRESS_VARIABLE), os.environ.get(TOKEN_VARIABLE)
    if not address or not token:
        print(
            f"{ADDRESS_VARIABLE} and {TOKEN_VARIABLE} are not set: a bot is started by the "
            "arena. Try: thousand match FOLDER FOLDER FOLDER",
            file=sys.stderr,
        )
        sys.exit(2)
    try:
        asyncio.run(play_match(bot_class, address, token))
    except (NoReferee, MalformedMessage) as error:
        print(error, file=sys.stderr)
        sys.exit(1)
    except Exception as error:  # noqa: BLE001 - the author's code may raise anything
        traceback.print_exception(error.with_traceback(_authors_part(error.__traceback__)))
        sys.exit(1)
    sys.exit(0)


async def play_match(bot_class: type[Bot], address: str, token: str) -> None:
    """Play one match over one stream, to the referee's goodbye.

    `NoReferee` if the stream can't be had or breaks, `MalformedMessage` if what comes
    is not the protocol; what the bot raises is passed on. There is no second try: the
    referee decides about restarts.
    """
    player = Player(bot_class)
    async with grpc.aio.insecure_channel(address, options=_OPTIONS) as channel:
        line = _Line(channel, address)
        await line.send(Request(Hello(token, software=_software())))
        goodbye = None
        while goodbye is None:
            response = await line.receive()
            await _answer(line, player, response)
            goodbye = response.goodbye
        await line.finish()


class _Line:
    """The stream to the referee. Every method raises `NoReferee` once it is broken."""

    def __init__(self, channel: grpc.aio.Channel, address: str) -> None:
        self._call: grpc.aio.StreamStreamCall[bytes, bytes] = channel.stream_stream(
            f"/{SERVICE}/{METHOD}"
        )()
        self._address = address
        self._reader = ResponseReader()
        self._is_up = False

    async def send(self, request: Request) -> None:
        """Send a message."""
        try:
            await self._call.write(encode_request(request))
        except _BROKEN:
            raise NoReferee(await self._how_it_broke()) from None

    async def send_answers(self, answers: Sequence[Answer]) -> None:
        """Send answers in one message, if there are any."""
        if answers:
            await self.send(Request(answers=tuple(answers)))

    async def receive(self) -> Response:
        """Wait for the next message; `MalformedMessage` when it is none."""
        try:
            data = await self._call.read()
        except _BROKEN:
            raise NoReferee(await self._how_it_broke()) from None
        if not isinstance(data, bytes):
            raise NoReferee(await self._how_it_broke())
        self._is_up = True
        return self._reader.read(data)

    async def finish(self) -> None:
        """Say that no more messages will come, and see that all have left."""
        try:
            await self._call.done_writing()
            await asyncio.wait_for(self._call.code(), FINISH_SECONDS)
        except _BROKEN:
            raise NoReferee(await self._how_it_broke()) from None
        except TimeoutError:
            return

    async def _how_it_broke(self) -> str:
        """Describe the end of the stream in one line."""
        code = await self._call.code()
        reason = " ".join((await self._call.details()).split())
        if self._is_up:
            what = "the referee hung up before the match was over"
        elif code is grpc.StatusCode.UNAVAILABLE:
            what = f"can't reach the referee at {self._address}"
        else:
            what = f"the referee at {self._address} turned this bot away"
        return f"{what}: {reason}" if reason else what


async def _answer(line: _Line, player: Player, response: Response) -> None:
    """Send the answers to a message in order, when all are there or `FLUSH_SECONDS` passed."""
    answers: list[Answer] = []
    flushed = time.monotonic()
    try:
        for answer in player.receive(response):
            answers.append(answer)
            if time.monotonic() - flushed > FLUSH_SECONDS:
                await line.send_answers(answers)
                answers.clear()
                flushed = time.monotonic()
    except BaseException:
        # What was decided before the bot failed still counts, and must not hide how.
        with suppress(NoReferee):
            await line.send_answers(answers)
            await line.finish()
        raise
    await line.send_answers(answers)


def _authors_part(whole: TracebackType | None) -> TracebackType | None:
    """Leave out how the SDK came to call the bot; nothing if the bot was not called."""
    part = whole
    while part is not None:
        if part.tb_frame.f_globals.get("__name__", "").partition(".")[0] not in _NOT_THE_AUTHORS:
            return part
        part = part.tb_next
    return whole


def _software() -> str:
    try:
        return f"thousand-arena {version('thousand-arena')}"
    except PackageNotFoundError:
        return "thousand-arena"
