"""Values to protobuf messages and back; the only place that knows both.

Cards travel as bytes of card numbers, lists by seat as packed numbers: flat, because
a message inside a message for each card costs several times as much.
"""

from thousand.codec.requests import decode_request, encode_request
from thousand.codec.responses import (
    ResponseReader,
    ResponseWriter,
    decode_response,
    encode_response,
)

__all__ = [
    "ResponseReader",
    "ResponseWriter",
    "decode_request",
    "decode_response",
    "encode_request",
    "encode_response",
]
