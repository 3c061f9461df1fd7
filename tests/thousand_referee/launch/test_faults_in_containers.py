"""The faulty bots again, each locked into a container, against two honest ones there."""

from __future__ import annotations

from pathlib import Path

import pytest

from docker_bench import containers, in_sandbox, needs_docker, with_image
from fault_bench import CASES, CONTAINER_CONNECT_SECONDS, GAMES, SEAT, Case, play, said
from match_maker import EXAMPLES, copy_faulty, match_spec
from thousand_referee.spec import FaultLimits, TimeLimits

pytestmark = [pytest.mark.usefixtures("needs_docker"), pytest.mark.timeout(300)]
__all__ = ["needs_docker"]

LIMITS = TimeLimits(
    move_ms=500,
    bank_ms=1_000,
    connect_ms=round(1000 * CONTAINER_CONNECT_SECONDS),
    match_ms=60_000,
)
PATIENT = TimeLimits(move_ms=60_000, connect_ms=120_000)
"""For bots that fail by themselves, however busy the machine."""

ALWAYS = ("memory_bomb", "fork_bomb", "fills_disk", "floods_errors", "snoops")
"""Those that need a container most; the others are played by `make fault-table`."""


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(
            case, id=case.name, marks=() if case.name in ALWAYS else pytest.mark.containers
        )
        for case in CASES
    ],
)
def test_faults_reach_that_seat_only_and_nothing_is_left(case: Case, tmp_path: Path) -> None:
    kinds = case.kinds if case.locked is None else case.locked
    is_patient = not ("timeout" in kinds or case.waits_for_connect or case.name == "just_in_time")
    first, last = (with_image(EXAMPLES / name) for name in ("random", "cautious"))
    spec = match_spec(
        tmp_path,
        first,
        with_image(copy_faulty(case.name, tmp_path), case.name),
        last,
        name=f"docker-{case.name.replace('_', '-')}",
        games=GAMES,
        tables=GAMES,
        time=PATIENT if is_patient else LIMITS,
        faults=FaultLimits(per_game=3, restarts=case.restarts),
    )
    faults = play(case, in_sandbox(spec), "docker", lambda: containers(spec.match))
    assert {fault.seat for fault in faults} <= {SEAT}
    assert tuple(sorted({fault.kind for fault in faults})) == kinds
    assert not faults or any(case.detail in fault.detail for fault in faults)
    if case.name in ("dials_others", "steals_tokens"):
        assert said(spec).endswith(" 0\n")
    if case.name == "floods_errors":
        assert "bytes left out" in said(spec)
    if case.name == "snoops":
        assert said(spec) == "secrets []\n"
