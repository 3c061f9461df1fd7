"""The connection of a bot process to the referee that started it."""

from __future__ import annotations

import asyncio
import os
import sys
import time
import traceback
from typing import Final

# Forking after gRPC was used hangs; this must be set before grpc is imported.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")

import grpc
import grpc.aio

from thousand.bot import Bot
from thousand.codec import decode_response, encode_request
from thousand.errors import NoReferee
from thousand.messages import METHOD, SERVICE, Answer, Hello, Request
from thousand.player import Player

ADDRESS_VARIABLE: Final = "THOUSAND_ADDRESS"
TOKEN_VARIABLE: Final = "THOUSAND_TOKEN"
FLUSH_SECONDS: Final = 0.005
"""Answers wait at most this long for others to share their message."""

_OPTIONS: Final = (
    ("grpc.default_authority", "localhost"),
    ("grpc.enable_http_proxy", 0),
    ("grpc.initial_reconnect_backoff_ms", 50),
    ("grpc.max_reconnect_backoff_ms", 200),
    ("grpc.max_receive_message_length", 16 * 1024 * 1024),
)


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
    except NoReferee as error:
        print(error, file=sys.stderr)
        sys.exit(1)
    except Exception:  # noqa: BLE001 - the author's code may raise anything
        traceback.print_exc()
        sys.exit(1)
    sys.exit(0)


async def play_match(bot_class: type[Bot], address: str, token: str) -> None:
    """Play one match over one stream; `NoReferee` if that can't be had or breaks.

    Answers are sent in order, when all prompts at hand are answered or after
    `FLUSH_SECONDS`. There is no second try: the referee decides about restarts.
    """
    player = Player(bot_class)
    async with grpc.aio.insecure_channel(address, options=_OPTIONS) as channel:
        call: grpc.aio.StreamStreamCall[bytes, bytes] = channel.stream_stream(
            f"/{SERVICE}/{METHOD}"
        )()
        try:
            await call.write(encode_request(Request(Hello(token, software=_software()))))
            while isinstance(data := await call.read(), bytes):
                response = decode_response(data)
                answers: list[Answer] = []
                flushed = time.monotonic()
                try:
                    for answer in player.receive(response):
                        answers.append(answer)
                        if time.monotonic() - flushed > FLUSH_SECONDS:
                            await call.write(encode_request(Request(answers=tuple(answers))))
                            answers.clear()
                            flushed = time.monotonic()
                finally:
                    if answers:
                        await call.write(encode_request(Request(answers=tuple(answers))))
                if response.goodbye is not None:
                    await call.done_writing()
                    return
            raise NoReferee(f"the referee closed the stream: {await call.details()}")
        except grpc.aio.AioRpcError as error:
            raise NoReferee(f"no referee at {address}: {error.details()}") from error
        except asyncio.InvalidStateError as error:
            raise NoReferee("the referee ended the call") from error


def _software() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return f"thousand-arena {version('thousand-arena')}"
    except PackageNotFoundError:
        return "thousand-arena"
