"""The bench: all measurements in one run, alternating, and what they come to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Final

from thousand_referee.bench.bare import measure_bare
from thousand_referee.bench.full import measure_full
from thousand_referee.bench.parts import converse, measure_rules

RULES_DEALS: Final = 3_000


@dataclass(frozen=True, slots=True)
class Report:
    """Medians over the rounds.

    Rates are decisions a second, but `rules_deals` deals a second; costs are processor
    microseconds a decision. `full` is the path of tournaments at `tables` tables,
    `one_table` the same with one, `bare` a gRPC stream with the very messages of `full`.
    Fuller messages are cheaper: `decisions_per_message` says how full. `parts` tells what
    each part costs within one process, `rest_us` what is left of the full path: gRPC, event
    loop, log, start of the bots.
    """

    rounds: int
    tables: int
    full: float
    one_table: float
    bare: float
    rules_deals: float
    full_to_one_table: float
    full_to_bare: float
    decisions_per_message: float
    referee_us: float
    bots_us: float
    one_table_referee_us: float
    one_table_bots_us: float
    bare_us: float
    parts: dict[str, float]
    rest_us: float


def run_bench(
    rounds: int, tables: int, games: int, one_table_games: int, tell: Callable[[str], None]
) -> Report:
    """Measure everything `rounds` times in turn; `tell` hears what is being measured.

    ValueError for fewer games than tables, since then not all tables are in use.
    """
    if games < tables:
        raise ValueError(f"{tables} tables need at least as many games, not {games}")
    full, one, bare, rules, parted = [], [], [], [], []
    for number in range(1, rounds + 1):
        # What is compared with the full path stands next to it: a machine's speed drifts.
        tell(f"round {number} of {rounds}: full path, one table")
        one.append(measure_full(one_table_games, 1)[0])
        tell(f"round {number} of {rounds}: full path, {tables} tables")
        figures, talks = measure_full(games, tables)
        full.append(figures)
        tell(f"round {number} of {rounds}: bare stream, and the parts")
        bare.append(measure_bare(talks))
        parted.append(converse(tables, tables))
        tell(f"round {number} of {rounds}: rules alone")
        rules.append(measure_rules(RULES_DEALS))
    parts = {
        part: median(1e6 * talk.seconds[part] / talk.decisions for talk in parted)
        for part in parted[0].seconds
    }
    referee_us = median(each.referee_us for each in full)
    bots_us = median(each.bots_us for each in full)
    return Report(
        rounds=rounds,
        tables=tables,
        full=median(each.rate for each in full),
        one_table=median(each.rate for each in one),
        bare=median(a.decisions / c.seconds for a, c in zip(full, bare, strict=True)),
        rules_deals=median(rules),
        full_to_one_table=median(a.rate / b.rate for a, b in zip(full, one, strict=True)),
        full_to_bare=median(c.seconds / a.seconds for a, c in zip(full, bare, strict=True)),
        decisions_per_message=median(each.decisions / each.messages for each in full),
        referee_us=referee_us,
        bots_us=bots_us,
        one_table_referee_us=median(each.referee_us for each in one),
        one_table_bots_us=median(each.bots_us for each in one),
        bare_us=median(
            1e6 * c.server_seconds / a.decisions for a, c in zip(full, bare, strict=True)
        ),
        parts=parts,
        rest_us=referee_us + bots_us - sum(parts.values()),
    )
