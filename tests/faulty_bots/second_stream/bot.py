"""Opens a second stream with the same token, and is honest on the first."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import asyncio
import contextlib

import grpc
import grpc.aio
from faulty import ADDRESS, Stream


async def main() -> None:
    async with grpc.aio.insecure_channel(ADDRESS) as channel:
        stream = Stream(channel)
        await stream.hello()
        await stream.honest(await stream.hear() or ())
        second = Stream(channel)
        await second.hello()
        with contextlib.suppress(grpc.RpcError):
            await second.hear()
            raise AssertionError("a token can be used twice")
        await stream.play()


asyncio.run(main())
