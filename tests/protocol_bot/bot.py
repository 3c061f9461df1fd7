"""A bot without the SDK: what sdk/PROTOCOL.md says, with gRPC and no protobuf library.

It bids as little as it can, announces when it may, and plays its cheapest card.
"""

import os
import queue
from collections.abc import Iterator
from itertools import chain, islice
from typing import Any

os.environ["GRPC_ENABLE_FORK_SUPPORT"] = "0"
import grpc

BID, GIVE, RAISE, PLAY = 1, 2, 3, 4
CARD_POINTS = (0, 2, 3, 4, 10, 11)


def read_varint(data: Iterator[int]) -> int:
    """Read a number: seven bits in each byte, the lowest first, a high bit for "more"."""
    byte = next(data)
    return byte if byte < 128 else byte & 127 | read_varint(data) << 7


def write_varint(value: int) -> bytes:
    """Write a number in the same way."""
    low = value & 127
    return bytes([low | 128]) + write_varint(value >> 7) if value > 127 else bytes([low])


def read_message(data: bytes) -> Iterator[tuple[int, Any]]:
    """Read a message: field numbers and their values; these messages need two wire types."""
    rest = iter(data)
    for byte in rest:
        key = read_varint(chain((byte,), rest))
        value = read_varint(rest)
        yield key >> 3, bytes(islice(rest, value)) if key & 7 == 2 else value


def write_message(**fields: int | bytes) -> bytes:
    """Write a message of fields that are called f1, f2, …; zeros are left out."""
    message = b""
    for name, value in fields.items():
        if isinstance(value, bytes):
            message += write_varint(int(name[1:]) << 3 | 2) + write_varint(len(value)) + value
        elif value:
            message += write_varint(int(name[1:]) << 3) + write_varint(value)
    return message


def answer(prompt: dict[int, Any]) -> bytes:
    """Decide: an Answer for a Prompt."""
    id_, decision = prompt[1], prompt[3]
    cards = sorted(prompt.get(6, b""), key=lambda card: CARD_POINTS[card % 6])
    if decision == PLAY:
        announced = prompt.get(7, b"")[-1:]
        return write_message(f1=id_, f2=PLAY, f4=announced or bytes(cards[:1]), f5=len(announced))
    if decision == GIVE:
        return write_message(f1=id_, f2=GIVE, f4=bytes(cards[:2]))
    return write_message(f1=id_, f2=decision, f3=read_varint(iter(prompt[5])))


def main() -> None:
    """Play the match."""
    channel = grpc.insecure_channel(
        os.environ["THOUSAND_ADDRESS"], options=[("grpc.default_authority", "localhost")]
    )
    requests: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
    token = os.environ["THOUSAND_TOKEN"].encode()
    requests.put(write_message(f1=write_message(f1=token, f2=1, f3=b"no SDK")))
    play: Any = channel.stream_stream("/thousand.v1.RefereeService/Play")
    for response in play(iter(requests.get, None)):
        fields = list(read_message(response))
        prompts = [dict(read_message(value)) for number, value in fields if number == 3]
        if prompts:
            answers = [write_message(f2=answer(prompt)) for prompt in prompts]
            requests.put(b"".join(answers))
        if any(number == 4 for number, _ in fields):
            requests.put(None)


if __name__ == "__main__":
    main()
