from __future__ import annotations

import gzip
import json
import shutil
import sqlite3
from collections.abc import Callable
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, select, update

from game_records import records_in
from log_maker import TOURNAMENT_SEED, LogMaker
from store_maker import NAMES, schedule_of, tournament_of
from thousand_referee.errors import ConfigError, DataError
from thousand_referee.matchlog.reader import read_log
from thousand_referee.matchlog.summary import summarize
from thousand_referee.schedule import match_id
from thousand_referee.store import Store, engine, enter_logs, rebuild, schema

FILE = tournament_of(blocks=2, games_per_match=1, seed=TOURNAMENT_SEED)


class AnySeating(LogMaker):
    """Makes the logs of all six seatings, each under its own id."""

    @property
    def match(self) -> str:
        seating = list(permutations(sorted(self.names))).index(self.names)
        return match_id("test", self.names, self.first_block, seating)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a data folder with a tournament of twelve matches, all of them entered."""
    folder = tmp_path_factory.mktemp("data")
    with Store.open(folder / "arena.sqlite") as store:
        store.create_or_resume(FILE, "")
        for number, planned in enumerate(schedule_of(FILE)):
            log = AnySeating(
                names=planned.seats,
                first_block=planned.first_block,
                games=planned.games,
                fault_rate=0.001,
                seed=number,
            ).make(folder / "logs" / "test")
            summary = summarize(line for _, line in read_log(log))
            store.enter_match(summary, log.relative_to(folder / "logs").as_posix())
    return folder


@pytest.fixture
def data(played: Path, tmp_path: Path) -> Path:
    return shutil.copytree(played, tmp_path / "data")


def dump(database: Path) -> dict[str, list[Any]]:
    """Give all that is in a database; numbers of rows aside, which depend on the order."""
    numbers = ("id", "match_id")
    with Store.open(database) as store, engine.reading(store.engine) as connection:
        return {
            table.name: sorted(
                json.dumps({key: row[key] for key in row if key not in numbers})
                for row in connection.execute(select(table)).mappings()
            )
            for table in schema.metadata.sorted_tables
        }


def only_file(folder: Path) -> bool:
    return sorted(each.name for each in folder.glob("arena*")) == ["arena.sqlite"]


def test_a_rebuilt_database_equals_the_original(data: Path) -> None:
    before = dump(data / "arena.sqlite")
    result = rebuild(data / "arena.sqlite", data / "logs")
    assert (result.logs.matches, result.logs.skipped) == (12, [])
    assert (result.recovered, result.damage) == ((), None)
    assert dump(data / "arena.sqlite") == before
    assert only_file(data)


def test_matches_without_a_log_are_gone_and_others_come_back(data: Path) -> None:
    logs = sorted((data / "logs" / "test").iterdir())
    logs[0].unlink()
    with Store.open(data / "arena.sqlite") as store, engine.writing(store.engine) as connection:
        connection.execute(schema.games.delete())
        connection.execute(schema.matches.delete())
    assert rebuild(data / "arena.sqlite", data / "logs").logs.matches == 11
    with Store.open(data / "arena.sqlite") as store:
        names = {path.name.removesuffix(".jsonl.gz") for path in logs[1:]}
        assert store.finished_matches("test") == names


def test_without_the_old_database_logs_tell_what_they_can(data: Path) -> None:
    with Store.open(data / "arena.sqlite") as store:
        games = sorted(map(repr, records_in(store, "test")))
        times = store.times_by_bot("test")
    (data / "arena.sqlite").unlink()
    result = rebuild(data / "arena.sqlite", data / "logs")
    assert (result.logs.matches, result.recovered, result.damage) == (12, ("test",), None)
    with Store.open(data / "arena.sqlite") as store:
        stored = store.tournament("test")
        assert stored.seed is None
        assert sorted(stored.config) == ["faults", "tables", "time"]
        assert [(entry.name, entry.version) for entry in stored.entries] == [
            (name, f"v-{name}") for name in NAMES
        ]
        assert {(entry.folder, entry.gauntlet) for entry in stored.entries} == {(None, None)}
        assert sorted(map(repr, records_in(store, "test"))) == games
        assert store.times_by_bot("test") == times


def test_a_tournament_known_from_logs_alone_can_go_on(data: Path) -> None:
    before = dump(data / "arena.sqlite")
    (data / "arena.sqlite").unlink()
    rebuild(data / "arena.sqlite", data / "logs")
    with Store.open(data / "arena.sqlite") as store:
        for wrong in (
            tournament_of(blocks=2, games_per_match=1, seed=None),
            tournament_of(blocks=2, games_per_match=1, seed="guess"),
            tournament_of(blocks=2, games_per_match=2, seed=TOURNAMENT_SEED),
        ):
            with pytest.raises(ConfigError, match="tournament 'test' can't go on"):
                store.create_or_resume(wrong, "fresh")
        assert store.create_or_resume(FILE, "fresh") == TOURNAMENT_SEED
    assert dump(data / "arena.sqlite") == before


@pytest.mark.parametrize("damage", [0, 4096])
def test_a_damaged_database_is_kept_aside(data: Path, damage: int) -> None:
    content = bytearray((data / "arena.sqlite").read_bytes())
    content[damage:] = b"\x55" * (len(content) - damage)
    (data / "arena.sqlite").write_bytes(content)
    result = rebuild(data / "arena.sqlite", data / "logs")
    assert (result.logs.matches, result.recovered) == (12, ("test",))
    assert result.damage is not None
    assert "damaged" in result.damage
    assert result.damage.endswith("it is kept as arena.sqlite.damaged")
    assert (data / "arena.sqlite.damaged").read_bytes() == content


def test_a_journal_of_the_old_database_does_not_reach_the_new_one(data: Path) -> None:
    """It stays as long as somebody, a reader perhaps, has the old database open."""
    before = dump(data / "arena.sqlite")
    other = sqlite3.connect(data / "arena.sqlite")
    other.execute("UPDATE games SET place_0 = 3")
    other.commit()
    rebuild(data / "arena.sqlite", data / "logs")
    assert dump(data / "arena.sqlite") == before
    with Store.open(data / "arena.sqlite") as store:
        store.create_or_resume(tournament_of(name="next"), "")
        other.close()
        store.create_or_resume(tournament_of(name="last"), "")
    with Store.open(data / "arena.sqlite") as store:
        assert [each.name for each in store.tournaments()] == ["last", "next", "test"]


def test_a_newer_database_is_left_alone(data: Path) -> None:
    with Store.open(data / "arena.sqlite") as store, engine.writing(store.engine) as connection:
        connection.execute(update(schema.meta).values(value=str(schema.FORMAT + 1)))
    before = (data / "arena.sqlite").read_bytes()
    with pytest.raises(DataError, match="made by a newer"):
        rebuild(data / "arena.sqlite", data / "logs")
    assert (data / "arena.sqlite").read_bytes() == before
    assert only_file(data)


def test_no_space_for_the_new_database_leaves_the_old_one(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = dump(data / "arena.sqlite")

    def limited(location: Path, **options: Any) -> Any:
        fresh = open_engine(location, **options)
        if location.name.endswith(".new"):
            event.listen(fresh, "connect", lambda raw, _: raw.execute("PRAGMA max_page_count = 18"))
        return fresh

    open_engine: Callable[..., Any] = engine.open_engine
    monkeypatch.setattr("thousand_referee.store.store.open_engine", limited)
    with pytest.raises(DataError, match=r"arena\.sqlite\.new: no space left"):
        rebuild(data / "arena.sqlite", data / "logs")
    monkeypatch.undo()
    assert only_file(data)
    assert dump(data / "arena.sqlite") == before


def spoil(log: Path, change: Callable[[list[dict[str, Any]]], None]) -> None:
    """Rewrite a log with some of its lines changed."""
    with gzip.open(log, "rt") as file:
        lines = [json.loads(line) for line in file]
    change(lines)
    with gzip.open(log, "wt") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)


def set_all(kind: str, **values: Any) -> Callable[[list[dict[str, Any]]], None]:
    def change(lines: list[dict[str, Any]]) -> None:
        for line in lines:
            if line["type"] == kind:
                line.update(values)

    return change


BOTS = [{"name": name, "version": f"v-{name}"} for name in NAMES]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda lines: lines.pop(), "the log is cut after line"),
        (lambda lines: lines.pop(-2), "these are not the lines of a whole match"),
        (set_all("match", format=2), "format 2 is newer"),
        (set_all("match", match="other"), "the log of match 'other' of tournament 'test'; move it"),
        (set_all("match", tournament="../x"), "of tournament '../x'; move it"),
        (set_all("match", games=0, seeds=[]), "one seed for each of its games"),
        (set_all("match", bots=[*BOTS[:2], BOTS[0]]), "proper names, all different"),
        (set_all("match", bots=[*BOTS[:2], {"name": "\x1b[1m", "version": "1"}]), "proper names"),
        (set_all("match", bots=[*BOTS[:2], {"name": "eve", "version": "1"}]), "'eve', version 1"),
        (set_all("match", bots=[*BOTS[:2], {"name": "clara", "version": "1"}]), "'clara', vers"),
        (set_all("game", places=[0, 1, 2]), "game 0 has a wrong block or impossible places"),
        (set_all("game", places=[2, 3, 3]), "game 0 has a wrong block or impossible places"),
        (set_all("game", block=7), "game 0 has a wrong block or impossible places"),
        (set_all("game", scores=[2**70, 0, 0]), "too large"),
        (set_all("end", times=[{}, {}, {}]), "not a histogram of decision times"),
    ],
)
def test_a_wrong_log_is_skipped_and_named_but_not_touched(
    data: Path, change: Callable[[list[dict[str, Any]]], None], problem: str
) -> None:
    log = sorted((data / "logs" / "test").iterdir())[3]
    spoil(log, change)
    before = log.read_bytes()
    result = rebuild(data / "arena.sqlite", data / "logs")
    assert result.logs.matches == 11
    (line,) = result.logs.skipped
    assert line.startswith(f"{log}:")
    assert problem in line
    assert line.isprintable()
    assert log.read_bytes() == before
    with Store.open(data / "arena.sqlite") as store:
        assert len(store.finished_matches("test")) == 11
        assert len(list(records_in(store, "test"))) == 11


def test_damaged_and_unfinished_logs(data: Path) -> None:
    first, second, third, *_ = sorted((data / "logs" / "test").iterdir())
    first.write_bytes(first.read_bytes()[:100])
    second.write_bytes(b"no log")
    third.rename(third.with_suffix(""))
    result = rebuild(data / "arena.sqlite", data / "logs")
    assert result.logs.matches == 9
    assert [line.split(":")[0] for line in result.logs.skipped] == [str(first), str(second)]


def test_a_copy_of_a_log_is_not_a_second_match(data: Path) -> None:
    log = sorted((data / "logs" / "test").iterdir())[0]
    shutil.copy(log, log.with_name("copy.jsonl.gz"))
    result = rebuild(data / "arena.sqlite", data / "logs")
    assert result.logs.matches == 12
    assert "copy.jsonl.gz: the log of match 'test-" in result.logs.skipped[0]
    (log.parent / "copy.jsonl.gz").unlink()
    shutil.copytree(data / "logs" / "test", data / "logs" / "backup" / "test")
    result = rebuild(data / "arena.sqlite", data / "logs")
    assert (result.logs.matches, result.logs.skipped) == (12, [])


def test_recovered_tournaments_take_bots_in_their_first_version(data: Path) -> None:
    (data / "arena.sqlite").unlink()
    log = sorted((data / "logs" / "test").iterdir())[-1]
    spoil(log, set_all("match", bots=[*BOTS[:2], {"name": "clara", "version": "2"}]))
    result = rebuild(data / "arena.sqlite", data / "logs")
    assert result.logs.matches == 11
    assert "'clara', version 2, which has version v-clara" in result.logs.skipped[0]


def test_an_unwritable_folder(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="arena"):
        rebuild(tmp_path / "none" / "arena.sqlite", tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match="can't be replaced"):
        rebuild(tmp_path / "file" / "arena.sqlite", tmp_path)


def test_no_logs_at_all(tmp_path: Path) -> None:
    result = rebuild(tmp_path / "arena.sqlite", tmp_path / "logs")
    assert (result.logs.matches, result.recovered) == (0, ())


def test_logs_that_nobody_lived_to_enter(data: Path) -> None:
    with Store.open(data / "arena.sqlite") as store:
        before = sorted(map(repr, records_in(store, "test")))
        with engine.writing(store.engine) as connection:
            lost = connection.scalars(select(schema.matches.c.id).limit(2)).all()
            for table, key in (
                (schema.games, schema.games.c.match_id),
                (schema.matches, schema.matches.c.id),
            ):
                connection.execute(table.delete().where(key.in_(lost)))
        result = enter_logs(store, data / "logs", "test")
        assert (result.matches, result.skipped) == (2, [])
        assert sorted(map(repr, records_in(store, "test"))) == before
        assert enter_logs(store, data / "logs", "test").matches == 0
        with pytest.raises(DataError, match="no tournament 'x'"):
            enter_logs(store, data / "logs", "x")


def test_trouble_with_the_database_is_no_fault_of_a_log(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "BUSY_SECONDS", 0.05)
    with Store.open(data / "arena.sqlite") as store:
        with engine.writing(store.engine) as connection:
            connection.execute(schema.games.delete())
            connection.execute(schema.matches.delete())
        with (
            engine.writing(store.engine),
            pytest.raises(DataError, match="locked by another program"),
        ):
            enter_logs(store, data / "logs", "test")
