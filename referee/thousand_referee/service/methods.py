"""The methods of the arena service, as its descriptor has them: for both ends of a call.

With the descriptor at hand no generated stubs are needed, and a new method can't be
forgotten anywhere: `access` and the server both look for each of them.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

# Forking after gRPC was used hangs; this must be set before grpc is imported.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")

import grpc
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from thousand.v1 import arena_pb2

SERVICE: Final = "thousand.v1.ArenaService"
CHUNK_BYTES: Final = 64 * 1024
"""Bytes of an archive or a log in one message."""


@dataclass(frozen=True, slots=True)
class Method:
    """One method: which way it streams, and its messages."""

    name: str
    client_streams: bool
    server_streams: bool
    request: type[Message]
    response: type[Message]

    @property
    def path(self) -> str:
        """What gRPC calls it."""
        return f"/{SERVICE}/{self.name}"

    def handler(self, behavior: Callable[..., Any]) -> grpc.RpcMethodHandler[Any, Any]:
        """Make what a server needs to serve it."""
        make: Any = getattr(grpc, f"{self._kind}_rpc_method_handler")
        handler: grpc.RpcMethodHandler[Any, Any] = make(
            behavior,
            request_deserializer=self.request.FromString,
            response_serializer=self.response.SerializeToString,
        )
        return handler

    def call(self, channel: grpc.Channel) -> Callable[..., Any]:
        """Make what a client calls."""
        make: Any = getattr(channel, self._kind)
        call: Callable[..., Any] = make(
            self.path,
            request_serializer=self.request.SerializeToString,
            response_deserializer=self.response.FromString,
        )
        return call

    @property
    def _kind(self) -> str:
        sides = (self.client_streams, self.server_streams)
        return "_".join("stream" if streams else "unary" for streams in sides)


def _all_methods() -> dict[str, Method]:
    service = arena_pb2.DESCRIPTOR.services_by_name["ArenaService"]
    return {
        method.name: Method(
            method.name,
            method.client_streaming,
            method.server_streaming,
            GetMessageClass(method.input_type),
            GetMessageClass(method.output_type),
        )
        for method in service.methods
    }


METHODS: Final = _all_methods()
"""All methods by name."""
