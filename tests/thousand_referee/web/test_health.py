"""Whether the server is well is told at once, whatever else it is asked."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from anyio.to_thread import current_default_thread_limiter

from thousand_referee.tournament import Arena
from thousand_referee.web.app import make_app


def test_health_is_told_while_all_threads_are_taken(arena: Arena) -> None:
    with ThreadPoolExecutor(1) as executor:
        app = make_app(arena, executor=executor)
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    async def ask() -> None:
        limiter = current_default_thread_limiter()
        for number in range(int(limiter.total_tokens)):
            await limiter.acquire_on_behalf_of(number)
        scope = {"type": "http", "method": "GET", "path": "/healthz", "headers": []}
        scope |= {"query_string": b"", "root_path": "", "http_version": "1.1", "scheme": "http"}
        async with asyncio.timeout(5):
            await app(scope, receive, send)

    asyncio.run(ask())
    assert sent[0]["status"] == 200
