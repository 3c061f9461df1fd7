"""What only a database has that machines share."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import create_engine, select, text, update

from arena_runs import (
    finished_logs,
    start,
    thousand,
    tournament_file,
    wait_until,
)
from game_records import records_in
from log_maker import TOURNAMENT_SEED, LogMaker
from store_maker import schedule_of, summary_of, tournament_of
from thousand_referee.errors import DataError
from thousand_referee.matchlog.reader import read_log
from thousand_referee.matchlog.summary import summarize
from thousand_referee.ratings import Standings, standings
from thousand_referee.store import Store, engine, rebuild_shared, schema
from thousand_referee.tournament_file import TournamentFile

TESTS = Path(__file__).parents[2]
HOLD = """
import sys, time
from thousand_referee.store import Store
with Store.open(sys.argv[1]) as store, store.hold("cup"):
    print("held", flush=True)
    time.sleep(60)
"""


def enter_all(location: str | Path, file: TournamentFile) -> Standings:
    with Store.open(location) as store:
        store.create_or_resume(file, "")
        for planned in schedule_of(file):
            assert store.enter_match(summary_of(planned), "log")
        return standings(
            records_in(store, "test"), names=file.names, times=store.times_by_bot("test")
        )


def test_the_same_matches_give_the_same_standings(postgres_url: str, tmp_path: Path) -> None:
    file = tournament_of(("anna", "boris", "clara", "dora"), blocks=10)
    assert enter_all(postgres_url, file) == enter_all(tmp_path / "arena.sqlite", file)


def test_a_tournament_is_held_until_its_process_ends(postgres_url: str) -> None:
    with (
        subprocess.Popen(
            [sys.executable, "-c", HOLD, postgres_url], stdout=subprocess.PIPE, text=True
        ) as holder,
        Store.open(postgres_url) as store,
    ):
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        refusal = rf"tournament 'cup' is being run by process {holder.pid} on .+; wait until"
        with pytest.raises(DataError, match=refusal), store.hold("cup"):
            pass
        with store.hold("another"):
            pass
        holder.kill()
        holder.wait()

        def is_free() -> bool:
            try:
                with store.hold("cup"):
                    return True
            except DataError:
                return False

        assert wait_until(is_free)


def test_what_fails_while_a_tournament_is_held_lets_go_of_it(postgres_url: str) -> None:
    with Store.open(postgres_url) as store:
        for _ in range(2):
            with pytest.raises(KeyError), store.hold("cup"):
                raise KeyError


def test_writers_wait_for_each_other(postgres_url: str) -> None:
    """Both even make the tables at the same time, and enter the same bot versions."""
    script = (TESTS / "thousand_referee/store/test_kills.py").read_text().split('"""')[3]
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", script, str(TESTS), postgres_url, name, "20"],
            stdout=subprocess.PIPE,
            text=True,
        )
        for name in ("one", "two")
    ]
    for writer in writers:
        output, _ = writer.communicate(timeout=60)
        assert output.splitlines()[-1] == "done"
    with Store.open(postgres_url) as store:
        assert [each.games for each in store.tournaments()] == [480, 480]


def test_a_lost_connection_is_an_error_and_the_next_one_is_new(postgres_url: str) -> None:
    cut_off = text(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        f"WHERE pid <> pg_backend_pid() AND application_name LIKE 'thousand {os.getpid()} %'"
    )
    server = create_engine(postgres_url)
    with Store.open(postgres_url) as store:
        store.create_or_resume(tournament_of(), "")
        with (  # noqa: PT012
            pytest.raises(DataError, match="terminating connection"),
            engine.writing(store.engine) as connection,
        ):
            connection.execute(update(schema.meta).values(value="7"))
            with server.begin() as other:
                other.execute(cut_off)
            connection.execute(select(schema.meta))
        assert store.finished_matches("test") == set()
    server.dispose()


def test_a_server_that_is_not_there() -> None:
    pytest.importorskip("psycopg")
    for url in (
        "postgresql+psycopg://anna:secret@127.0.0.1:1/arena",
        "postgresql+psycopg://anna:sec/ret@127.0.0.1:1/arena",
        "postgresql://anna@127.0.0.1:1/arena?password=secret",
    ):
        with pytest.raises(DataError, match=r"127\.0\.0\.1.*[Cc]onnection refused") as caught:
            Store.open(url)
        assert "sec" not in str(caught.value)


def test_a_wrong_password_is_not_shown_on_the_command_line(tmp_path: Path) -> None:
    tournament = tournament_file(tmp_path, "random", "random", "random")
    data = tmp_path / "data"
    run = ("tournament", "run", tournament, "--data", data)
    for done in (
        thousand(*run, check=False, THOUSAND_STORE="postgresql://anna:secret@127.0.0.1:1/a"),
        thousand(*run, "--store", "postgresql://anna:secret@host:port/a", check=False),
    ):
        assert done.returncode == 1
        assert "secret" not in done.stdout + done.stderr
        assert len(done.stderr.splitlines()) == 1


@pytest.fixture
def shared(postgres_url: str, tmp_path: Path) -> Store:
    """Make a database of twelve matches with their logs."""
    file = tournament_of(blocks=2, games_per_match=1, seed=TOURNAMENT_SEED)
    store = Store.open(postgres_url)
    store.create_or_resume(file, "")
    for planned in schedule_of(file):
        maker = _Named(
            names=planned.seats, first_block=planned.first_block, games=1, seed=planned.seating
        )
        maker.id = planned.id_in("test")
        log = maker.make(tmp_path / "logs" / "test")
        summary = summarize(line for _, line in read_log(log))
        store.enter_match(summary, f"test/{log.name}")
    return store


class _Named(LogMaker):
    id = ""

    @property
    def match(self) -> str:
        return self.id


def test_a_shared_database_is_rebuilt_inside(shared: Store, tmp_path: Path) -> None:
    with shared:
        before = sorted(map(str, records_in(shared, "test")))
        with engine.writing(shared.engine) as connection:
            connection.execute(update(schema.games).values(score_0=7))
        broken = next((tmp_path / "logs" / "test").iterdir())
        rebuilt = rebuild_shared(shared, tmp_path / "logs")
        assert (rebuilt.logs.matches, rebuilt.logs.skipped, rebuilt.recovered) == (12, [], ())
        assert sorted(map(str, records_in(shared, "test"))) == before
        with engine.reading(shared.engine) as connection:
            assert 7 not in connection.scalars(select(schema.games.c.score_0)).all()
        shutil.move(broken, tmp_path / "elsewhere")
        with pytest.raises(DataError, match="1 matches of the database have no log here, such as"):
            rebuild_shared(shared, tmp_path / "logs")
        assert sorted(map(str, records_in(shared, "test"))) == before


def test_a_database_is_rebuilt_from_nothing_but_logs(shared: Store, tmp_path: Path) -> None:
    with shared:
        before = sorted(map(str, records_in(shared, "test")))
        with engine.writing(shared.engine) as connection:
            for table in reversed(schema.metadata.sorted_tables):
                if table is not schema.meta:
                    connection.execute(table.delete())
        rebuilt = rebuild_shared(shared, tmp_path / "logs")
        assert (rebuilt.logs.matches, rebuilt.recovered) == (12, ("test",))
        assert sorted(map(str, records_in(shared, "test"))) == before


def test_two_coordinators_with_data_folders_of_their_own(postgres_url: str, tmp_path: Path) -> None:
    """The second is refused; then the first is stopped, and its results are in both places."""
    tournament = tournament_file(tmp_path, "random", "cautious", "counter", blocks=20)
    first = start(
        "tournament", "run", tournament, "--data", tmp_path / "a", "--store", postgres_url
    )
    try:
        assert wait_until(lambda: bool(finished_logs(tmp_path / "a")), 60)
        second = thousand(
            *("tournament", "run", tournament, "--data", tmp_path / "b"),
            check=False,
            THOUSAND_STORE=postgres_url,
        )
        assert second.returncode == 1
        assert f"is being run by process {first.pid} on " in second.stderr
        assert len(second.stderr.splitlines()) == 1
        first.send_signal(signal.SIGINT)
        first.communicate(timeout=60)
    finally:
        first.kill()
        first.wait()
    listed = thousand(
        "tournament", "list", "--data", tmp_path / "b", "--store", postgres_url, "--json"
    )
    (known,) = msgspec.json.decode(listed.stdout)
    assert known["games"] >= 1
