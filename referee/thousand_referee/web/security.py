"""What every answer says to browsers, and who a request comes from."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE: Final = "thousand_token"
COOKIE_SECONDS: Final = 30 * 24 * 3600
LONGEST_TOKEN: Final = 200

HEADERS: Final = {
    "Content-Security-Policy": "default-src 'self'; base-uri 'none'; object-src 'none'; "
    "form-action 'self'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
"""No page runs or shows anything that isn't this server's, nor stands in a frame."""


class SecureHeaders:
    """Adds `HEADERS` to every answer of an application."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        await self._app(scope, receive, send_with_headers)


def token_of(request: Request) -> str:
    """Give the token that the browser holds, or an empty text."""
    token = request.cookies.get(COOKIE, "")
    return token if len(token) <= LONGEST_TOKEN else ""


def is_from_here(request: Request) -> bool:
    """Whether a form was sent by a page of this arena, as far as the browser tells."""
    if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = request.headers.get("origin")
    return origin is None or urlsplit(origin).netloc == request.headers.get("host")
