"""Users and their tokens.

A token is 32 random bytes, shown once. The database has its SHA-256 only, which is enough
for what can't be guessed: whoever reads the database can't sign in with it.
"""

from __future__ import annotations

import hmac
import secrets
from datetime import UTC, datetime
from hashlib import sha256
from typing import Final

from sqlalchemy import insert, select, update

from thousand_referee.bots import NAME_RULE, is_name
from thousand_referee.errors import Missing, Unacceptable, WrongState
from thousand_referee.store import Store
from thousand_referee.store.engine import reading, writing
from thousand_referee.store.schema import users
from thousand_referee.submitted import Role, User

TOKEN_BYTES: Final = 32
MAX_TOKEN: Final = 200
"""Characters; a longer text is nobody's token."""


def now() -> str:
    """Give the time as it is stored."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def hash_of(token: str) -> str:
    """Give what is kept of a token."""
    return sha256(token.encode(errors="replace")).hexdigest()


class Accounts:
    """The users of an arena. All methods raise DataError when the database fails."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def add(self, name: str, role: Role) -> str:
        """Add a user; give the token, which can't be had again.

        Unacceptable for what is no name, WrongState if there is such a user.
        """
        if not is_name(name):
            raise Unacceptable(f"user {name!r}: no name; use {NAME_RULE}")
        token = secrets.token_urlsafe(TOKEN_BYTES)
        with writing(self._store.engine) as connection:
            if connection.scalar(select(users.c.id).where(users.c.name == name)) is not None:
                raise WrongState(f"user {name!r}: is there already; choose another name")
            connection.execute(
                insert(users).values(
                    name=name, role=role.value, token_sha256=hash_of(token), created=now()
                )
            )
        return token

    def renew(self, name: str) -> str:
        """Give a user a new token; the old one, or that it was revoked, is forgotten."""
        token = secrets.token_urlsafe(TOKEN_BYTES)
        self._change(name, token_sha256=hash_of(token), revoked=None)
        return token

    def revoke(self, name: str) -> None:
        """Make a user's token void at once. Missing if there is no such user."""
        self._change(name, revoked=now())

    def users(self) -> tuple[User, ...]:
        """Give all users, by name."""
        with reading(self._store.engine) as connection:
            rows = connection.execute(select(users).order_by(users.c.name))
            return tuple(User(row.name, Role(row.role), row.created, row.revoked) for row in rows)

    def user_of(self, token: str) -> User | None:
        """Give whose token it is; None if it is nobody's, or was revoked.

        All tokens are compared, each in constant time, so the time tells nothing.
        """
        if len(token) > MAX_TOKEN:
            return None
        wanted = hash_of(token)
        found = None
        with reading(self._store.engine) as connection:
            for row in connection.execute(select(users)):
                if hmac.compare_digest(row.token_sha256, wanted):
                    found = row
        if found is None or found.revoked is not None:
            return None
        return User(found.name, Role(found.role), found.created, None)

    def _change(self, name: str, **values: str | None) -> None:
        with writing(self._store.engine) as connection:
            same = users.c.name == name
            if connection.execute(update(users).where(same).values(**values)).rowcount == 0:
                known = connection.scalars(select(users.c.name).order_by(users.c.name)).all()
                listing = f"there are {', '.join(known)}" if known else "there is none yet"
                raise Missing(f"no user {name!r}; {listing}")
