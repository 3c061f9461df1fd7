"""Every error the SDK raises, by who is to blame.

::

    ThousandError
    ├── RulesError           an action can't be carried out; nothing was changed
    │   ├── MalformedAction  no such card or choice exists
    │   └── IllegalAction    it exists, and the rules forbid it here and now
    ├── MalformedMessage     bytes that are no message of the protocol
    └── NoReferee            there is no referee to talk to, or it hung up
"""

from __future__ import annotations


class ThousandError(Exception):
    """Any error of this package."""


class RulesError(ThousandError, ValueError):
    """An action that can't be carried out; the state it was meant for is unchanged."""


class MalformedAction(RulesError):
    """A thing that is no action at all, such as an unknown card."""


class IllegalAction(RulesError):
    """A well-formed action that the rules forbid in this state."""


class MalformedMessage(ThousandError):
    """Bytes that can't be read as a message of the protocol."""


class NoReferee(ThousandError):
    """The referee can't be reached, turned the bot away, or hung up before the end."""
