"""The pages of submissions, and signing in. What concerns one author alone is kept from others.

A browser holds its author's token in a cookie that scripts can't read and that no other
site's pages can send.
"""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import parse_qs

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from thousand_referee.errors import Missing, NotAllowed
from thousand_referee.submission_source import SubmissionSource
from thousand_referee.submitted import Submission
from thousand_referee.tournament import Arena
from thousand_referee.web.answers import HTML
from thousand_referee.web.links import Links
from thousand_referee.web.pages import Pages
from thousand_referee.web.rendering import render
from thousand_referee.web.security import (
    COOKIE,
    COOKIE_SECONDS,
    LONGEST_TOKEN,
    is_from_here,
    token_of,
)

MOST_LISTED: Final = 100
_LONGEST_FORM: Final = 4_096
_PRIVATE: Final = {"Cache-Control": "no-store"}


def submission_routes(
    arena: Arena, source: SubmissionSource, pages: Pages, links: Links
) -> list[BaseRoute]:
    """Give the addresses of these pages."""
    served = _Submissions(arena, source, pages, links)
    return [
        Route("/submissions", served.listed),
        Route("/submissions/{id}", served.one),
        Route("/submissions/{id}/live.json", served.live),
        Route("/tournaments/{name}/matches/{match}/output/{seat:int}", served.output),
        Route("/sign-in", served.sign_in, methods=["GET"]),
        Route("/sign-in", served.take_token, methods=["POST"]),
        Route("/sign-out", served.sign_out, methods=["POST"]),
    ]


class _Submissions:
    def __init__(self, arena: Arena, source: SubmissionSource, pages: Pages, links: Links) -> None:
        self._arena = arena
        self._source = source
        self._pages = pages
        self._links = links

    def listed(self, request: Request) -> Response:
        """Serve the latest submissions: all of them, or an author's own."""
        user = self._source.user(token_of(request))
        own = user is not None and request.query_params.get("own") == "1"
        found = self._source.submissions(user.name if own and user else None, MOST_LISTED)
        return self._page("submissions.html", user=user, own=own, submissions=found)

    def one(self, request: Request) -> Response:
        """Serve a submission."""
        return self._page("submission.html", **self._shown(request))

    def live(self, request: Request) -> Response:
        """Serve what changes of a submission's page."""
        shown = self._shown(request)
        return JSONResponse(
            {
                "html": render("submission_state.html", self._links, **shown),
                "is_final": shown["submission"].state.is_final,
            },
            headers=_PRIVATE,
        )

    def output(self, request: Request) -> Response:
        """Send what a bot printed in a match, to its owner."""
        name, match, seat = (request.path_params[key] for key in ("name", "match", "seat"))
        row = self._pages.match_row(name, match)
        if seat not in range(3):
            raise Missing(f"there is no seat {seat}; seats are 0 to 2")
        if not self._source.is_owner_of_entry(token_of(request), row.tournament, row.names[seat]):
            raise NotAllowed(
                f"what {row.names[seat]} printed is for its author: sign in with the author's token"
            )
        folder = (self._arena.data.output / row.tournament / row.match).resolve()
        path = folder / f"{seat}-{row.names[seat]}.log"
        if not folder.is_relative_to(self._arena.data.output.resolve()) or not path.is_file():
            raise Missing(f"{row.names[seat]} printed nothing in match {row.match}")
        return FileResponse(path, media_type="text/plain; charset=utf-8", headers=_PRIVATE)

    def sign_in(self, request: Request) -> Response:
        """Serve the form, or say who is signed in."""
        user = self._source.user(token_of(request)) if token_of(request) else None
        return self._page("sign_in.html", user=user, is_wrong=False)

    async def take_token(self, request: Request) -> Response:
        """Sign in with the token of a form."""
        self._expect_own_form(request)
        body = b""
        async for part in request.stream():
            body += part
            if len(body) > _LONGEST_FORM:
                raise NotAllowed("the form is too long; paste the token alone")
        given = parse_qs(body.decode("ascii", "replace")).get("token", [""])[0].strip()
        user = None
        if 0 < len(given) <= LONGEST_TOKEN:
            user = await run_in_threadpool(self._source.user, given)
        if user is None:
            return self._page("sign_in.html", status=403, user=None, is_wrong=True)
        answer = RedirectResponse(self._links.submissions() + "?own=1", 303, _PRIVATE)
        answer.set_cookie(
            COOKIE,
            given,
            max_age=COOKIE_SECONDS,
            secure=request.url.scheme == "https",
            httponly=True,
            samesite="strict",
        )
        return answer

    async def sign_out(self, request: Request) -> Response:
        """Forget the token."""
        self._expect_own_form(request)
        answer = RedirectResponse(self._links.sign_in(), 303, _PRIVATE)
        answer.delete_cookie(COOKIE)
        return answer

    def _expect_own_form(self, request: Request) -> None:
        if not is_from_here(request):
            raise NotAllowed("the form came from another site; use the one of this arena")

    def _shown(self, request: Request) -> dict[str, Any]:
        name = request.path_params["id"]
        submission = self._source.submission(name)
        if submission is None:
            raise Missing(f"there is no submission {name!r}; the list has the latest")
        token = token_of(request)
        return {
            "submission": submission,
            "is_own": self._source.is_owner(token, submission.bot),
            "report": _report_text(submission),
            "told": _problem_text(submission),
        }

    def _page(self, template: str, *, status: int = 200, **context: Any) -> Response:
        text = render(template, self._links, has_submissions=True, **context)
        return Response(text, status, _PRIVATE, HTML)


def _problem_text(submission: Submission) -> str:
    """Tell what the check found wrong, as the command does."""
    problem = (submission.report or {}).get("problem")
    lines = problem.get("told") if isinstance(problem, dict) else None
    return "\n".join(map(str, lines)) if isinstance(lines, list) else ""


def _report_text(submission: Submission) -> str:
    """Give the whole report, for people who want all of it."""
    if submission.report is None:
        return ""
    return msgspec.json.format(msgspec.json.encode(submission.report), indent=2).decode()
