"""From the store, the logs and the record of voids to what an organiser should know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np

from thousand_referee.audit.collusion import CollusionReport, find_collusion
from thousand_referee.audit.log_check import check_logs, logs_without_match
from thousand_referee.audit.void_check import void_suspicions
from thousand_referee.ratings.blocks import SEATINGS, collect_blocks
from thousand_referee.store.match_records import MatchRecord, match_records
from thousand_referee.times import BUCKETS_PER_OCTAVE, TimeHistogram
from thousand_referee.tournament import Arena
from thousand_referee.voids import Void, read_voids

MANY_FAULTS: Final = 1.0
"""Faults in 1,000 decisions from which on a bot is named among the conclusions."""

MANY_SLOW: Final = 1.0
"""Decisions in 1,000 that took longer than their time, from which on a bot is named."""

LONG_LAG_MS: Final = 250.0
"""A referee that was late by so much at once was on a machine with too much to do."""

LAG_SHARES: Final = (0.5, 0.9, 0.99, 1.0)


@dataclass(slots=True)
class BotFigures:
    """What one bot did in all its matches; `slow` counts decisions beyond their time."""

    asked: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    times: TimeHistogram = field(default_factory=TimeHistogram)
    slow: int = 0

    def rate(self, count: int) -> float:
        """Give a count per 1,000 decisions."""
        return 1000 * count / self.asked if self.asked else 0.0


@dataclass(frozen=True, slots=True)
class Lag:
    """How late the referee was: by share of the matches, at once, at most, in milliseconds."""

    quantiles_ms: tuple[float, ...]
    worst_match: str


@dataclass(frozen=True, slots=True)
class Audit:
    """All there is to know. `move_ms` is the time for a decision (None if not known).

    `output` is the folder of what the bots printed, with a folder for each match.
    `wrong_logs` and `stray_logs` (of no entered match) have a line each. `suspicious`
    and `troubles` are the conclusions: what may be foul play, and what went wrong. `notes`
    are about the machine, and in nobody's way.
    """

    tournament: str
    matches: int
    games: int
    blocks: int
    move_ms: int | None
    bots: Mapping[str, BotFigures]
    output: Path
    lag: Lag | None
    voids: tuple[Void, ...]
    wrong_logs: tuple[str, ...]
    stray_logs: tuple[str, ...]
    collusion: CollusionReport
    suspicious: tuple[str, ...]
    troubles: tuple[str, ...]
    notes: tuple[str, ...]


def audit_tournament(
    arena: Arena, name: str, checked: Callable[[int, int], None] = lambda _done, _total: None
) -> Audit:
    """Look at all that a tournament left behind; DataError if there is no such one.

    `checked` is told how many logs of how many have been verified.
    """
    stored = arena.store.tournament(name)
    records = list(match_records(arena.store, name))
    time = stored.config.get("time", {})
    move_ms = time.get("move_ms") if isinstance(time, Mapping) else None
    names = [entry.name for entry in stored.entries]
    bots = _bot_figures(names, records, move_ms)
    blocks = collect_blocks(arena.store.game_table(name), names)
    collusion = find_collusion(blocks)
    wrong = tuple(check_logs(records, arena.data.logs, stored.seed, stored.config, checked))
    stray = tuple(logs_without_match(records, arena.data.logs / name))
    voids = read_voids(arena.data.voids / f"{name}.jsonl")
    lag = _lag_of(records)
    return Audit(
        tournament=name,
        matches=stored.matches,
        games=stored.games,
        blocks=blocks.count,
        move_ms=move_ms,
        bots=bots,
        output=arena.data.output / name,
        lag=lag,
        voids=voids,
        wrong_logs=wrong,
        stray_logs=stray,
        collusion=collusion,
        suspicious=(
            *_suspicions(collusion, wrong, stray),
            *void_suspicions(voids, [record.bots for record in records]),
        ),
        troubles=tuple(_troubles(bots, voids, blocks.games_left_out)),
        notes=tuple(_notes(lag)),
    )


def _bot_figures(
    names: Sequence[str], records: Sequence[MatchRecord], move_ms: int | None
) -> dict[str, BotFigures]:
    bots = {name: BotFigures() for name in names}
    for record in records:
        for seat, name in enumerate(record.bots):
            figures = bots[name]
            figures.asked += record.asked(seat)
            figures.faults.update(record.faults[seat])
            figures.times.merge(TimeHistogram.from_json(record.times[seat]))
    if move_ms is not None:
        for figures in bots.values():
            figures.slow = _longer_than(figures.times, 1000 * move_ms)
    return bots


def _longer_than(times: TimeHistogram, microseconds: int) -> int:
    """Count the decisions in buckets that lie beyond a time: none too many."""
    return sum(
        count
        for bucket, count in times.counts.items()
        if 2 ** (bucket / BUCKETS_PER_OCTAVE) >= microseconds
    )


def _lag_of(records: Sequence[MatchRecord]) -> Lag | None:
    if not records:
        return None
    lags = np.array([record.lag_ms for record in records])
    quantiles = np.quantile(lags, LAG_SHARES, method="higher")
    return Lag(tuple(map(float, quantiles)), records[int(lags.argmax())].match)


def _suspicions(
    collusion: CollusionReport, wrong: Sequence[str], stray: Sequence[str]
) -> list[str]:
    found = []
    if wrong:
        found.append(f"{_count(len(wrong), 'log')} wrong or missing: see below")
    if stray:
        found.append(f"{_count(len(stray), 'log')} of no match that was entered: see below")
    for each in collusion.accused:
        gain = (
            f"{each.help:.1f} points a deal"
            if each.margin == "points"
            else f"{100 * each.help:.0f}% of the games"
        )
        found.append(
            f"{each.helped} gains {gain} on others when {each.helper} is at the table "
            f"(± {_spelled(each.margin, 2 * each.error)}; chance {each.corrected:.2g} by luck)"
        )
    return found


def _spelled(margin: str, value: float) -> str:
    return f"{value:.1f}" if margin == "points" else f"{100 * value:.0f}%"


def _notes(lag: Lag | None) -> list[str]:
    if lag is None or lag.quantiles_ms[-1] < LONG_LAG_MS:
        return []
    worst = f"{lag.quantiles_ms[-1]:,.0f} ms"
    told = f"the machine was busy and held the referee up, by {worst} at most: charged to nobody"
    return [f"{told}; fewer --jobs would leave it more time"]


def _troubles(bots: Mapping[str, BotFigures], voids: Sequence[Void], left_out: int) -> list[str]:
    found = []
    for name, figures in bots.items():
        rate = figures.rate(figures.faults.total())
        if rate >= MANY_FAULTS:
            kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(figures.faults.items()))
            found.append(f"{name} had {rate:.1f} faults in 1,000 decisions: {kinds}")
        if figures.rate(figures.slow) >= MANY_SLOW:
            found.append(
                f"{name} took longer than the time for a decision {figures.slow:,} times, "
                f"{figures.rate(figures.slow):.1f} in 1,000"
            )
    if voids:
        found.append(f"{_count(len(voids), 'match', 'matches')} void, and played again: see below")
    if left_out:
        found.append(
            f"{left_out:,} games are of unfinished blocks ({SEATINGS} games each), "
            "which statistics leave out"
        )
    return found


def _count(number: int, one: str, many: str | None = None) -> str:
    word = one if number == 1 else many or f"{one}s"
    return f"{number:,} {word} {'is' if number == 1 else 'are'}"
