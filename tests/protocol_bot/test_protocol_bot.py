"""sdk/PROTOCOL.md is enough: a bot that was written from it alone plays whole matches."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from match_maker import EXAMPLES, ROOT, bot, match_spec
from thousand.codec import decode_request, decode_response, encode_request, encode_response
from thousand.messages import Answer, Hello, Prompt, Request, Response, Welcome
from thousand.rules import Decision, Play
from thousand.testing import position
from thousand_referee.match import play_match

FOLDER = Path(__file__).parent


@pytest.mark.parametrize("tables", [1, 4])
def test_it_plays_without_a_fault(tmp_path: Path, tables: int) -> None:
    bots = (bot(FOLDER), bot(EXAMPLES / "cautious"), bot(EXAMPLES / "random"))
    summary = play_match(match_spec(tmp_path, *bots, games=4, tables=tables))
    assert len(summary.games) == 4
    for game in summary.games:
        assert game.faults == (0, 0, 0)
        assert game.out == ()
        assert game.asked[0] > 0
    outputs = [path.read_text() for path in (tmp_path / "output").rglob("0-*.log")]
    assert outputs == [""]


def test_it_does_not_use_the_sdk() -> None:
    text = (FOLDER / "bot.py").read_text()
    assert set(re.findall(r"^(?:import|from) (\S+)", text, re.MULTILINE)) == {
        "os", "queue", "collections.abc", "itertools", "typing", "grpc",
    }  # fmt: skip
    assert len(text.splitlines()) < 100


PAGE = (ROOT / "sdk" / "PROTOCOL.md").read_text()
VIEW = position(
    Decision.PLAY,
    "9S KS TS QC AC QH KH",
    played="AS JS QS",
    contract=120,
    talon="9S TS JD",
    gifts="JD 9C",
)._replace(bank_ms=10_000)


def example(name: str) -> bytes:
    """Give the bytes of an example on the page: hexadecimal pairs at the start of each line."""
    block = re.search(rf"^```{name}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert block is not None
    lines = (re.match(r" *((?:[0-9a-f]{2} {1,2})+)", line) for line in block[1].splitlines())
    return b"".join(bytes.fromhex(line[1]) for line in lines if line is not None)


def test_the_examples_of_what_a_bot_says() -> None:
    for name, request in {
        "hello": Request(Hello("s3cret", software="my bot")),
        "answer": Request(answers=(Answer(7, Play(VIEW.announceable[0], announce=True)),)),
    }.items():
        assert example(name) == encode_request(request), name
        assert decode_request(example(name)) == request


def test_the_examples_of_what_the_referee_says() -> None:
    for name, response in {
        "welcome": Response(Welcome(20, 4, 1000, 10_000, b"\1\2\3\4")),
        "prompt": Response(prompts=(Prompt(7, VIEW),)),
        "goodbye": Response(goodbye="bye"),
    }.items():
        assert example(name) == encode_response(response), name
        assert decode_response(example(name)) == response
