"""A bot's process against a referee that follows a script: what is sent, how it ends."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

import grpc
import grpc.aio
import pytest

from thousand.client import ADDRESS_VARIABLE, TOKEN_VARIABLE
from thousand.codec import decode_request, encode_response
from thousand.messages import (
    METHOD,
    SERVICE,
    Answer,
    GameEnd,
    GameStart,
    Hello,
    Prompt,
    Request,
    Response,
    Welcome,
)
from thousand.rules import Decision, Play
from thousand.testing import position

WELCOME = Response(Welcome(games=1, tables=1, move_ms=1000, bank_ms=0, seed=b"seed"))
GOODBYE = Response(goodbye="the match is over")
VIEW = position(Decision.PLAY, "AS TS KS QS 9H JH 9C TC")
FIRST = Play(VIEW.cards[0])

BOT = """
import os, sys, time
from thousand import Bot, run

class MyBot(Bot):
    played = 0

    def play(self, view):
        self.played += 1
        {play}
        return view.cards[0]

run(MyBot)
"""


class Stream:
    """The referee's end of the stream."""

    def __init__(self, context: grpc.aio.ServicerContext[bytes, bytes]) -> None:
        self.context = context

    async def hear(self) -> Request:
        data = await self.context.read()
        assert isinstance(data, bytes), "the bot hung up"
        return decode_request(data)

    async def has_ended(self) -> bool:
        """Whether the bot says no more."""
        return not isinstance(await self.context.read(), bytes)

    async def hear_answers(self, count: int) -> list[Request]:
        """Hear messages until so many answers have come."""
        requests: list[Request] = []
        while sum(len(request.answers) for request in requests) < count:
            requests.append(await self.hear())
        return requests

    async def say(self, *responses: Response) -> None:
        for response in responses:
            await self.context.write(encode_response(response))


Script: TypeAlias = Callable[[Stream], Awaitable[None]]


@dataclass
class Ended:
    """How a bot's process ended."""

    status: int
    output: str
    errors: str
    address: str = field(repr=False)


@asynccontextmanager
async def serving(script: Script, failures: list[BaseException]) -> AsyncIterator[str]:
    """Serve a script on a socket; give its address."""

    async def serve(_: object, context: grpc.aio.ServicerContext[bytes, bytes]) -> None:
        try:
            await script(Stream(context))
        except AssertionError as error:
            failures.append(error)

    server = grpc.aio.server()
    handler: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(serve)
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler(SERVICE, {METHOD: handler}),)
    )
    with tempfile.TemporaryDirectory(prefix="thousand-") as folder:
        address = f"unix:{folder}/socket"
        server.add_insecure_port(address)
        await server.start()
        try:
            yield address
        finally:
            await server.stop(None)


async def run_process(file: Path, environment: dict[str, str]) -> tuple[int, str, str]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-W", "error", str(file)),
        env={"PATH": os.environ["PATH"], **environment},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    output, errors = await process.communicate()
    assert process.returncode is not None
    return process.returncode, output.decode(), errors.decode()


def run_bot(folder: Path, script: Script, *, play: str = "pass") -> Ended:
    """Run a bot with this line in its `play` against a script, to its end."""
    file = folder / "bot.py"
    file.write_text(BOT.format(play=play))

    async def run() -> Ended:
        failures: list[BaseException] = []
        async with serving(script, failures) as address:
            environment = {ADDRESS_VARIABLE: address, TOKEN_VARIABLE: "a token"}
            ended = Ended(*await run_process(file, environment), address)
        if failures:
            raise failures[0]
        return ended

    return asyncio.run(run())


def prompts(count: int) -> Response:
    return Response(prompts=tuple(Prompt(number, VIEW) for number in range(1, count + 1)))


async def play_to_the_end(stream: Stream) -> None:
    """Ask one thing, and say goodbye."""
    await stream.hear()
    await stream.say(WELCOME, prompts(1))
    assert await stream.hear() == Request(answers=(Answer(1, FIRST),))
    await stream.say(GOODBYE)


def test_a_whole_match(tmp_path: Path) -> None:
    heard: list[Request] = []

    async def script(stream: Stream) -> None:
        heard.append(await stream.hear())
        await stream.say(WELCOME, Response(notices=(GameStart(0),)), prompts(2))
        heard.extend(await stream.hear_answers(2))
        await stream.say(Response(notices=(GameEnd(0, (1, 2, 3), (1000, 0, 5)),)), GOODBYE)
        assert await stream.has_ended()

    ended = run_bot(tmp_path, script)
    assert (ended.status, ended.output, ended.errors) == (0, "", "")
    hello, answers = heard
    assert hello.hello is not None
    assert hello.hello == Hello("a token", 1, hello.hello.software)
    assert hello.hello.software.startswith("thousand-arena")
    assert hello.answers == ()
    assert answers == Request(answers=(Answer(1, FIRST), Answer(2, FIRST)))


def test_many_quick_answers_share_a_message(tmp_path: Path) -> None:
    heard: list[Request] = []

    async def script(stream: Stream) -> None:
        await stream.hear()
        await stream.say(WELCOME, prompts(32))
        heard.extend(await stream.hear_answers(32))
        await stream.say(GOODBYE)

    assert run_bot(tmp_path, script).status == 0
    assert len(heard) < 10, "one, unless the machine is very slow"


@pytest.mark.parametrize("wait", ["time.sleep(0.001)", "pass"])
def test_a_slow_answer_leaves_while_the_bot_works_on_the_next(tmp_path: Path, wait: str) -> None:
    """The bot decides again only when the referee has heard the answer before."""

    async def script(stream: Stream) -> None:
        await stream.hear()
        await stream.say(WELCOME, prompts(3))
        for number in (1, 2, 3):
            assert await stream.hear() == Request(answers=(Answer(number, FIRST),))
            (tmp_path / f"heard {number}").touch()
        await stream.say(GOODBYE)

    play = f"""time.sleep(0.01)
        while self.played > 1 and not os.path.exists(f"{tmp_path}/heard {{self.played - 1}}"):
            {wait}"""
    ended = run_bot(tmp_path, script, play=play)
    assert (ended.status, ended.errors) == (0, "")


def test_a_bot_may_print(tmp_path: Path) -> None:
    ended = run_bot(tmp_path, play_to_the_end, play="print('hm', view.hand[0])")
    assert (ended.status, ended.output, ended.errors) == (0, "hm QS\n", "")


@pytest.mark.parametrize("count", [1, 3])
def test_a_bot_that_fails(tmp_path: Path, count: int) -> None:
    """Its traceback says what it was asked, and what it decided before still counts."""
    heard: list[Request] = []

    async def script(stream: Stream) -> None:
        await stream.hear()
        await stream.say(WELCOME, prompts(count))
        heard.extend(await stream.hear_answers(count - 1))
        assert await stream.has_ended()

    ended = run_bot(tmp_path, script, play=f"if self.played == {count}: 1 / 0")
    assert ended.status == 1
    assert sum(len(request.answers) for request in heard) == count - 1
    lines = ended.errors.splitlines()
    assert lines[0] == "Traceback (most recent call last):"
    assert "bot.py" in lines[1], "the author's code comes first"
    assert lines[1].endswith("in play")
    assert lines[-2] == "ZeroDivisionError: division by zero"
    assert lines[-1] == f"The bot was asked to play: {VIEW}"


def test_a_bot_that_fails_when_the_referee_is_gone(tmp_path: Path) -> None:
    """The bot's own trouble is shown, not that of the connection."""

    async def script(stream: Stream) -> None:
        await stream.hear()
        await stream.say(WELCOME, prompts(2))

    ended = run_bot(tmp_path, script, play="time.sleep(0.2)\n        1 / 0")
    assert ended.status == 1
    assert "ZeroDivisionError" in ended.errors
    assert "NoReferee" not in ended.errors


def test_a_bot_that_returns_nonsense(tmp_path: Path) -> None:
    async def script(stream: Stream) -> None:
        await stream.hear()
        await stream.say(WELCOME, prompts(1))
        assert await stream.has_ended()

    ended = run_bot(tmp_path, script, play="return 'AS'")
    assert ended.status == 1
    assert "TypeError: MyBot.play must return a Card or a Play, not 'AS'" in ended.errors
    assert "in decide" in ended.errors, "nothing is left out where no author's code was running"


def test_a_bot_that_exits(tmp_path: Path) -> None:
    heard: list[Request] = []

    async def script(stream: Stream) -> None:
        await stream.hear()
        await stream.say(WELCOME, prompts(2))
        heard.append(await stream.hear())

    ended = run_bot(tmp_path, script, play="if self.played == 2: sys.exit(3)")
    assert (ended.status, ended.errors) == (3, "")
    assert heard == [Request(answers=(Answer(1, FIRST),))]


def test_a_referee_that_hangs_up(tmp_path: Path) -> None:
    async def script(stream: Stream) -> None:
        await stream.hear()
        await stream.say(WELCOME)

    ended = run_bot(tmp_path, script)
    assert ended.status == 1
    assert ended.errors == "the referee hung up before the match was over\n"


def test_a_referee_that_cuts_the_line(tmp_path: Path) -> None:
    async def script(stream: Stream) -> None:
        await stream.hear()
        await stream.say(WELCOME)
        await stream.context.abort(grpc.StatusCode.ABORTED, "two\nlines")

    ended = run_bot(tmp_path, script)
    assert ended.status == 1
    assert ended.errors == "the referee hung up before the match was over: two lines\n"


def test_a_referee_that_does_not_know_the_token(tmp_path: Path) -> None:
    async def script(stream: Stream) -> None:
        await stream.hear()
        await stream.context.abort(grpc.StatusCode.UNAUTHENTICATED, "this is not the token")

    ended = run_bot(tmp_path, script)
    assert ended.status == 1
    expected = f"the referee at {ended.address} turned this bot away: this is not the token\n"
    assert ended.errors == expected


def test_a_referee_that_speaks_another_language(tmp_path: Path) -> None:
    async def script(stream: Stream) -> None:
        await stream.hear()
        await stream.context.write(b"\xff\xff\xff")
        await stream.context.read()

    ended = run_bot(tmp_path, script)
    assert ended.status == 1
    assert ended.errors == "3 bytes that are no PlayResponse\n"


def test_no_referee_at_the_address(tmp_path: Path) -> None:
    file = tmp_path / "bot.py"
    file.write_text(BOT.format(play="pass"))
    environment = {ADDRESS_VARIABLE: "unix:/nowhere/socket", TOKEN_VARIABLE: "a token"}
    status, _, errors = asyncio.run(run_process(file, environment))
    assert status == 1
    assert errors.startswith("can't reach the referee at unix:/nowhere/socket: ")
    assert errors.count("\n") == 1


@pytest.mark.parametrize("environment", [{}, {ADDRESS_VARIABLE: "unix:x"}, {TOKEN_VARIABLE: "x"}])
def test_a_bot_that_no_arena_started(tmp_path: Path, environment: dict[str, str]) -> None:
    file = tmp_path / "bot.py"
    file.write_text(BOT.format(play="pass"))
    status, output, errors = asyncio.run(run_process(file, environment))
    assert (status, output) == (2, "")
    assert errors == (
        "THOUSAND_ADDRESS and THOUSAND_TOKEN are not set: a bot is started by the arena. "
        "Try: thousand match FOLDER FOLDER FOLDER\n"
    )
