"""What the arena service knows of people, their bots and their submissions: plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Role(StrEnum):
    """What a user may do: an organiser may do all that an author may."""

    AUTHOR = "author"
    ORGANISER = "organiser"


class State(StrEnum):
    """How far a submission is. The last two are final."""

    QUEUED = "queued"
    BUILDING = "building"
    CHECKING = "checking"
    READY = "ready"
    REFUSED = "refused"

    @property
    def is_final(self) -> bool:
        """Whether nothing more will happen to the submission."""
        return self in (State.READY, State.REFUSED)


class Phase(StrEnum):
    """How far a tournament of the arena service is.

    Bots can be entered while it is `OPEN`. One of mode "open" is played meanwhile, one of
    mode "fixed" waits until it is started, and then is `RUNNING`. `CLOSED` is for ever.
    """

    OPEN = "open"
    RUNNING = "running"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class User:
    """Somebody with a token. Times are ISO 8601; `revoked` is None while the token is good."""

    name: str
    role: Role
    created: str
    revoked: str | None

    @property
    def is_organiser(self) -> bool:
        """Whether this user may do everything."""
        return self.role is Role.ORGANISER


@dataclass(frozen=True, slots=True)
class Submission:
    """One submission of a bot. All texts in it may be hostile: show them as text only.

    `reason` says why it was refused, or why it is ready but not entered. `build_log` is the end of
    what was said while it was unpacked and its image built. `report` is what
    ``thousand check --json`` prints, None before the check is done. `version` (16 hex
    digits) and `number` (which version of the bot it is, from 1) are known when it is
    ready. `tournament` is where it is to be entered then, if anywhere. `ahead` is how many
    submissions are dealt with before it. Times are ISO 8601, in UTC.
    """

    id: str
    bot: str
    owner: str
    state: State
    reason: str
    build_log: str
    report: Mapping[str, Any] | None
    version: str | None
    number: int | None
    tournament: str | None
    created: str
    changed: str
    ahead: int = 0


@dataclass(frozen=True, slots=True)
class Entered:
    """Where a version is entered: in which tournament, under which name, and if it still plays."""

    tournament: str
    entry: str
    retired: bool


@dataclass(frozen=True, slots=True)
class SubmittedVersion:
    """A version of a bot that passed its check; `number` counts the bot's versions from 1."""

    number: int
    version: str
    submission: str
    description: str
    created: str
    entered: tuple[Entered, ...]


@dataclass(frozen=True, slots=True)
class SubmittedBot:
    """A bot that was submitted; `versions` are those that passed their check, the first first."""

    name: str
    owner: str
    created: str
    versions: tuple[SubmittedVersion, ...]

    def version(self, number: int | None = None) -> SubmittedVersion | None:
        """Give one version, or the latest; None if there is no such one."""
        if number is None:
            return self.versions[-1] if self.versions else None
        return next((each for each in self.versions if each.number == number), None)


def entry_name(bot: str, number: int) -> str:
    """Give the name under which a version is entered: ``counter``, ``counter#2`` and so on."""
    return bot if number == 1 else f"{bot}#{number}"
