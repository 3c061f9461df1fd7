"""The other end: calls to an arena server, for the command line.

Everything a call can go wrong with is a `ServiceError`, with the server's own sentence.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final, Self

# What gRPC would print of a failed handshake, an error of ours says better.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")

from thousand_referee.service.methods import CHUNK_BYTES, METHODS  # before grpc

# isort: split

import grpc
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

from thousand.v1 import arena_pb2 as pb
from thousand_referee.bots import read_bot
from thousand_referee.errors import ConfigError
from thousand_referee.service.config import split_address
from thousand_referee.service.statuses import error_of
from thousand_referee.service.unpacking import pack

CALL_SECONDS: Final = 60.0
"""A call that isn't answered by then has failed; streams have no such limit."""

_OPTIONS: Final = (("grpc.max_receive_message_length", 16 << 20), ("grpc.enable_http_proxy", 0))


class ArenaClient:
    """A connection to an arena server, with a user's token."""

    def __init__(self, server: str, token: str, ca: Path | None = None, *, tls: bool) -> None:
        if split_address(server) is None:
            raise ConfigError(
                f"--server: expected HOST:PORT, as in arena.example:7800, got {server!r}; it is "
                "where the server says authors are, not the address of a page"
            )
        self._server = server
        self._metadata = (("authorization", f"Bearer {token}"),)
        if tls:
            self._channel = grpc.secure_channel(server, _credentials(ca), options=_OPTIONS)
        else:
            self._channel = grpc.insecure_channel(server, options=_OPTIONS)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._channel.close()

    def call(self, method: str, request: Any) -> Any:
        """Call a method that gives one response; ServiceError if it gives none."""
        call = METHODS[method].call(self._channel)
        with self._translated():
            return call(request, metadata=self._metadata, timeout=CALL_SECONDS)

    def stream(self, method: str, request: Message) -> Iterator[Any]:
        """Call a method that gives many responses."""
        call = METHODS[method].call(self._channel)
        with self._translated():
            yield from call(request, metadata=self._metadata)

    def submit(
        self, folder: Path, tournament: str = "", told: Callable[[int, int], None] | None = None
    ) -> pb.SubmitBotResponse:
        """Send a bot's folder; `told` gets the bytes sent so far, and of how many.

        ConfigError for a folder that is no bot's.
        """
        bot = read_bot(folder, in_container=True)
        with tempfile.TemporaryFile() as archive:
            pack(folder, archive)
            size = archive.tell()
            archive.seek(0)
            digest = sha256(archive.read()).digest()
            archive.seek(0)
            about = pb.SubmittedBot(
                name=bot.name, archive_sha256=digest, archive_bytes=size, tournament=tournament
            )
            call = METHODS["SubmitBot"].call(self._channel)
            with self._translated():
                response: pb.SubmitBotResponse = call(
                    _requests(about, archive, size, told), metadata=self._metadata
                )
                return response

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except grpc.RpcError as error:
            raise error_of(error, self._server) from None


def plain(message: Message) -> dict[str, Any]:
    """Give a message as plain values for JSON, every field under its name in the protocol."""
    values: dict[str, Any] = MessageToDict(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
    return values


def _requests(
    about: pb.SubmittedBot,
    archive: IO[bytes],
    size: int,
    told: Callable[[int, int], None] | None,
) -> Iterator[pb.SubmitBotRequest]:
    yield pb.SubmitBotRequest(bot=about)
    sent = 0
    while chunk := archive.read(CHUNK_BYTES):
        yield pb.SubmitBotRequest(chunk=chunk)
        sent += len(chunk)
        if told is not None:
            told(sent, size)


def _credentials(ca: Path | None) -> grpc.ChannelCredentials:
    if ca is None:
        return grpc.ssl_channel_credentials()
    try:
        return grpc.ssl_channel_credentials(ca.read_bytes())
    except OSError as error:
        raise ConfigError(f"--ca: {ca}: can't be read ({error.strerror}); check the path") from None
