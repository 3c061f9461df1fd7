"""Who may call what: one table, and the one place that enforces it.

Every call to the server goes through `Gate`: a method that isn't in the table, of
whatever service, can't be called by anybody.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from contextvars import ContextVar
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, Final

import grpc
import grpc.aio

from thousand_referee.errors import Missing, NotAllowed, NotSignedIn, RefereeError
from thousand_referee.service.methods import METHODS
from thousand_referee.service.statuses import INTERNAL, status_of
from thousand_referee.service.submission_store import SubmissionStore
from thousand_referee.submitted import User

_log: Final = logging.getLogger(__name__)


class Who(Enum):
    """Whom a method is for."""

    USERS = auto()
    """Whoever has a token."""
    OWNER = auto()
    """The owner of the bot or submission that the request names, and organisers."""
    SUBMITTER = auto()
    """Whoever has a token, but nobody for a bot that is another's; the handler looks."""
    ORGANISERS = auto()


ACCESS: Final[dict[str, Who]] = {
    "SubmitBot": Who.SUBMITTER,
    "GetSubmission": Who.OWNER,
    "ListSubmissions": Who.USERS,
    "ListBots": Who.USERS,
    "ListTournaments": Who.USERS,
    "GetTournament": Who.USERS,
    "EnterBot": Who.OWNER,
    "StartTournament": Who.ORGANISERS,
    "CloseTournament": Who.ORGANISERS,
    "GetStandings": Who.USERS,
    "ListMatches": Who.USERS,
    "ListGames": Who.USERS,
    "DownloadLog": Who.USERS,
    "GetBotOutput": Who.OWNER,
    "WatchTournament": Who.USERS,
}
"""By method of the arena service. A method that isn't here is nobody's."""

OPEN_SERVICES: Final = (
    "/grpc.health.v1.Health/",
    "/grpc.reflection.v1.ServerReflection/",
    "/grpc.reflection.v1alpha.ServerReflection/",
)
"""Services that are for everybody: they tell nothing of anyone."""

AGAIN_SECONDS: Final = 10.0
"""A long stream of responses ends so soon after its token was revoked."""

_caller: ContextVar[User] = ContextVar("caller")


def caller() -> User:
    """Give who made the call that is being handled."""
    return _caller.get()


@dataclass(frozen=True, slots=True)
class _Call:
    """A call that came in."""

    who: Who
    token: str | None


class Gate(grpc.aio.ServerInterceptor):
    """Lets calls through to their handlers, or ends them with a status that says why not.

    Errors of the handlers become statuses here too.
    """

    def __init__(self, store: SubmissionStore) -> None:
        self._store = store

    async def intercept_service(
        self,
        continuation: Callable[
            [grpc.HandlerCallDetails], Awaitable[grpc.RpcMethodHandler[Any, Any] | None]
        ],
        details: grpc.HandlerCallDetails,
    ) -> grpc.RpcMethodHandler[Any, Any] | None:
        """Give the method's handler, behind this gate."""
        handler = await continuation(details)
        if details.method.startswith(OPEN_SERVICES) or handler is None:
            return handler
        name = details.method.rpartition("/")[2]
        who = ACCESS.get(name) if name in METHODS else None
        if who is None:
            return grpc.unary_unary_rpc_method_handler(_refuse)
        call = _Call(who, _token_in(details))
        method = METHODS[name]
        if method.server_streams:
            return method.handler(self._streaming(call, handler.unary_stream))
        behavior = handler.stream_unary if method.client_streams else handler.unary_unary
        return method.handler(self._answering(call, behavior))

    def _answering(self, call: _Call, behavior: Any) -> Callable[..., Awaitable[Any]]:
        async def guarded(request: Any, context: Any) -> Any:
            try:
                await self._admit(call, request)
                return await behavior(request, context)
            except Exception as error:  # noqa: BLE001
                await _abort(context, error)

        return guarded

    def _streaming(self, call: _Call, behavior: Any) -> Callable[..., AsyncIterator[Any]]:
        async def guarded(request: Any, context: Any) -> AsyncIterator[Any]:
            try:
                await self._admit(call, request)
                looked = time.monotonic()
                async with aclosing(behavior(request, context)) as responses:
                    async for response in responses:
                        if time.monotonic() - looked > AGAIN_SECONDS:
                            await self._admit(call, request)
                            looked = time.monotonic()
                        yield response
            except Exception as error:  # noqa: BLE001
                await _abort(context, error)

        return guarded

    async def _admit(self, call: _Call, request: Any) -> None:
        """Refuse (NotSignedIn, NotAllowed, Missing) who may not make this call."""
        user = None if call.token is None else await asyncio.to_thread(self._store.user, call.token)
        if user is None:
            problem = "no token" if call.token is None else "this token is nobody's, or was revoked"
            raise NotSignedIn(f"{problem}; ask the organiser for one, and set $THOUSAND_TOKEN")
        if call.who is Who.ORGANISERS and not user.is_organiser:
            raise NotAllowed("this is for organisers only; ask one to do it")
        if call.who is Who.OWNER:
            what, owner = await asyncio.to_thread(self._owner_in, request)
            if owner is None and not user.is_organiser:
                raise Missing(f"no {what} of yours; check its name")
            if owner != user.name and not user.is_organiser:
                raise NotAllowed(f"{what} is somebody else's; only its owner may do this")
        _caller.set(user)

    def _owner_in(self, request: Any) -> tuple[str, str | None]:
        """Give what a request is about, and whose that is: its submission's, or its bot's."""
        if "submission" in request.DESCRIPTOR.fields_by_name:
            submission = self._store.submission(request.submission)
            return (
                f"submission {request.submission!r}",
                None if submission is None else submission.owner,
            )
        # Entries are called by the bot's name, and its version's number.
        bot, number_sign, _ = request.bot.rpartition("#")
        return f"bot {request.bot!r}", self._store.owner_of(bot if number_sign else request.bot)


async def _refuse(_request: Any, context: Any) -> None:
    await context.abort(grpc.StatusCode.UNIMPLEMENTED, "there is no such method")


async def _abort(context: Any, error: Exception) -> None:
    """End a call with an error's status."""
    if isinstance(error, grpc.aio.AbortError):
        raise error
    if isinstance(error, RefereeError):
        status, text = status_of(error)
        level = logging.ERROR if status is grpc.StatusCode.UNAVAILABLE else logging.INFO
        _log.log(level, "call refused: %s", error)
    else:
        status, text = INTERNAL
        _log.exception("call failed", exc_info=error)
    await context.abort(status, text)


def _token_in(details: grpc.HandlerCallDetails) -> str | None:
    """Give the token that came with a call, if any did."""
    for key, value in details.invocation_metadata or ():
        if key == "authorization" and isinstance(value, str):
            scheme, _, token = value.partition(" ")
            return token.strip() if scheme.lower() == "bearer" and token else None
    return None
