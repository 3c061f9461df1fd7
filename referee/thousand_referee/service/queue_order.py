"""In which order submissions are examined when some of them meet with trouble."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

RETRY_SECONDS: Final = 30.0
"""After trouble a submission rests so long, and others go first."""

ATTEMPTS: Final = 3
"""So often a submission meets with trouble before it is to blame, if others pass meanwhile."""


@dataclass(slots=True)
class _Trouble:
    """How often it happened, until when the submission rests, and who had passed before."""

    count: int
    not_before: float
    passed_before: int


class QueueOrder:
    """Gives every submission its turn, however much trouble one of them makes.

    Those that had the least trouble come first, of these the oldest. What it knows is
    forgotten with the process: then all begin anew.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._trouble: dict[str, _Trouble] = {}
        self._passed = 0

    def choose(self, queued: Sequence[str]) -> str | None:
        """Give whose turn it is, of those in the queue, the oldest first; None if all rest."""
        ready = [each for each in queued if self._rest(each) <= 0]
        return min(ready, key=self._count, default=None)

    def rest(self, queued: Sequence[str]) -> float | None:
        """Give in how many seconds one of them has its turn; None if there is none."""
        return min((max(0.0, self._rest(each)) for each in queued), default=None)

    def note_trouble(self, submission: str) -> bool:
        """Count trouble with a submission; give whether it is the submission's own by now.

        It is when others pass: what is wrong with the machine would stop them, too.
        """
        trouble = self._trouble.setdefault(submission, _Trouble(0, 0.0, self._passed))
        trouble.count += 1
        trouble.not_before = self._clock() + RETRY_SECONDS
        return trouble.count >= ATTEMPTS and self._passed > trouble.passed_before

    def note_end(self, submission: str, *, by_check: bool) -> None:
        """Forget a submission that is done; `by_check` if its check came to an end."""
        self._trouble.pop(submission, None)
        self._passed += by_check

    def _count(self, submission: str) -> int:
        trouble = self._trouble.get(submission)
        return 0 if trouble is None else trouble.count

    def _rest(self, submission: str) -> float:
        trouble = self._trouble.get(submission)
        return 0.0 if trouble is None else trouble.not_before - self._clock()
