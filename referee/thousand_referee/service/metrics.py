"""What the server counts, for Prometheus."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from prometheus_client import CollectorRegistry, Counter, Histogram
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from thousand_referee.matchlog.summary import MatchSummary
from thousand_referee.service.submission_store import SubmissionStore
from thousand_referee.submitted import State


class Metrics:
    """Counts since the server's start, and how the submissions are now."""

    def __init__(self, store: SubmissionStore) -> None:
        self._registry = registry = CollectorRegistry()
        self._matches = Counter(
            "thousand_matches", "Matches by how they ended.", ["result"], registry=registry
        )
        self._games = Counter("thousand_games", "Games of finished matches.", registry=registry)
        self._faults = Counter(
            "thousand_faults", "Faults of bots by kind.", ["kind"], registry=registry
        )
        self._fits = Histogram(
            "thousand_standings_fit_seconds",
            "Time to compute standings.",
            buckets=(0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60),
            registry=registry,
        )
        for result in ("finished", "void"):
            self._matches.labels(result)
        registry.register(_Submissions(store))

    def match_finished(self, tournament: str, summary: MatchSummary) -> None:
        """Count a match with its games and faults."""
        self._matches.labels("finished").inc()
        self._games.inc(len(summary.games))
        for kinds in summary.faults:
            for kind, count in kinds.items():
                self._faults.labels(kind).inc(count)

    def match_voided(self, tournament: str, reason: str) -> None:
        """Count a match that came to nothing."""
        self._matches.labels("void").inc()

    def standings_fitted(self, seconds: float) -> None:
        """Count a fit."""
        self._fits.observe(seconds)

    async def app(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request with all, in Prometheus' format; this asks the database."""
        text = await asyncio.to_thread(generate_latest, self._registry)
        response = Response(text, headers={"content-type": CONTENT_TYPE_LATEST})
        await response(scope, receive, send)


class _Submissions:
    """Counts submissions when it is asked."""

    def __init__(self, store: SubmissionStore) -> None:
        self._store = store

    def describe(self) -> Iterable[Metric]:
        """Give nothing, so that registering doesn't ask the database."""
        return ()

    def collect(self) -> Iterable[Metric]:
        """Give their number by state, and how many are waiting."""
        counts = self._store.counts()
        by_state = GaugeMetricFamily(
            "thousand_submissions", "Submissions by state.", labels=["state"]
        )
        for state, count in counts.items():
            by_state.add_metric([state.value], count)
        yield by_state
        waiting = counts[State.QUEUED] + counts[State.BUILDING] + counts[State.CHECKING]
        yield GaugeMetricFamily("thousand_queue_length", "Submissions not done.", value=waiting)
