"""Every error the referee raises: trouble of ours or of the organiser, never a bot's fault.

::

    RefereeError                 one line for people: what, where, what to do next
    ├── ConfigError              a tournament file, bot folder or option is wrong
    │   └── BuildFailed          a bot's image can't be built, for what its files are
    ├── BotChanged               a bot's files are no longer those that were entered
    ├── DataError                the data folder can't be used
    │   └── LogError             a match log is wrong; names the file and the line
    ├── ClusterLost              the scheduler that hands out the matches is gone
    ├── MatchVoid                a match ended for no bot's doing; it is played again
    │   ├── NotBegun             it waited for its turn, and the run is ending
    │   └── ContainerRefused     the engine started no container of a bot's image
    └── ServiceError             a call to the arena service can't be granted
        ├── NotSignedIn          without a token that is good
        ├── NotAllowed           by this user
        ├── Missing              there is no such thing
        ├── Unacceptable         what was sent is wrong: it will never do
        ├── TooMuch              beyond a limit; later it may do
        ├── WrongState           not now, as things are
        └── Unreachable          the server can't be reached, or broke off

A bot's misdeeds are not exceptions but `faults.Fault` values.
"""

from __future__ import annotations


class RefereeError(Exception):
    """Any error of this package; its text is one line that people can act on."""


class ConfigError(RefereeError):
    """A tournament file, a bot's folder or a command's option is missing or wrong."""


class BuildFailed(ConfigError):
    """A bot's files make no image, or one that may not be; nothing is wrong with the engine."""


class BotChanged(RefereeError):
    """A bot's files changed while its tournament was under way; `now` says into what."""

    def __init__(self, name: str, folder: str, version: str, now: str) -> None:
        super().__init__(
            f"{folder}: the files of {name} were entered as version {version} and {now}; "
            "restore them, or enter the new ones under another name, then run again to go on"
        )
        self.name = name
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


class ClusterLost(RefereeError):
    """The scheduler of a cluster is gone, or let go of the matches."""


class MatchVoid(RefereeError):
    """A match could not be finished for reasons that are no bot's; nothing counts."""


class ContainerRefused(MatchVoid):
    """The engine answers, but starts no container of an image; which may be to blame."""


class NotBegun(MatchVoid):
    """A match had its bots started and nothing played when the run began to end."""


class ServiceError(RefereeError):
    """A call to the arena service can't be granted; the same error at both of its ends."""


class NotSignedIn(ServiceError):
    """There is no token, or it is nobody's, or was revoked."""


class NotAllowed(ServiceError):
    """The user isn't one who may do this."""


class Missing(ServiceError):
    """There is no tournament, bot, submission, match or user of this name."""


class Unacceptable(ServiceError):
    """What was sent is wrong in itself, such as an archive or a name."""


class TooMuch(ServiceError):
    """A limit is reached: of size, or of what waits for this author."""


class WrongState(ServiceError):
    """It can't be done as things are, such as entering a tournament that is closed."""


class Unreachable(ServiceError):
    """The server doesn't answer, or went away in the middle of a call."""
