"""The web server's application: the arena's pages, and its metrics."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from starlette.applications import Starlette
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from thousand_referee.service.metrics import CONTENT_TYPE, Metrics
from thousand_referee.service.source import SubmissionSource
from thousand_referee.tournament import Arena

App = Callable[
    [
        MutableMapping[str, Any],
        Callable[[], Awaitable[MutableMapping[str, Any]]],
        Callable[[MutableMapping[str, Any]], Awaitable[None]],
    ],
    Awaitable[None],
]


def make_pages(arena: Arena, submissions: SubmissionSource, metrics: Metrics) -> App:
    """Make the application."""
    del arena, submissions  # until there are pages
    pages = Starlette(routes=[Route("/healthz", lambda _: PlainTextResponse("ok\n"))])

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http" and scope["path"] == "/metrics":
            text = await asyncio.to_thread(metrics.text)
            response = Response(text, headers={"content-type": CONTENT_TYPE})
            await response(scope, receive, send)
        else:
            await pages(scope, receive, send)

    return app
