"""What is left when processes that write are killed, or write at the same time."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

from game_records import records_in
from store_maker import schedule_of, summary_of, tournament_of
from thousand_referee.schedule import Schedule
from thousand_referee.store import Store

TESTS = Path(__file__).parents[2]
WRITE = """
import sys
sys.path.insert(0, sys.argv[1])
from store_maker import schedule_of, summary_of, tournament_of
from thousand_referee.schedule import remaining
from thousand_referee.store import Store

name, blocks = sys.argv[3], int(sys.argv[4])
names = ("anna", "boris", "clara", "dora")
file = tournament_of(names, name=name, blocks=blocks, games_per_match=20)
with Store.open(sys.argv[2]) as store:
    store.create_or_resume(file, "")
    print("ready", flush=True)
    for planned in remaining(schedule_of(file), name, store.finished_matches(name)):
        summary = summary_of(planned, name)
        assert store.enter_match(summary, "log")
        print(summary.match, flush=True)
print("done", flush=True)
"""


def plan(blocks: int) -> Schedule:
    names = ("anna", "boris", "clara", "dora")
    return schedule_of(tournament_of(names, blocks=blocks, games_per_match=20))


def start(database: Path, tournament: str, blocks: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITE, str(TESTS), str(database), tournament, str(blocks)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def is_sound(database: Path) -> bool:
    connection = sqlite3.connect(database)
    try:
        checks = ("integrity_check", "foreign_key_check")
        found = [connection.execute(f"PRAGMA {check}").fetchall() for check in checks]
        return found == [[("ok",)], []]
    finally:
        connection.close()


@pytest.mark.timeout(300)
def test_a_writer_killed_at_any_point_loses_nothing_it_had_entered(tmp_path: Path) -> None:
    """Ten writers, each going on where the one before was killed."""
    random = Random(4)
    database = tmp_path / "arena.sqlite"
    whole = {match.id_in("test"): match for match in plan(400)}
    entered: set[str] = set()
    interrupted = 0
    for _ in range(10):
        with start(database, "test", 400) as writer:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "ready\n"
            told = [writer.stdout.readline().strip() for _ in range(random.randrange(20))]
            time.sleep(random.uniform(0, 0.005))
            writer.kill()
            told += writer.stdout.read().splitlines()
        interrupted += "done" not in told
        assert entered.isdisjoint(told)
        entered.update(line for line in told if line in whole)
        with Store.open(database) as store:
            finished = store.finished_matches("test")
            assert entered <= finished
            assert len(finished - entered) <= 1  # entered, but killed before it told
            entered = finished
            games = list(records_in(store, "test"))
            assert len(games) == sum(whole[match].games for match in finished)
        assert is_sound(database)
    assert interrupted >= 5
    with Store.open(database) as store:
        left = [match for name, match in whole.items() if name not in entered]
        assert 0 < len(left) < len(whole)
        assert all(store.enter_match(summary_of(match), "log") for match in left[:20])


def test_two_writers_wait_for_each_other(tmp_path: Path) -> None:
    """Both even create the database at the same time."""
    database = tmp_path / "arena.sqlite"
    with start(database, "one", 60) as one, start(database, "two", 60) as two:
        for writer in (one, two):
            assert writer.stdout is not None
            assert writer.stdout.read().splitlines()[-1:] == ["done"]
    with Store.open(database) as store:
        for name in ("one", "two"):
            assert store.finished_matches(name) == {m.id_in(name) for m in plan(60)}
            assert len(list(records_in(store, name))) == plan(60).games
    assert is_sound(database)
