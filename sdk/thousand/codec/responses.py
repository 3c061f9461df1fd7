"""What the referee says: a welcome, then notices and prompts, a goodbye in the end."""

from __future__ import annotations

from google.protobuf.message import DecodeError

from thousand.codec.notices import notice_field, read_notice
from thousand.codec.prompts import PromptReader, PromptWriter
from thousand.errors import MalformedMessage
from thousand.messages import Response, Welcome
from thousand.v1 import bot_pb2


def encode_response(response: Response) -> bytes:
    """Write a single message of a referee."""
    return ResponseWriter().write(response)


def decode_response(data: bytes) -> Response:
    """Read a single message of a referee; `MalformedMessage` if it is not one."""
    return ResponseReader().read(data)


class ResponseWriter:
    """Writes a referee's messages, one after the other, to one seat.

    It relies on the same as `ResponseReader`.
    """

    def __init__(self) -> None:
        self._prompts = PromptWriter()

    def write(self, response: Response) -> bytes:
        """Write the next message: field after field, each by whoever knows it."""
        self._prompts.staying.hear(response.notices)
        fields = []
        if response.welcome is not None:
            fields.append(_welcome_message(response.welcome).SerializeToString())
        fields += map(notice_field, response.notices)
        fields += map(self._prompts.field, response.prompts)
        if response.goodbye is not None:
            goodbye = bot_pb2.Goodbye(reason=response.goodbye)
            fields.append(bot_pb2.PlayResponse(goodbye=goodbye).SerializeToString())
        return b"".join(fields)


def _welcome_message(welcome: Welcome) -> bot_pb2.PlayResponse:
    return bot_pb2.PlayResponse(
        welcome=bot_pb2.Welcome(
            games=welcome.games,
            tables=welcome.tables,
            move_ms=welcome.move_ms,
            bank_ms=welcome.bank_ms,
            seed=welcome.seed,
        )
    )


class ResponseReader:
    """Reads a referee's messages, one after the other, to one seat.

    It relies on what is true of any game, from its start or end to the next: dealer, scores
    and barrel stay for a deal; auction, talon and gifts stay once cards are played.
    """

    def __init__(self) -> None:
        self._prompts = PromptReader()

    def read(self, data: bytes) -> Response:
        """Read the next message; `MalformedMessage` if it is not one."""
        try:
            message = bot_pb2.PlayResponse.FromString(data)
        except DecodeError as error:
            raise MalformedMessage(f"{len(data)} bytes that are no PlayResponse") from error
        welcome = None
        if message.HasField("welcome"):
            sent = message.welcome
            welcome = Welcome(sent.games, sent.tables, sent.move_ms, sent.bank_ms, sent.seed)
        try:
            notices = tuple([read_notice(notice) for notice in message.notices])
            self._prompts.staying.hear(notices)
            prompts = tuple([self._prompts.read(prompt) for prompt in message.prompts])
        except (LookupError, ValueError) as error:
            raise MalformedMessage(f"a PlayResponse with an unknown value: {error}") from error
        goodbye = message.goodbye.reason if message.HasField("goodbye") else None
        return Response(welcome, notices, prompts, goodbye)
