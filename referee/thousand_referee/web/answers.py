"""Answers that are made once for many: bodies with a tag, compressed beforehand."""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

HTML: Final = "text/html; charset=utf-8"
JSON: Final = "application/json"
CSV: Final = "text/csv; charset=utf-8"
TEXT: Final = "text/plain; charset=utf-8"

_LEAST_COMPRESSED: Final = 1_000
_LEVEL: Final = 4


@dataclass(frozen=True, slots=True)
class Answer:
    """A body, the same compressed (None if that isn't worth it), its type and tag."""

    body: bytes
    packed: bytes | None
    media_type: str
    tag: str

    @classmethod
    @lru_cache(maxsize=64)
    def of(cls, text: str, media_type: str) -> Answer:
        """Make an answer of a text; of one that was seen lately it is there already."""
        body = text.encode()
        packed = None
        if len(body) >= _LEAST_COMPRESSED:
            packed = gzip.compress(body, _LEVEL, mtime=0)
        return cls(body, packed, media_type, f'"{sha256(body).hexdigest()[:24]}"')


def respond(request: Request, answer: Answer, headers: dict[str, str] | None = None) -> Response:
    """Send an answer, or say that the browser has it already."""
    sent = {"ETag": answer.tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    sent |= headers or {}
    known = request.headers.get("if-none-match", "")
    if answer.tag in {tag.strip().removeprefix("W/") for tag in known.split(",")}:
        return Response(status_code=304, headers=sent)
    body = answer.body
    if answer.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
        body = answer.packed
        sent["Content-Encoding"] = "gzip"
        sent["ETag"] = f"W/{answer.tag}"
    return Response(body, headers=sent, media_type=answer.media_type)
