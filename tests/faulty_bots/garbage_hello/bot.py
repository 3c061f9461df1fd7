"""Opens with bytes that are no message."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import asyncio

import grpc.aio
from faulty import ADDRESS, Stream, never


async def main() -> None:
    async with grpc.aio.insecure_channel(ADDRESS) as channel:
        stream = Stream(channel)
        await stream.say(bytes([255]) * 40)
        await stream.hear()
        await never()


asyncio.run(main())
