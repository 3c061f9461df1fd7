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
    `one_table` the same with one, `bare` a gRPC stream with the messages that `tables`
    tables need when nobody works at the same time. Fuller messages are cheaper, so
    `decisions_per_message` is given for both. `parts` tells what each part costs within
    one process, `rest_us` what is left of the full path: gRPC, event loop, log, start of
    the bots.
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
    bare_decisions_per_message: float
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
    full, one, bare, rules, talks = [], [], [], [], []
    for number in range(1, rounds + 1):
        tell(f"round {number} of {rounds}: full path, {tables} tables")
        full.append(measure_full(games, tables))
        tell(f"round {number} of {rounds}: full path, one table")
        one.append(measure_full(one_table_games, 1))
        tell(f"round {number} of {rounds}: parts and bare stream")
        talks.append(converse(games, tables))
        bare.append(measure_bare(talks[-1]))
        tell(f"round {number} of {rounds}: rules alone")
        rules.append(measure_rules(RULES_DEALS))
    parts = {
        part: median(1e6 * talk.seconds[part] / talk.decisions for talk in talks)
        for part in talks[0].seconds
    }
    referee_us = median(each.referee_us for each in full)
    bots_us = median(each.bots_us for each in full)
    return Report(
        rounds=rounds,
        tables=tables,
        full=median(each.rate for each in full),
        one_table=median(each.rate for each in one),
        bare=median(each.rate for each in bare),
        rules_deals=median(rules),
        full_to_one_table=median(a.rate / b.rate for a, b in zip(full, one, strict=True)),
        full_to_bare=median(a.rate / c.rate for a, c in zip(full, bare, strict=True)),
        decisions_per_message=median(each.decisions / each.messages for each in full),
        bare_decisions_per_message=talks[0].decisions / sum(map(len, talks[0].exchanges)),
        referee_us=referee_us,
        bots_us=bots_us,
        one_table_referee_us=median(each.referee_us for each in one),
        one_table_bots_us=median(each.bots_us for each in one),
        bare_us=median(each.server_us for each in bare),
        parts=parts,
        rest_us=referee_us + bots_us - sum(parts.values()),
    )
