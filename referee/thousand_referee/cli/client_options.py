"""Options of the commands that call an arena server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from thousand_referee.errors import ConfigError

if TYPE_CHECKING:
    from thousand_referee.service.client import ArenaClient

DEFAULT_SERVER: Final = "127.0.0.1:7800"
TOKEN_FILE: Final = Path("~/.config/thousand/token")

_OPTIONS: Final = (
    click.option(
        "--server",
        metavar="HOST:PORT",
        envvar="THOUSAND_SERVER",
        default=DEFAULT_SERVER,
        show_default=f"$THOUSAND_SERVER, or {DEFAULT_SERVER}",
        help="The arena server.",
    ),
    click.option(
        "--token",
        metavar="TEXT",
        envvar="THOUSAND_TOKEN",
        help="Your token; better in $THOUSAND_TOKEN, or in a file, where nobody sees it.",
    ),
    click.option(
        "--token-file",
        type=click.Path(path_type=Path),
        help=f"A file with your token; by default {TOKEN_FILE}, if it is there.",
    ),
    click.option(
        "--ca",
        type=click.Path(path_type=Path),
        help="The certificate to trust, in PEM, if the server's is its own.",
    ),
    click.option(
        "--plaintext",
        is_flag=True,
        help="No TLS although the server is on another machine: the token can be read on the way.",
    ),
)


def client_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options; it gets an `ArenaClient` as ``client``, to be entered."""

    @wraps(command)
    def called(
        *args: Any,
        server: str,
        token: str | None,
        token_file: Path | None,
        ca: Path | None,
        plaintext: bool,
        **kwargs: Any,
    ) -> Any:
        with _client(server, token, token_file, ca, plaintext) as client:
            return command(*args, client=client, **kwargs)

    for option in reversed(_OPTIONS):
        called = option(called)
    return called


@contextmanager
def _client(
    server: str, token: str | None, token_file: Path | None, ca: Path | None, plaintext: bool
) -> Iterator[ArenaClient]:
    from thousand_referee.service.client import ArenaClient
    from thousand_referee.service.config import is_loopback, split_address

    host, _ = split_address(server) or ("", 0)
    tls = ca is not None or not (plaintext or is_loopback(host))
    with ArenaClient(server, token or _read_token(token_file), ca, tls=tls) as client:
        yield client


def _read_token(given: Path | None) -> str:
    """Read a token from a file; ConfigError if there is none."""
    path = (given or TOKEN_FILE).expanduser()
    try:
        token = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeError):
        if given is None:
            raise ConfigError(
                f"no token; set $THOUSAND_TOKEN, or put it into {path}; the organiser has one "
                "for you"
            ) from None
        raise ConfigError(f"--token-file: {path}: can't be read; check the path") from None
    if not token.isprintable():
        raise ConfigError(f"{path}: not a token; it is one line of letters and digits")
    return token
