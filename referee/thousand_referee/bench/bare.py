"""A bare gRPC stream: the very same message bytes between as many processes, and no more.

Run as a script it is the other end: it reads what a bot read, and writes what it wrote.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")

import grpc
import grpc.aio

from thousand.messages import METHOD, SERVICE
from thousand_referee.bench.full import Talk
from thousand_referee.sockets import socket_folder

_Context = grpc.aio.ServicerContext[bytes, bytes]


@dataclass(frozen=True, slots=True)
class BareFigures:
    """The bare stream: seconds from the last bot's arrival on, and processor seconds."""

    seconds: float
    server_seconds: float


def measure_bare(talks: Sequence[Talk]) -> BareFigures:
    """Exchange a match's messages with a process for each seat, in each seat's order."""
    with socket_folder() as sockets, tempfile.TemporaryDirectory() as name:
        return asyncio.run(_serve(talks, sockets, Path(name)))


async def _serve(talks: Sequence[Talk], sockets: Path, folder: Path) -> BareFigures:
    everyone = asyncio.Barrier(3)
    began: list[tuple[float, float]] = []

    async def stream(seat: int, context: _Context) -> None:
        await context.read()
        await everyone.wait()
        began.append((time.perf_counter(), time.process_time()))
        for is_sent, data in talks[seat]:
            if is_sent:
                await context.write(data)
            else:
                await context.read()

    servers = []
    for seat in range(3):
        server = grpc.aio.server()
        server.add_generic_rpc_handlers((_handler(seat, stream),))
        server.add_insecure_port(f"unix:{sockets}/{seat}.sock")
        await server.start()
        servers.append(server)
    processes = []
    for seat, talk in enumerate(talks):
        file = folder / f"{seat}.talk"
        file.write_bytes(pickle.dumps(talk))
        address = f"unix:{sockets}/{seat}.sock"
        processes.append(
            subprocess.Popen(  # noqa: ASYNC220 - nothing else runs yet
                [sys.executable, __file__, address, str(file)]
            )
        )
    for process in processes:
        await asyncio.to_thread(process.wait)
    seconds = time.perf_counter() - began[0][0]
    processor = time.process_time() - began[0][1]
    for server in servers:
        await server.stop(None)
    return BareFigures(seconds, processor)


def _handler(seat: int, stream: object) -> grpc.GenericRpcHandler:
    async def play(_: AsyncIterator[bytes], context: _Context) -> None:
        await stream(seat, context)  # type: ignore[operator]

    return grpc.method_handlers_generic_handler(
        SERVICE, {METHOD: grpc.stream_stream_rpc_method_handler(play)}
    )


async def _reply(address: str, talk: Talk) -> None:
    """Be the other end of one stream."""
    options = (("grpc.default_authority", "localhost"),)
    async with grpc.aio.insecure_channel(address, options=options) as channel:
        call: grpc.aio.StreamStreamCall[bytes, bytes] = channel.stream_stream(
            f"/{SERVICE}/{METHOD}"
        )()
        await call.write(b"hello")
        for is_sent, data in talk:
            if is_sent:
                await call.read()
            else:
                await call.write(data)
        await call.done_writing()


if __name__ == "__main__":
    asyncio.run(_reply(sys.argv[1], pickle.loads(Path(sys.argv[2]).read_bytes())))
