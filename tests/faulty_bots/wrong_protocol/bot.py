"""Speaks a version of the protocol that does not exist."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import asyncio

import grpc.aio
from faulty import ADDRESS, Stream


async def main() -> None:
    async with grpc.aio.insecure_channel(ADDRESS) as channel:
        stream = Stream(channel)
        await stream.hello(protocol=9)
        await stream.hear()


asyncio.run(main())
