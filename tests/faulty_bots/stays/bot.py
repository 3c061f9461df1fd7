"""Keeps its stream open after the goodbye, and does not exit."""

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
        await stream.hello()
        await stream.play()
        await never()


asyncio.run(main())
