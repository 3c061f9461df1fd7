"""The arena's pages as a web application."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Executor
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

import msgspec
from anyio import CapacityLimiter, to_thread
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from thousand_referee.errors import DataError, LogError, Missing, NotAllowed
from thousand_referee.executor import LocalExecutor
from thousand_referee.fits import Fitted, Snapshot
from thousand_referee.tournament import Arena
from thousand_referee.web import queries
from thousand_referee.web.answers import CSV, HTML, JSON, TEXT, Answer, respond
from thousand_referee.web.archive import tar_parts
from thousand_referee.web.brief_cache import BriefCache
from thousand_referee.web.links import Links
from thousand_referee.web.pages import FRESH_SECONDS, Pages
from thousand_referee.web.rendering import STATIC, prepare, render
from thousand_referee.web.security import HEADERS, SecureHeaders

if TYPE_CHECKING:
    from thousand_referee.submission_source import SubmissionSource

SETTLED_SECONDS: Final = 60.0
"""Pages of finished matches and games don't change; they are kept so long."""

PATIENCE: Final = 120
PATIENCE_SECONDS: Final = 0.5
"""Programs that ask for standings wait for the first ones, looking so often, at most a minute."""

THREADS: Final = 100
"""Requests wait for each other and for the database in so many threads."""

HEALTH_THREADS: Final = 2

_log: Final = logging.getLogger(__name__)


def make_app(
    arena: Arena,
    submissions: SubmissionSource | None = None,
    *,
    metrics: ASGIApp | None = None,
    executor: Executor | None = None,
    snapshots: Fitted[Snapshot] | None = None,
) -> Starlette:
    """Make the application that serves an arena's pages.

    With `submissions` there are pages of submissions, and authors can sign in. `metrics`
    answers at /metrics. Ratings are fitted by `executor`, by default a process of its own,
    which ends with the application's lifespan; `snapshots` are standings that others use, too.
    """
    prepare()
    own_executor = LocalExecutor(1, ahead=0, niceness=5) if executor is None else None
    fitting = executor or own_executor
    assert fitting is not None
    pages = Pages(arena, fitting, has_submissions=submissions is not None, snapshots=snapshots)
    links = Links()
    served = _Served(arena, pages, links, submissions)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        to_thread.current_default_thread_limiter().total_tokens = THREADS
        preparing = asyncio.create_task(_prepare(pages))
        yield
        await preparing
        if own_executor is not None:
            await run_in_threadpool(own_executor.shutdown, cancel_futures=True)

    routes = [*served.routes(), Mount("/static", StaticFiles(directory=STATIC))]
    if submissions is not None:
        from thousand_referee.web.submissions import submission_routes

        routes += submission_routes(arena, submissions, pages, links)
    if metrics is not None:
        routes.append(Route("/metrics", _Whole(metrics)))
    errors = _Errors(links, submissions is not None)
    return Starlette(
        routes=routes,
        lifespan=lifespan,
        middleware=[Middleware(SecureHeaders)],
        exception_handlers={
            Missing: errors.missing,
            NotAllowed: errors.not_allowed,
            DataError: errors.broken_data,
            HTTPException: errors.of_http,
            Exception: errors.broken,
        },
    )


async def _prepare(pages: Pages) -> None:
    try:
        await run_in_threadpool(pages.prepare)
    except DataError as error:  # whoever asks for a page will be told
        _log.error("the pages can't be prepared: %s", error)


class _Whole:
    """An application at one address. (A function would be taken for one that gets a request.)"""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, send)


class _Served:
    """The addresses of the pages that anyone may see. They run in threads, since they block."""

    def __init__(
        self, arena: Arena, pages: Pages, links: Links, submissions: SubmissionSource | None
    ) -> None:
        self._arena = arena
        self._pages = pages
        self._links = links
        self._submissions = submissions
        self._fresh = BriefCache[Answer](FRESH_SECONDS)
        self._settled = BriefCache[Answer](SETTLED_SECONDS)
        self._health_limiter = CapacityLimiter(HEALTH_THREADS)

    def routes(self) -> list[BaseRoute]:
        """Give all of them."""
        tournament = "/tournaments/{name}"
        match = tournament + "/matches/{match}"
        game = match + "/games/{game:int}"
        return [
            Route("/", self.home),
            Route(tournament, self.tournament),
            Route(tournament + "/live.json", self.live),
            Route(tournament + "/standings.csv", self.standings_csv),
            Route(tournament + "/standings.json", self.standings_json),
            Route(tournament + "/logs.tar", self.logs),
            Route(tournament + "/matches", self.matches),
            Route(match, self.match),
            Route(match + "/{file}.jsonl.gz", self.log),
            Route(game, self.game),
            Route(game + "/game.json", self.game_json),
            Route(game + "/telling.txt", self.telling),
            Route("/bots", self.bots),
            Route("/bots/{name}", self.bot),
            Route("/healthz", self.healthz),
        ]

    def home(self, request: Request) -> Response:
        """Serve the list of tournaments."""
        return self._answer(request, lambda: self._pages.home(self._links))

    def tournament(self, request: Request) -> Response:
        """Serve a tournament."""
        name = request.path_params["name"]
        return self._answer(request, lambda: self._pages.tournament(self._links, name))

    def live(self, request: Request) -> Response:
        """Serve what changes of a tournament's page."""
        name = request.path_params["name"]
        return self._answer(
            request,
            lambda: msgspec.json.encode(self._pages.live(self._links, name)).decode(),
            media_type=JSON,
        )

    async def standings_csv(self, request: Request) -> Response:
        """Serve the standings as CSV."""
        return await self._standings(request, self._pages.standings_csv, CSV)

    async def standings_json(self, request: Request) -> Response:
        """Serve the standings as JSON."""
        return await self._standings(request, self._pages.standings_json, JSON)

    async def _standings(
        self, request: Request, make: Callable[[str], str], media_type: str
    ) -> Response:
        """Serve standings; wait for the first ones, but in no thread, since many may wait."""
        name = request.path_params["name"]
        for _ in range(PATIENCE):
            if await run_in_threadpool(self._pages.are_rated, name):
                break
            await asyncio.sleep(PATIENCE_SECONDS)
        return await run_in_threadpool(
            lambda: self._answer(request, lambda: make(name), media_type=media_type)
        )

    def logs(self, request: Request) -> Response:
        """Send all logs of a tournament in one archive, which is made meanwhile."""
        name = self._pages.row(request.path_params["name"]).name
        names = queries.log_paths(self._arena.store, name)
        return StreamingResponse(
            tar_parts(self._arena.data.logs, names),
            media_type="application/x-tar",
            headers=_attachment(f"{name}-logs.tar"),
        )

    def matches(self, request: Request) -> Response:
        """Serve a list of matches."""
        name, bot = request.path_params["name"], request.query_params.get("bot", "")
        text = request.query_params.get("before", "")
        before = int(text) if text.isascii() and text.isdigit() and len(text) < 19 else None
        return self._answer(
            request,
            lambda: self._pages.matches(self._links, name, bot, before),
            key=(name, bot, before),
        )

    def match(self, request: Request) -> Response:
        """Serve a match."""
        name, match = request.path_params["name"], request.path_params["match"]
        return self._answer(
            request, lambda: self._pages.match(self._links, name, match), is_settled=True
        )

    def log(self, request: Request) -> Response:
        """Send a match's log."""
        name, match = request.path_params["name"], request.path_params["match"]
        row = self._pages.match_row(name, match)
        path = self._pages.log_path(row)
        if request.path_params["file"] != row.match or not path.is_file():
            raise Missing(f"the log of match {row.match!r} is not on this machine")
        return FileResponse(path, media_type="application/gzip", filename=f"{row.match}.jsonl.gz")

    def game(self, request: Request) -> Response:
        """Serve the replay of a game."""
        name, match, game = (request.path_params[key] for key in ("name", "match", "game"))
        return self._answer(
            request, lambda: self._pages.game(self._links, name, match, game), is_settled=True
        )

    def game_json(self, request: Request) -> Response:
        """Serve a game's steps."""
        name, match, game = (request.path_params[key] for key in ("name", "match", "game"))

        def make() -> str:
            row = self._pages.match_row(name, match)
            return msgspec.json.encode(self._pages.game_steps(row, game)).decode()

        return self._answer(request, make, media_type=JSON, is_settled=True)

    def telling(self, request: Request) -> Response:
        """Tell a game in words."""
        name, match, game = (request.path_params[key] for key in ("name", "match", "game"))
        return self._answer(
            request,
            lambda: self._pages.telling(name, match, game),
            media_type=TEXT,
            is_settled=True,
        )

    def bots(self, request: Request) -> Response:
        """Serve the list of bots."""
        return self._answer(request, lambda: self._pages.bots(self._links))

    def bot(self, request: Request) -> Response:
        """Serve a bot."""
        name = request.path_params["name"]

        def make() -> str:
            submitted = None if self._submissions is None else self._submissions.bot(name)
            return self._pages.bot(self._links, name, submitted)

        return self._answer(request, make)

    async def healthz(self, request: Request) -> Response:
        """Say whether the store can be reached, however many other requests wait for it."""
        try:
            await to_thread.run_sync(
                queries.is_reachable, self._arena.store, limiter=self._health_limiter
            )
        except DataError as error:
            _log.error("the store can't be reached: %s", error)
            return JSONResponse({"status": "the store can't be reached"}, status_code=503)
        return JSONResponse({"status": "ok"})

    def _answer(
        self,
        request: Request,
        make: Callable[[], str],
        *,
        media_type: str = HTML,
        key: object = None,
        is_settled: bool = False,
    ) -> Response:
        cache = self._settled if is_settled else self._fresh
        answer = cache.get((request.url.path, key), lambda: Answer.of(make(), media_type))
        return respond(request, answer)


class _Errors:
    """Errors as pages: what happened, and what to do."""

    def __init__(self, links: Links, has_submissions: bool) -> None:
        self._links = links
        self._has_submissions = has_submissions

    async def missing(self, request: Request, error: Exception) -> Response:
        """Answer a request for what isn't there."""
        return self._page(404, "Not found", _sentence(str(error)))

    async def not_allowed(self, request: Request, error: Exception) -> Response:
        """Answer a request of somebody who may not make it."""
        return self._page(403, "Not allowed", _sentence(str(error)))

    async def broken_data(self, request: Request, error: Exception) -> Response:
        """Answer where the data folder fails; paths in it are not for strangers."""
        _log.error("%s: %s", request.url.path, error)
        if isinstance(error, LogError):
            told = f"The match log can't be shown: {error.problem}"
            return self._page(500, "A broken log", told)
        page = self._page(
            503, "No data just now", "The arena can't read its data. Try again in a minute."
        )
        page.headers["Retry-After"] = "60"
        return page

    async def of_http(self, request: Request, error: Exception) -> Response:
        """Answer a request that fits no page."""
        assert isinstance(error, HTTPException)
        if error.status_code == 404:
            told = "There is no such page. The address may be cut; begin at one of these lists."
            return self._page(404, "Not found", told)
        return self._page(error.status_code, "This can't be done", _sentence(error.detail))

    async def broken(self, request: Request, error: Exception) -> Response:
        """Answer where the program is wrong; the server logs the error."""
        told = "The arena made a mistake and has noted it. Try again, or tell the organiser."
        page = self._page(500, "Something went wrong", told)
        page.headers.update(HEADERS)  # this answer is sent from outside the middleware
        return page

    def _page(self, status: int, title: str, told: str) -> Response:
        text = render(
            "error.html",
            self._links,
            has_submissions=self._has_submissions,
            status=status,
            title=title,
            told=told,
        )
        return Response(text, status, {"Cache-Control": "no-store"}, HTML)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")


def _attachment(name: str) -> dict[str, str]:
    return {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}"}
