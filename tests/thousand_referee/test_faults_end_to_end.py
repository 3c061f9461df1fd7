"""A bot can fail in every way and nothing breaks: real matches with one faulty bot each.

`make fault-table` writes what came out to docs/FAULTY_BOTS.md, with those in containers.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from fault_bench import CASES, CONNECT_SECONDS, GAMES, SEAT, Case, folders, play, said
from match_maker import EXAMPLES, bot, faulty_bot, match_spec
from thousand_referee.spec import BotVersion, FaultLimits, TimeLimits

LIMITS = TimeLimits(
    move_ms=500, bank_ms=1_000, connect_ms=round(1000 * CONNECT_SECONDS), match_ms=60_000
)


def test_every_faulty_bot_has_a_case() -> None:
    names = [case.name for case in CASES]
    assert set(names) == folders()
    assert len(set(names)) == len(names)


QUICK = (
    "burns_processor", "dies_on_import", "dials_others", "exits_at_once", "floods_errors", "forks",
    "kills_keeper", "leaves_children", "leaves_comet", "prints", "steals_tokens",
    "unknown_decision",
)  # fmt: skip
"""One of each sort; all the others are part of `make studies`."""


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=case.name, marks=() if case.name in QUICK else pytest.mark.study)
        for case in CASES
        if case.everywhere
    ],
)
def test_faults_reach_that_seat_only_and_nothing_is_left(case: Case, tmp_path: Path) -> None:
    faulty = faulty_bot(case.name, tmp_path)
    if case.name == "not_found":
        faulty = BotVersion(faulty.name, faulty.version, faulty.folder, ("./no-such-program",))
    spec = match_spec(
        tmp_path,
        bot(EXAMPLES / "random"),
        faulty,
        bot(EXAMPLES / "cautious"),
        games=GAMES,
        tables=GAMES,
        time=LIMITS,
        faults=FaultLimits(per_game=3, restarts=case.restarts),
    )
    faults = play(case, spec, "process")
    assert {fault.seat for fault in faults} <= {SEAT}
    assert tuple(sorted({fault.kind for fault in faults})) == case.kinds
    if case.name in ("dials_others", "steals_tokens"):
        # It does find them, here where it isn't locked in.
        assert said(spec).startswith("other ")
        assert said(spec).endswith(" 2\n")
