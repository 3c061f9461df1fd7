"""A bot without the SDK: what sdk/PROTOCOL.md says, with gRPC and no protobuf library.

It bids as little as it can, announces when it may, and plays its cheapest card.
"""

import os
import queue
from collections.abc import Iterator
from typing import Any

os.environ["GRPC_ENABLE_FORK_SUPPORT"] = "0"
import grpc

BID, GIVE, RAISE, PLAY = 1, 2, 3, 4
CARD_POINTS = (0, 2, 3, 4, 10, 11)


def read_varints(data: bytes) -> Iterator[int]:
    """Read numbers that stand one after the other."""
    value = shift = 0
    for byte in data:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            yield value
            value = shift = 0


def write_varint(value: int) -> bytes:
    """Write a number: seven bits in each byte, the lowest first, a high bit for "more"."""
    low = value & 127
    return bytes([low | 128]) + write_varint(value >> 7) if value > 127 else bytes([low])


def read_message(data: bytes) -> Iterator[tuple[int, Any]]:
    """Read a message: field numbers and their values; these messages need two wire types."""
    while data:
        (key, value), start = take_varints(data, 2)
        if key & 7 == 2:
            yield key >> 3, data[start : start + value]
            start += value
        else:
            yield key >> 3, value
        data = data[start:]


def take_varints(data: bytes, count: int) -> tuple[list[int], int]:
    """Read so many numbers; give them and where they end."""
    end = -1
    for _ in range(count):
        end = next(place for place in range(end + 1, len(data)) if data[place] < 128)
    return list(read_varints(data[: end + 1])), end + 1


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
    return write_message(f1=id_, f2=decision, f3=next(read_varints(prompt[5])))


def main() -> None:
    """Play the match."""
    channel = grpc.insecure_channel(
        os.environ["THOUSAND_ADDRESS"], options=[("grpc.default_authority", "localhost")]
    )
    requests: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
    token = os.environ["THOUSAND_TOKEN"].encode()
    requests.put(write_message(f1=write_message(f1=token, f2=1, f3=b"no SDK")))
    responses: Iterator[bytes] = channel.stream_stream("/thousand.v1.RefereeService/Play")(
        iter(requests.get, None)
    )
    for response in responses:
        fields = list(read_message(response))
        prompts = [dict(read_message(value)) for number, value in fields if number == 3]
        if prompts:
            answers = [write_message(f2=answer(prompt)) for prompt in prompts]
            requests.put(b"".join(answers))
        if any(number == 4 for number, _ in fields):
            requests.put(None)


if __name__ == "__main__":
    main()
