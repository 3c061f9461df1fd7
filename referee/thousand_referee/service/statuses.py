"""Errors of the service as gRPC statuses, and back again: one table for both ends."""

from __future__ import annotations

from typing import Final

import grpc

from thousand_referee.errors import (
    ConfigError,
    DataError,
    Missing,
    NotAllowed,
    NotSignedIn,
    RefereeError,
    ServiceError,
    TooMuch,
    Unacceptable,
    Unreachable,
    WrongState,
)
from thousand_referee.text import printable

STATUSES: Final[dict[type[ServiceError], grpc.StatusCode]] = {
    NotSignedIn: grpc.StatusCode.UNAUTHENTICATED,
    NotAllowed: grpc.StatusCode.PERMISSION_DENIED,
    Missing: grpc.StatusCode.NOT_FOUND,
    Unacceptable: grpc.StatusCode.INVALID_ARGUMENT,
    TooMuch: grpc.StatusCode.RESOURCE_EXHAUSTED,
    WrongState: grpc.StatusCode.FAILED_PRECONDITION,
    Unreachable: grpc.StatusCode.UNAVAILABLE,
}

_ERRORS: Final = {code: error for error, code in STATUSES.items()}
_MOST: Final = 1_500
"""Characters of a message: gRPC sends it in a header, which has a limit."""


def status_of(error: RefereeError) -> tuple[grpc.StatusCode, str]:
    """Give the status for an error, and the sentence that goes with it.

    What is wrong with the server itself isn't told to strangers: it is in its log.
    """
    if isinstance(error, ServiceError):
        return STATUSES[type(error)], printable(str(error))[:_MOST]
    if isinstance(error, ConfigError):
        return grpc.StatusCode.FAILED_PRECONDITION, printable(str(error))[:_MOST]
    if isinstance(error, DataError):
        return (
            grpc.StatusCode.UNAVAILABLE,
            "the arena can't read or write its data; its log says why; try again later",
        )
    return INTERNAL


INTERNAL: Final = (
    grpc.StatusCode.INTERNAL,
    "the arena made a mistake; its log says which; tell the organiser when it was",
)


_REMEDIES: Final = (
    ("WRONG_VERSION_NUMBER", "it speaks no TLS; --plaintext sends the token as it is"),
    ("CERTIFICATE_VERIFY_FAILED", "its certificate isn't trusted; name one to trust by --ca"),
    ("Hostname Verification", "its certificate is for another name; use that one as HOST"),
    ("security handshaker", "--ca names a file that is no certificate"),
    ("Connection refused", "nothing listens; check --server, and whether the server runs"),
    ("Socket closed", "it speaks otherwise; if it speaks TLS, name its certificate by --ca"),
    ("http1.x", "it speaks otherwise; the port of the pages isn't that of authors' commands"),
    ("DNS", "there is no machine of that name; check --server"),
)
"""What gRPC says when it can't get through, and what that means to people."""


def _remedy(details: str) -> str:
    for sign, remedy in _REMEDIES:
        if sign.lower() in details.lower():
            return f"{remedy} (…{printable(details)[-160:].partition(' ')[2]})"
    return (
        f"{printable(details)[:200]}; check --server, and --ca if the server's certificate is "
        "its own"
    )


def error_of(error: grpc.RpcError, server: str) -> ServiceError:
    """Give the error that a call's status stands for."""
    code = error.code() if isinstance(error, grpc.Call) else grpc.StatusCode.UNKNOWN
    details = str(error.details() or "") if isinstance(error, grpc.Call) else ""
    if code is grpc.StatusCode.UNAVAILABLE and not details.startswith("the arena"):
        return Unreachable(f"{server}: no arena answers there: {_remedy(details)}")
    if code is grpc.StatusCode.RESOURCE_EXHAUSTED and "larger than max" in details:
        return Unreachable(f"{server}: an answer was too large ({printable(details)[:200]})")
    kind = _ERRORS.get(code, ServiceError)
    return kind(printable(details)[:_MOST] or f"{server}: {code.name}")
