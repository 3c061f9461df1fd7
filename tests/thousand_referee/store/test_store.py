from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, insert, select, update

from game_records import records_in
from store_maker import NAMES, entry_of, schedule_of, summary_of, tournament_of
from thousand_referee.errors import ConfigError, DataError
from thousand_referee.matchlog.records import BotLine
from thousand_referee.ratings import GameRecord, standings
from thousand_referee.store import Store, StoredEntry, engine, schema
from thousand_referee.times import TimeHistogram


@pytest.fixture
def store(store_location: str | Path) -> Iterator[Store]:
    """An empty store, in SQLite and then in PostgreSQL."""
    with Store.open(store_location) as store:
        yield store


@pytest.fixture
def sqlite_store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "arena.sqlite") as store:
        yield store


def count(store: Store, table: Any) -> int:
    with engine.reading(store.engine) as connection:
        return len(connection.execute(select(table)).all())


def test_a_new_tournament_keeps_what_its_file_says(store: Store) -> None:
    file = tournament_of(("clara", "anna", "é"))
    assert store.create_or_resume(file, "fresh") == "a seed for tests"
    stored = store.tournament("test")
    assert (stored.name, stored.seed) == ("test", "a seed for tests")
    assert stored.config == file.config()
    assert stored.entries == tuple(
        StoredEntry(name, f"v-{name}", f"/bots/{name}", False) for name in ("anna", "clara", "é")
    )
    assert (stored.matches, stored.games) == (0, 0)
    assert (stored.first_started, stored.last_started) == (None, None)


def test_a_fresh_seed_is_drawn_once(store: Store) -> None:
    file = tournament_of(seed=None)
    assert store.create_or_resume(file, "fresh") == "fresh"
    assert store.create_or_resume(file, "fresher") == "fresh"


def test_a_match_is_entered_with_all_its_games(store: Store) -> None:
    file = tournament_of()
    store.create_or_resume(file, "")
    planned = next(iter(schedule_of(file)))
    summary = summary_of(planned)
    assert store.enter_match(summary, "test/x.jsonl.gz")
    assert store.finished_matches("test") == {summary.match}
    assert set(records_in(store, "test")) == {
        GameRecord(
            trio=planned.seats,
            block=game.block,
            places=game.places,
            points=game.points,
            deals=game.deals,
            faults=game.faults,
        )
        for game in summary.games
    }
    times = store.times_by_bot("test")
    assert times == {
        name: TimeHistogram.from_json(summary.times[seat])
        for seat, name in enumerate(planned.seats)
    }
    with engine.reading(store.engine) as connection:
        match = connection.execute(select(schema.matches)).one()
        games = connection.execute(select(schema.games)).all()
    assert match.log == "test/x.jsonl.gz"
    assert match.faults == list(summary.faults)
    assert (match.lag_ms, match.deals) == (summary.lag_ms, summary.deals)
    for row, game in zip(games, summary.games, strict=True):
        assert (row.score_0, row.score_1, row.score_2) == game.scores
        assert (row.asked_0, row.asked_1, row.asked_2) == game.asked
        assert (row.ms_0, row.ms_1, row.ms_2) == game.ms
        assert (
            tuple(s for s, out in enumerate((row.out_0, row.out_1, row.out_2)) if out) == game.out
        )


def test_entering_twice_changes_nothing(store: Store) -> None:
    file = tournament_of()
    store.create_or_resume(file, "")
    summary = summary_of(next(iter(schedule_of(file))))
    assert store.enter_match(summary, "log")
    before = list(records_in(store, "test"))
    assert not store.enter_match(replace(summary, deals=9, games=summary.games[:1]), "other")
    assert list(records_in(store, "test")) == before
    assert count(store, schema.matches) == 1


def test_tournaments_do_not_mix(store: Store) -> None:
    files = [tournament_of(name=name) for name in ("test", "autumn")]
    for file in files:
        store.create_or_resume(file, "")
        for planned in schedule_of(file):
            store.enter_match(summary_of(planned, file.name), "log")
    autumn, test = store.tournaments()
    assert (autumn.name, test.name) == ("autumn", "test")
    assert (autumn.matches, autumn.games) == (12, 24)
    assert autumn.first_started == "2026-01-02T03:04:00+00:00"
    assert autumn.last_started == "2026-01-02T03:04:02+00:00"
    assert store.finished_matches("test").isdisjoint(store.finished_matches("autumn"))
    assert len(list(records_in(store, "test"))) == 24
    assert count(store, schema.bot_versions) == 3


def test_standings_come_from_the_store(store: Store) -> None:
    file = tournament_of(("anna", "boris", "clara", "dora"), blocks=3)
    store.create_or_resume(file, "")
    for planned in schedule_of(file):
        store.enter_match(summary_of(planned), "log")
    table = standings(records_in(store, "test"), names=file.names, times=store.times_by_bot("test"))
    assert (table.games, table.blocks, table.games_left_out) == (4 * 6 * 3, 12, 0)


def test_games_are_read_with_few_queries(store: Store) -> None:
    file = tournament_of()
    store.create_or_resume(file, "")
    for planned in schedule_of(file):
        store.enter_match(summary_of(planned), "log")
    statements: list[str] = []
    event.listen(
        store.engine, "before_cursor_execute", lambda *arguments: statements.append(arguments[2])
    )
    assert len(list(records_in(store, "test"))) == 24
    assert len([each for each in statements if each.startswith("SELECT")]) == 3


def test_strangers_are_refused_and_nothing_is_kept(store: Store) -> None:
    file = tournament_of()
    summary = summary_of(next(iter(schedule_of(file))))
    with pytest.raises(DataError, match=r": no tournament 'test'; there is none yet"):
        store.enter_match(summary, "log")
    store.create_or_resume(file, "")
    changed = (BotLine("anna", "v-other"), *summary.bots[1:])
    with pytest.raises(DataError, match="'anna', version v-other, which has version v-anna in"):
        store.enter_match(replace(summary, bots=changed), "log")
    changed = (BotLine("eve", "v-eve"), *summary.bots[1:])
    with pytest.raises(DataError, match="'eve', version v-eve, which is not entered in"):
        store.enter_match(replace(summary, bots=changed), "log")
    with pytest.raises(ValueError, match="not a histogram"):
        store.enter_match(replace(summary, times=({}, {}, {})), "log")
    assert count(store, schema.matches) == count(store, schema.games) == 0


def test_an_unknown_tournament_is_named_with_those_there_are(store: Store) -> None:
    for name in ("test", "autumn"):
        store.create_or_resume(tournament_of(name=name), "")
    for ask in (store.tournament, store.finished_matches, store.times_by_bot):
        with pytest.raises(DataError, match="no tournament 'x'; there are 'autumn', 'test'"):
            ask("x")
    with pytest.raises(DataError, match="no tournament 'x'"):
        records_in(store, "x")


def test_a_match_and_its_games_are_one_transaction(store: Store) -> None:
    file = tournament_of()
    store.create_or_resume(file, "")
    summary = summary_of(next(iter(schedule_of(file))))
    twice = (summary.games[0], summary.games[0])
    with pytest.raises(DataError, match=r"(?i)unique constraint"):
        store.enter_match(replace(summary, games=twice), "log")
    assert store.finished_matches("test") == set()
    assert count(store, schema.games) == 0


def test_sqlite_is_set_up(sqlite_store: Store) -> None:
    with engine.reading(sqlite_store.engine) as connection:
        values = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    assert values == {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
        "busy_timeout": 20_000,
    }


def test_a_url_opens_the_same_database(sqlite_store: Store, tmp_path: Path) -> None:
    sqlite_store.create_or_resume(tournament_of(), "")
    with Store.open(f"sqlite:///{tmp_path}/arena.sqlite") as same:
        assert same.tournament("test") == sqlite_store.tournament("test")


@pytest.mark.parametrize(
    "url",
    [
        "oracel://x",
        "mysql://anna:secret@x",
        "postgresql+nothing://anna:secret@host/x",
        "postgresql+psycopg://anna:secret@host:port/x",
        "sqlite://host:port/x",
        "sqlite+nothing:///x",
    ],
)
def test_a_url_that_cannot_be_used(url: str) -> None:
    with pytest.raises(ConfigError, match="the database URL can't be used") as caught:
        Store.open(url)
    assert "sec" not in str(caught.value).replace("psycopg", "")


def test_a_newer_format_is_left_alone(tmp_path: Path) -> None:
    with Store.open(tmp_path / "a") as store, engine.writing(store.engine) as connection:
        connection.execute(update(schema.meta).values(value="9"))
    with pytest.raises(
        DataError,
        match=r"a: made by a newer thousand-arena \(format 9, this program knows "
        rf"{schema.FORMAT}\): update it",
    ):
        Store.open(tmp_path / "a")


def test_other_databases_are_left_alone(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "a") as connection:
        connection.execute("CREATE TABLE people (name TEXT)")
    connection.close()
    with pytest.raises(DataError, match="a: a database of another program"):
        Store.open(tmp_path / "a")
    with Store.open(tmp_path / "b") as store, engine.writing(store.engine) as writing:
        writing.execute(update(schema.meta).values(value="one"))
    with pytest.raises(DataError, match="b: a database of another program"):
        Store.open(tmp_path / "b")


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("A letter, not a database. " * 100)
    with pytest.raises(DataError, match=r"a: damaged \(file is not a database\); rebuild it from"):
        Store.open(tmp_path / "a")


def test_a_damaged_database(tmp_path: Path) -> None:
    file = tournament_of()
    with Store.open(tmp_path / "a") as store:
        store.create_or_resume(file, "")
        for planned in schedule_of(file):
            store.enter_match(summary_of(planned), "log")
    data = bytearray((tmp_path / "a").read_bytes())
    data[8192:] = b"\x55" * (len(data) - 8192)
    (tmp_path / "a").write_bytes(data)
    with (
        pytest.raises(DataError, match=r"a: damaged .*; rebuild it"),
        Store.open(tmp_path / "a") as store,
    ):
        list(records_in(store, "test"))


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "none" / "a", tmp_path / "file" / "a", tmp_path):
        with pytest.raises(DataError, match="it can't be opened; check its folder, or use another"):
            Store.open(path)


def test_a_database_that_cannot_be_written(tmp_path: Path) -> None:
    Store.open(tmp_path / "a").close()
    url = f"sqlite:///file:{tmp_path}/a?mode=ro&uri=true"
    with Store.open(url) as store:
        assert store.tournaments() == ()
        with pytest.raises(DataError, match="it can't be written; change that, or use another"):
            store.create_or_resume(tournament_of(), "")


def test_a_full_disk_loses_only_what_is_being_entered(sqlite_store: Store) -> None:
    file = tournament_of(blocks=400)
    sqlite_store.create_or_resume(file, "")
    sqlite_store.engine.dispose()

    def limit(connection: sqlite3.Connection, _record: object) -> None:
        connection.execute("PRAGMA max_page_count = 40")

    event.listen(sqlite_store.engine, "connect", limit)
    entered = set()
    with pytest.raises(DataError, match=r"arena\.sqlite: no space left for it; free some"):  # noqa: PT012
        for planned in schedule_of(file):
            summary = summary_of(planned)
            assert sqlite_store.enter_match(summary, "log")
            entered.add(summary.match)
    assert sqlite_store.finished_matches("test") == entered
    event.remove(sqlite_store.engine, "connect", limit)
    sqlite_store.engine.dispose()
    assert sqlite_store.enter_match(summary, "log")


def test_a_locked_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "BUSY_SECONDS", 0.05)
    with Store.open(tmp_path / "a") as store:
        other = sqlite3.connect(tmp_path / "a", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(DataError, match="a: locked by another program for 20 s; stop that"):
            store.create_or_resume(tournament_of(), "")
        assert store.tournaments() == ()
        other.execute("ROLLBACK")
        other.close()
        store.create_or_resume(tournament_of(), "")


def test_foreign_keys_hold(store: Store) -> None:
    with (
        pytest.raises(DataError, match=r"(?i)foreign key constraint"),
        engine.writing(store.engine) as connection,
    ):
        connection.execute(
            insert(schema.entries).values(tournament_id=7, name="x", bot_version_id=8)
        )


def test_new_entries_and_more_is_known_after_resuming(store: Store) -> None:
    store.create_or_resume(tournament_of(), "")
    more = (*tournament_of().entries, entry_of("dora"))
    file = tournament_of(entries=more, tables=9, blocks=6)
    assert store.create_or_resume(file, "fresh") == "a seed for tests"
    stored = store.tournament("test")
    assert [entry.name for entry in stored.entries] == [*NAMES, "dora"]
    assert stored.config == file.config()


def test_a_refused_resumption_changes_nothing(store: Store) -> None:
    store.create_or_resume(tournament_of(), "")
    before = store.tournament("test")
    entries = (entry_of("anna", "v-other"), *tournament_of().entries[1:], entry_of("dora"))
    with pytest.raises(ConfigError, match="the files of entry 'anna' changed"):
        store.create_or_resume(tournament_of(entries=entries), "")
    assert store.tournament("test") == before
