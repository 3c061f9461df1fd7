"""What the faulty bots share: an honest bot, and a bare stream without the SDK's manners.

Bots find it by path, since each is started in a folder of its own.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Iterable

os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")

import grpc
import grpc.aio

from thousand import Bot, Play, View
from thousand.codec import decode_response, encode_request
from thousand.defaults import default_action
from thousand.messages import METHOD, SERVICE, Answer, Hello, Prompt, Request
from thousand.rules import Action, Bid, Decision
from thousand.v1 import bot_pb2, game_pb2

ADDRESS = os.environ["THOUSAND_ADDRESS"]
TOKEN = os.environ["THOUSAND_TOKEN"]
MOVE_SECONDS = 0.5
BANK_SECONDS = 1.0
"""The time for a decision, and for a game beyond that, in the matches these bots are for."""

FOREVER = 3600.0

_OPTIONS = (("grpc.default_authority", "localhost"), ("grpc.max_send_message_length", -1))


class HonestBot(Bot):
    """Plays the default action, always."""

    def play(self, view: View) -> Play:
        action = default_action(view)
        assert isinstance(action, Play)
        return action


class Stream:
    """A stream to the referee that says hello, and then whatever a bot wants to say."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._call = channel.stream_stream(f"/{SERVICE}/{METHOD}")()

    async def say(self, data: bytes) -> None:
        await self._call.write(data)

    async def hello(self, token: str = TOKEN, protocol: int = 1) -> None:
        await self.say(encode_request(Request(Hello(token, protocol))))

    async def answer(self, *answers: Answer) -> None:
        await self.say(encode_request(Request(answers=answers)))

    async def honest(self, prompts: Iterable[Prompt]) -> None:
        await self.answer(*(Answer(prompt.id, default_action(prompt.view)) for prompt in prompts))

    async def hear(self) -> tuple[Prompt, ...] | None:
        """Give the prompts of the next message; None when the match is over."""
        data = await self._call.read()
        if not isinstance(data, bytes):
            return None
        response = decode_response(data)
        return None if response.goodbye is not None else response.prompts

    async def hang_up(self) -> None:
        await self._call.done_writing()

    async def play(self) -> None:
        """Be honest until the match is over."""
        while (prompts := await self.hear()) is not None:
            if prompts:
                await self.honest(prompts)


def raw(talk: Callable[[Stream, list[Prompt]], object], *, times: int = 1) -> None:
    """Play honestly, but hand the first so many messages with prompts to `talk`.

    `talk` may be a coroutine function; it answers for itself.
    """
    asyncio.run(_raw(talk, times))


async def _raw(talk: Callable[[Stream, list[Prompt]], object], times: int) -> None:
    async with grpc.aio.insecure_channel(ADDRESS, options=_OPTIONS) as channel:
        stream = Stream(channel)
        await stream.hello()
        while (prompts := await stream.hear()) is not None:
            if not prompts:
                continue
            if times:
                times -= 1
                result = talk(stream, list(prompts))
                if asyncio.iscoroutine(result):
                    await result
            else:
                await stream.honest(prompts)


async def answer_badly(stream: Stream, prompts: list[Prompt], **fields: object) -> None:
    """Answer the first prompt field by field, as no decent library would; the rest well."""
    first, *rest = prompts
    given = {"prompt_id": first.id, "decision": int(first.view.decision), **fields}
    answer = game_pb2.Answer(**given)  # type: ignore[arg-type]
    await stream.say(bot_pb2.PlayRequest(answers=[answer]).SerializeToString())
    await stream.honest(rest)


def illegal(view: View) -> Action:
    """Give a well-formed action of the right kind that the rules forbid."""
    match view.decision:
        case Decision.BID:
            return Bid(5)
        case Decision.PLAY:
            return Play((view.unseen or view.played)[0])
        case _:
            return default_action(view)


def sleep_forever() -> None:
    while True:
        time.sleep(FOREVER)


async def never() -> None:
    await asyncio.sleep(FOREVER)
