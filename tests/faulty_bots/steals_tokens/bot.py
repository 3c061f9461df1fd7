"""Shows the tokens of others, as far as it sees them; is honest otherwise."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import asyncio
import contextlib

import grpc
import grpc.aio
from faulty import ADDRESS, Stream


def others() -> set[tuple[str, str]]:
    """Find addresses and tokens of bots of the same match in what can be seen of processes."""
    found = set()
    folder = ADDRESS.rpartition("/")[0]
    for process in Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError):
            lines = (process / "environ").read_bytes().decode().split("\0")
            values = dict(line.split("=", 1) for line in lines if "=" in line)
            address = values.get("THOUSAND_ADDRESS", "")
            if address.startswith(folder) and address != ADDRESS:
                found.add((address, values["THOUSAND_TOKEN"]))
    return found


async def replay(address: str, token: str) -> None:
    """Show another seat's token, which was used, at its socket."""
    async with grpc.aio.insecure_channel(address) as channel:
        stream = Stream(channel)
        with contextlib.suppress(grpc.RpcError):
            await stream.hello(token=token)
            await stream.hear()
            raise AssertionError("a token can be used twice")


async def main() -> None:
    async with grpc.aio.insecure_channel(ADDRESS) as channel:
        stream = Stream(channel)
        await stream.hello()
        await stream.honest(await stream.hear() or ())
        for _ in range(3):
            await stream.honest(await stream.hear() or ())
        seen = others()
        print("other tokens", len(seen))
        for address, token in seen:
            await asyncio.wait_for(replay(address, token), 5)
        await stream.play()


asyncio.run(main())
