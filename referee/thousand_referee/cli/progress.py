"""Telling people on standard error how a run goes, and how long it will take."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Final, TextIO

from thousand_referee.cli.status_line import StatusLine
from thousand_referee.matchlog.summary import MatchSummary
from thousand_referee.spec import MatchSpec

DRAINING: Final = "finishing the matches under way; press Ctrl-C again to stop at once"

_GAME_MARK: Final = b'{"type":"game"'


class GameCounter:
    """Counts the games that a running match's log holds, reading each byte once."""

    def __init__(self, spec: MatchSpec) -> None:
        self._path = Path(spec.log_dir) / f"{spec.match}.jsonl"
        self._offset = 0
        self.games = 0

    def look(self) -> int:
        """Give the number of finished games so far."""
        try:
            with self._path.open("rb") as log:
                log.seek(self._offset)
                data = log.read()
        except OSError:
            return self.games
        whole = data[: data.rfind(b"\n") + 1]
        self._offset += len(whole)
        self.games += whole.count(_GAME_MARK)
        return self.games


class Progress:
    """Games played, of how many, and the time left."""

    def __init__(self, label: str, out: TextIO | None = None) -> None:
        self._label = label
        self._line = StatusLine(out)
        self._total = 0
        self._before = 0
        self._finished = 0
        self._counters: dict[str, GameCounter] = {}
        self._began = time.monotonic()

    def planned(self, total: int, done: int) -> None:
        """Begin: so many games, and so many of them played before this run."""
        self._total = total
        self._before = self._finished = done
        if done:
            self.say(f"{self._label}: {done:,} of {total:,} games were played before")
        self.ticked()

    def started(self, spec: MatchSpec) -> None:
        """Follow a match's log."""
        self._counters[spec.match] = GameCounter(spec)

    def finished(self, spec: MatchSpec, summary: MatchSummary) -> None:
        """Count a whole match."""
        del self._counters[spec.match]
        self._finished += len(summary.games)

    def voided(self, spec: MatchSpec, reason: str) -> None:
        """Say that a match is played again."""
        del self._counters[spec.match]
        self.say(f"{spec.match} is void and will be played again: {reason}")

    def ticked(self) -> None:
        """Tell how it goes, if it is time to."""
        self._line.tick(lambda: self.describe(time.monotonic()))

    def say(self, text: str) -> None:
        """Write a line of its own."""
        self._line.say(text)

    def clear(self) -> None:
        """Take the line of progress off the terminal."""
        self._line.clear()

    def describe(self, now: float) -> str:
        """Say how it goes: ``demo: 120 of 480 games, 45 s left``."""
        games = self._finished + sum(counter.look() for counter in self._counters.values())
        elapsed = now - self._began
        played = games - self._before
        text = f"{self._label}: {games:,} of {self._total:,} games"
        if played > 0 and games < self._total:
            text += f", {_spell_seconds(elapsed / played * (self._total - games))} left"
        elif not played:
            text += ", starting bots"
        return text


def _spell_seconds(seconds: float) -> str:
    whole = round(seconds)
    if whole < 100:
        return f"{whole} s"
    if whole < 6000:
        return f"{round(whole / 60)} min"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"


GO_ON: Final = "run the same command again to go on"
"""What to do after a tournament was stopped."""


def stop_at_once(remedy: str) -> None:
    """End without waiting: match processes notice, and end their bots."""
    print(f"\nstopped at once; {remedy}", file=sys.stderr, flush=True)
    os._exit(130)
