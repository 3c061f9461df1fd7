"""Every error the referee raises: trouble of ours or of the organiser, never a bot's fault.

::

    RefereeError                 one line for people: what, where, what to do next
    ├── ConfigError              a tournament file, bot folder or option is wrong
    ├── BotChanged               a bot's files are no longer those that were entered
    ├── DataError                the data folder can't be used
    │   └── LogError             a match log is wrong; names the file and the line
    └── MatchVoid                a match ended for no bot's doing; it is played again

A bot's misdeeds are not exceptions but `faults.Fault` values.
"""

from __future__ import annotations


class RefereeError(Exception):
    """Any error of this package; its text is one line that people can act on."""


class ConfigError(RefereeError):
    """A tournament file, a bot's folder or a command's option is missing or wrong."""


class BotChanged(RefereeError):
    """A bot's files changed while its tournament was under way; `now` says into what."""

    def __init__(self, name: str, folder: str, version: str, now: str) -> None:
        super().__init__(
            f"{folder}: the files of {name} were entered as version {version} and {now}; "
            "restore them, or enter the new ones under another name, then run again to go on"
        )
        self._arguments = (name, folder, version, now)

    def __reduce__(self) -> tuple[type[BotChanged], tuple[str, str, str, str]]:
        return BotChanged, self._arguments


class DataError(RefereeError):
    """The data folder is unreadable, unwritable, in use, or of a newer format."""


class LogError(DataError):
    """A match log is wrong. `line` counts from 1; 0 stands for the file as a whole."""

    def __init__(self, file: str, line: int, problem: str) -> None:
        super().__init__(f"{file}:{line}: {problem}" if line else f"{file}: {problem}")
        self.file = file
        self.line = line
        self.problem = problem

    def __reduce__(self) -> tuple[type[LogError], tuple[str, int, str]]:
        return LogError, (self.file, self.line, self.problem)


class MatchVoid(RefereeError):
    """A match could not be finished for reasons that are no bot's; nothing counts."""
