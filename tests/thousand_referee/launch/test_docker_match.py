"""Real matches in containers: honest ones, hostile ones, and what is left of either."""

from __future__ import annotations

import json
import os
import shutil
import socket
import textwrap
from pathlib import Path
from typing import Any

import pytest

from docker_bench import containers, in_sandbox, needs_docker, program, with_image
from match_maker import EXAMPLES, FAULTY, match_spec
from thousand_referee.match import play_match
from thousand_referee.matchlog.reader import read_log
from thousand_referee.matchlog.records import FaultLine
from thousand_referee.matchlog.summary import MatchSummary
from thousand_referee.matchlog.verify import verify_log
from thousand_referee.spec import FaultLimits, MatchSpec, TimeLimits

pytestmark = [pytest.mark.usefixtures("needs_docker"), pytest.mark.timeout(300)]
__all__ = ["needs_docker"]

SEAT = 1
PATIENT = TimeLimits(move_ms=60_000, connect_ms=120_000)
"""For bots that fail by themselves, however busy the machine."""


def play(spec: MatchSpec) -> tuple[MatchSummary, list[FaultLine]]:
    """Play a match; check its log, and that no container is left of it."""
    summary = play_match(spec)
    path = Path(spec.log_dir) / f"{spec.match}.jsonl.gz"
    verify_log(path)
    assert containers(spec.match) == []
    return summary, [line for _, line in read_log(path) if isinstance(line, FaultLine)]


def output_of(spec: MatchSpec, seat: int, start: str = "") -> str:
    folder = Path(spec.output_dir) / spec.match
    return (folder / f"{seat}-{spec.bots[seat].name}{start}.log").read_text()


def match_against(
    tmp_path: Path, folder: Path, name: str, time: TimeLimits = PATIENT, **settings: Any
) -> MatchSpec:
    """Describe a match of two honest bots against the one in a folder."""
    honest = [with_image(EXAMPLES / each) for each in ("cautious", "random")]
    spec = match_spec(
        tmp_path,
        honest[0],
        with_image(folder, "bad"),
        honest[1],
        name=name,
        time=time,
        faults=FaultLimits(restarts=1),
        **settings,
    )
    return in_sandbox(spec)


def test_example_bots_play_as_they_do_without(tmp_path: Path) -> None:
    bots = [with_image(EXAMPLES / name) for name in ("counter", "cautious", "random")]
    spec = match_spec(tmp_path, *bots, name="docker-honest", games=3, tables=3, seed="x")
    summary, faults = play(in_sandbox(spec))
    assert not faults
    bare, _ = play(match_spec(tmp_path / "bare", *bots, name="bare", games=3, tables=3, seed="x"))
    assert [game.scores for game in summary.games] == [game.scores for game in bare.games]


@pytest.mark.parametrize(
    ("command", "how"),
    [
        ('["no-such-program"]', "it exited with status 127 before it said hello"),
        ('["python", "-c", "import os; os.kill(os.getpid(), 15)"]', "it was killed by SIGTERM"),
        ('["python", "-c", "import os; os.close(1); os.close(2)"]', "it exited with status 0"),
    ],
)
def test_how_a_bot_ended_is_told(tmp_path: Path, command: str, how: str) -> None:
    folder = program(tmp_path / "bot", "")
    (folder / "bot.toml").write_text(f"command = {command}\n")
    _, faults = play(match_against(tmp_path, folder, "docker-ends"))
    assert {(fault.seat, fault.kind) for fault in faults} == {(SEAT, "no-start")}
    assert all(how in fault.detail for fault in faults)


def test_a_probe_finds_no_way_out(tmp_path: Path) -> None:
    folder = tmp_path / "probe"
    shutil.copytree(FAULTY / "probe", folder)
    secret = tmp_path / "secret"
    secret.write_text("cards")
    with socket.socket() as service, socket.socket(socket.AF_UNIX) as hidden:
        service.bind(("127.0.0.1", 0))
        service.listen()
        hidden.bind(f"\0thousand-{os.getpid()}")
        hidden.listen()
        host = {
            "port": service.getsockname()[1],
            "abstract": f"thousand-{os.getpid()}",
            "process": os.getpid(),
            "sockets": f"/tmp/thousand-{os.getuid()}",
            "files": [str(secret), str(FAULTY), str(tmp_path), "/var/lib/docker"],
        }
        (folder / "host.json").write_text(json.dumps(host))
        spec = match_against(tmp_path, folder, "docker-probe")
        summary, faults = play(spec)
    assert (len(summary.games), faults) == (1, [])
    line = next(line for line in output_of(spec, SEAT).splitlines() if line.startswith("PROBE "))
    found = json.loads(line.removeprefix("PROBE "))
    if target := os.environ.get("THOUSAND_PROBE_REPORT"):
        Path(target).write_text(json.dumps(found, indent=2))
    assert len(found) >= 50
    assert {name: what for name, what in found.items() if what is not None} == {}


def test_bots_see_nothing_of_the_referees_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_OF_THE_REFEREE", "x")
    source = "import os; print(sorted(os.environ), os.getcwd(), os.listdir('.'))"
    spec = match_against(tmp_path, program(tmp_path / "bot", source), "docker-environment")
    play(spec)
    seen = output_of(spec, SEAT)
    assert "SECRET" not in seen
    assert "THOUSAND_TOKEN" in seen
    assert "/bot" in seen
    assert textwrap.dedent("bot.py") in seen
