"""What can be wrong with an action, by kind.

::

    RulesError
    ├── MalformedAction   no such card, amount or kind of action exists
    └── IllegalAction     it exists, and the rules forbid it here and now
"""

from __future__ import annotations


class RulesError(ValueError):
    """An action that can't be carried out; the state it was meant for is unchanged."""


class MalformedAction(RulesError):
    """A thing that is no action at all: an unknown card, an amount off the scale."""


class IllegalAction(RulesError):
    """A well-formed action that the rules forbid in this state."""
