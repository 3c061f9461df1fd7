"""Protobuf's wire format, as much of it as prompts and notices need, written by hand.

A field is its tag (number and type), then a number, or a length and so many bytes.
Zeros and empty fields are left out, and fields go in the order of their numbers, so the
bytes are those that protobuf itself would write.
"""

from __future__ import annotations

from typing import Final

_NUMBER: Final = 0
_BYTES: Final = 2


def varint(number: int) -> bytes:
    """Write a number of 0 or more, which isn't checked: seven bits a byte, lowest first."""
    if number < len(VARINTS):
        return VARINTS[number]
    return _MORE[number & 127] + varint(number >> 7)


def zigzag(number: int) -> bytes:
    """Write a signed number: 0, -1, 1, -2 as 0, 1, 2, 3."""
    return varint(2 * number if number >= 0 else -2 * number - 1)


_MORE: Final = tuple(bytes((128 | low,)) for low in range(128))
VARINTS: Final = tuple(
    [bytes((number,)) for number in range(128)]
    + [low + bytes((high,)) for high in range(1, 128) for low in _MORE]
)
"""Those of one byte and of two: of numbers below 16,384."""


def number_tag(field: int) -> bytes:
    """Give what stands before a field's number."""
    return varint(field << 3 | _NUMBER)


def number_field(tag: bytes, number: int) -> bytes:
    """Give a whole field; nothing for 0."""
    return tag + varint(number) if number else b""


def number_fields(field: int, limit: int) -> tuple[bytes, ...]:
    """Give the whole field for each number below `limit`; nothing for 0."""
    return tuple([number_field(number_tag(field), number) for number in range(limit)])


def bytes_tag(field: int) -> bytes:
    """Give what stands before the length of a field's bytes."""
    return varint(field << 3 | _BYTES)


def bytes_field(tag: bytes, data: bytes) -> bytes:
    """Give a whole field; nothing for no bytes."""
    return b"".join((tag, varint(len(data)), data)) if data else b""


def bytes_tags(field: int) -> tuple[bytes, ...]:
    """Give tag and length for each length up to 127; nothing for no bytes."""
    tag = bytes_tag(field)
    return (b"", *(tag + varint(length) for length in range(1, 128)))
