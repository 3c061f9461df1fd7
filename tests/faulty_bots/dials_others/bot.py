"""Dials every socket it can find with its own token, and is honest otherwise."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import asyncio
import contextlib

import grpc
import grpc.aio
from faulty import ADDRESS, Stream


async def dial(address: str) -> None:
    """Show the own token at another seat's socket."""
    async with grpc.aio.insecure_channel(address) as channel:
        stream = Stream(channel)
        with contextlib.suppress(grpc.RpcError):
            await stream.hello()
            await stream.hear()
            raise AssertionError(f"{address} takes the token of another seat")


async def main() -> None:
    own = Path(ADDRESS.removeprefix("unix:"))
    async with grpc.aio.insecure_channel(ADDRESS) as channel:
        stream = Stream(channel)
        await stream.hello()
        await stream.honest(await stream.hear() or ())
        others = [path for path in own.parent.glob("*.sock") if path != own]
        print("other sockets", len(others))
        for path in others:
            await asyncio.wait_for(dial(f"unix:{path}"), 5)
        await stream.play()


asyncio.run(main())
