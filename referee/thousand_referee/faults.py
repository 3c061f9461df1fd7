"""The ways in which a bot can fail."""

from __future__ import annotations

from enum import StrEnum


class FaultKind(StrEnum):
    """What a bot did wrong; the values are those of the log.

    Each is the bot's own doing. Trouble of the referee's is an error (`errors`) and
    never a fault.
    """

    TIMEOUT = "timeout"
    """No answer within the time for the decision and the bank."""
    ILLEGAL = "illegal"
    """A well-formed answer that the rules forbid."""
    MALFORMED = "malformed"
    """An answer that can't be read, or that answers another question."""
    CRASH = "crash"
    """The process ended, or hung up, before the match was over."""
    NO_START = "no-start"
    """The process did not say hello in time."""
