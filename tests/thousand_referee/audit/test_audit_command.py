"""``thousand audit`` on a real tournament, left alone and tampered with."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from arena_runs import thousand, tournament_file
from match_maker import match_spec
from thousand_referee.audit.auditor import Audit, audit_tournament
from thousand_referee.audit.report import audit_json, audit_lines
from thousand_referee.tournament import open_arena
from thousand_referee.voids import record_void


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of a tournament of three."""
    folder = tmp_path_factory.mktemp("audited")
    file = tournament_file(folder, "random", "cautious", "random", blocks=1)
    thousand("tournament", "run", file, "--data", folder / "data", "--jobs", "1")
    return folder / "data"


@pytest.fixture
def data(played: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(played, tmp_path / "data"))


def audit(data: Path) -> Audit:
    with open_arena(data) as arena:
        return audit_tournament(arena, "t")


def logs_of(data: Path) -> list[Path]:
    return sorted((data / "logs" / "t").glob("*.jsonl.gz"))


def test_a_clean_tournament(played: Path) -> None:
    done = thousand("audit", "--data", played)
    first = done.stdout.splitlines()[0]
    assert re.fullmatch(r"t: nothing suspicious.* \(6 games in 6 matches\)", first)
    assert "logs: 6 verified, 0 wrong or missing" in done.stdout
    assert "void matches: 0" in done.stdout
    assert "collusion: nothing can be said" in done.stdout
    report = json.loads(thousand("audit", "t", "--data", played, "--json").stdout)
    assert report["suspicious"] == []
    assert report["bots"].keys() == {"bot0", "bot1", "bot2"}
    assert all(figures["decisions"] > 50 for figures in report["bots"].values())
    assert report["collusion"] == {"accused": [], "strongest": [], "tests": 0}


def test_a_tournament_that_is_not_there(played: Path) -> None:
    done = thousand("audit", "u", "--data", played, check=False)
    assert done.returncode == 1
    assert "no tournament 'u'" in done.stderr


def test_a_log_that_was_changed(data: Path) -> None:
    path = logs_of(data)[2]
    text = gzip.decompress(path.read_bytes()).decode()
    path.write_bytes(gzip.compress(text.replace('"points":[', '"points":[1', 1).encode()))
    found = audit(data)
    (problem,) = found.wrong_logs
    assert path.name in problem
    assert found.suspicious == ("1 log is wrong or missing: see below",)
    done = thousand("audit", "t", "--data", data, check=False)
    assert done.returncode == 1
    assert done.stdout.startswith("t: look into this")
    assert problem in done.stdout


def test_a_log_that_is_gone_and_one_that_nobody_entered(data: Path) -> None:
    path = logs_of(data)[0]
    path.rename(path.with_name("t-stray.jsonl.gz"))
    found = audit(data)
    assert len(found.wrong_logs) == 1
    assert path.name in found.wrong_logs[0]
    assert found.stray_logs == ("t-stray.jsonl.gz",)
    assert len(found.suspicious) == 2


def test_a_database_that_was_changed(data: Path) -> None:
    with sqlite3.connect(data / "arena.sqlite") as database:
        database.execute("UPDATE games SET points_1 = points_1 + 5 WHERE rowid = 4")
    database.close()
    (problem,) = audit(data).wrong_logs
    assert "the store has other figures" in problem
    assert "store rebuild" in problem


def change_matches(data: Path, **columns: Any) -> None:
    """Set columns of one match in the database."""
    with sqlite3.connect(data / "arena.sqlite") as database:
        for name, value in columns.items():
            database.execute(f"UPDATE matches SET {name} = ? WHERE id = 1", (value,))
    database.close()


def test_faults_lag_slow_decisions_and_voids_are_troubles(data: Path) -> None:
    times = {"worst_us": 2_000_000, "counts": {"40": 50, "83": 30}}
    change_matches(
        data,
        faults=json.dumps([{"timeout": 3, "crash": 2}, {}, {}]),
        times=json.dumps([times, {"worst_us": 0, "counts": {}}, times]),
        lag_ms=700.5,
    )
    record_void(data / "voids" / "t.jsonl", match_spec(data, name="m1"), "Docker \x1b[31mwent away")
    found = audit(data)
    assert found.suspicious == ()
    texts = "\n".join(found.troubles)
    assert re.search(r"bot\d had \d+\.\d faults in 1,000 decisions: 2 crash, 3 timeout", texts)
    assert "took longer than the time for a decision 30 times" in texts
    assert "1 match is void" in texts
    (note,) = found.notes
    assert "held the referee up, by 70" in note
    lines = list(audit_lines(found))
    assert lines[0].startswith("t: nothing suspicious, but not all went well")
    assert any(r"Docker \x1b[31mwent away" in line for line in lines)
    assert all(line.isprintable() for line in lines)
    assert json.loads(json.dumps(audit_json(found)))["voids"][0]["match"] == "m1"


def test_a_match_that_was_void_again_and_again_is_suspicious(data: Path) -> None:
    for _ in range(3):
        record_void(
            data / "voids" / "t.jsonl", match_spec(data, name="m1"), "its process was killed"
        )
    (text,) = audit(data).suspicious
    assert text.startswith("match m1 was void 3 times: anna, boris, clara")


def test_limits_that_were_changed_in_the_database(data: Path) -> None:
    with sqlite3.connect(data / "arena.sqlite") as database:
        (config,) = database.execute("SELECT config FROM tournaments").fetchone()
        changed = json.loads(config)
        changed["time"]["move_ms"] = 5
        database.execute("UPDATE tournaments SET config = ?", (json.dumps(changed),))
    database.close()
    found = audit(data)
    assert len(found.wrong_logs) == 6
    assert "time.move_ms 1000 instead of 5" in found.wrong_logs[0]
