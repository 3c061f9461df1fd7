"""What bots say: a hello, then answers."""

from __future__ import annotations

from typing import Final

from google.protobuf.message import DecodeError

from thousand.cards import CARDS
from thousand.errors import MalformedMessage
from thousand.messages import Answer, BadAnswer, Hello, Request
from thousand.rules import Action, Bid, Decision, Give, Play, Raise
from thousand.v1 import bot_pb2, game_pb2

_DECISIONS: Final = {int(decision): decision for decision in Decision}


def encode_request(request: Request) -> bytes:
    """Write a bot's message. A `BadAnswer` is only ever read: ValueError for one."""
    message = bot_pb2.PlayRequest(answers=[_answer_message(answer) for answer in request.answers])
    if request.hello is not None:
        hello = request.hello
        message.hello.token = hello.token
        message.hello.protocol = hello.protocol
        message.hello.software = hello.software
    return message.SerializeToString()


def decode_request(data: bytes) -> Request:
    """Read a bot's message; `MalformedMessage` if it is not one.

    A single answer that can't be read becomes a `BadAnswer`.
    """
    try:
        message = bot_pb2.PlayRequest.FromString(data)
    except DecodeError as error:
        raise MalformedMessage(f"{len(data)} bytes that are no PlayRequest") from error
    hello = None
    if message.HasField("hello"):
        hello = Hello(message.hello.token, message.hello.protocol, message.hello.software)
    return Request(hello, tuple([_read_answer(answer) for answer in message.answers]))


def _answer_message(answer: Answer | BadAnswer) -> game_pb2.Answer:
    if isinstance(answer, BadAnswer):
        raise ValueError(f"a bad answer can't be written: {answer.problem}")
    match answer.action:
        case Play(card, announce):
            return game_pb2.Answer(
                prompt_id=answer.prompt_id,
                decision=game_pb2.DECISION_PLAY,
                cards=bytes((card,)),
                announce=announce,
            )
        case Bid(amount):
            return game_pb2.Answer(
                prompt_id=answer.prompt_id, decision=game_pb2.DECISION_BID, amount=amount or 0
            )
        case Give(to_left, to_right):
            return game_pb2.Answer(
                prompt_id=answer.prompt_id,
                decision=game_pb2.DECISION_GIVE,
                cards=bytes((to_left, to_right)),
            )
        case Raise(amount):
            return game_pb2.Answer(
                prompt_id=answer.prompt_id, decision=game_pb2.DECISION_RAISE, amount=amount
            )


def _read_answer(message: game_pb2.Answer) -> Answer | BadAnswer:
    decision = _DECISIONS.get(message.decision)
    if decision is None:
        return BadAnswer(message.prompt_id, f"unknown decision {message.decision}")
    if decision is Decision.BID:
        return Answer(message.prompt_id, Bid(message.amount or None))
    if decision is Decision.RAISE:
        return Answer(message.prompt_id, Raise(message.amount))
    numbers = message.cards
    wanted = 1 if decision is Decision.PLAY else 2
    if len(numbers) != wanted or max(numbers) > 23:
        return BadAnswer(
            message.prompt_id,
            f"{decision.name} needs {wanted} card number{'s' * (wanted > 1)} from 0 to 23, "
            f"not {list(numbers[:8])}",
        )
    action: Action
    if decision is Decision.PLAY:
        action = Play.of(CARDS[numbers[0]], announce=message.announce)
    else:
        action = Give(CARDS[numbers[0]], CARDS[numbers[1]])
    return Answer(message.prompt_id, action)
