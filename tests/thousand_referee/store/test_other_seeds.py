"""Logs of other cards than the tournament's are not mixed into it."""

from __future__ import annotations

from pathlib import Path

import msgspec

from log_maker import TOURNAMENT_SEED, LogMaker
from store_maker import schedule_of, tournament_of
from thousand_referee.schedule import match_id
from thousand_referee.store import Store, enter_logs, rebuild

FILE = tournament_of(blocks=2, games_per_match=2, seed=TOURNAMENT_SEED)


class FirstSeating(LogMaker):
    """Makes the log of a trio's first seating."""

    @property
    def match(self) -> str:
        return match_id("test", self.names, self.first_block, 0)


def make_log(data: Path) -> Path:
    planned = next(iter(schedule_of(FILE)))
    maker = FirstSeating(names=planned.seats, first_block=0, games=2, fault_rate=0.0, seed=1)
    return maker.make(data / "logs" / "test")


def test_a_log_of_another_seed_is_named_and_not_entered(tmp_path: Path) -> None:
    log = make_log(tmp_path)
    with Store.open(tmp_path / "arena.sqlite") as store:
        store.create_or_resume(msgspec.structs.replace(FILE, seed="another"), "")
        result = enter_logs(store, tmp_path / "logs", "test")
        assert store.tournament("test").matches == result.matches == 0
    (skipped,) = result.skipped
    assert skipped.startswith(f"{log}: the cards of game 0 are not from the seed of tournament")
    assert rebuild(tmp_path / "arena.sqlite", tmp_path / "logs").logs.skipped == [skipped]


def test_one_of_the_same_seed_is_entered(tmp_path: Path) -> None:
    make_log(tmp_path)
    with Store.open(tmp_path / "arena.sqlite") as store:
        store.create_or_resume(FILE, "")
        assert enter_logs(store, tmp_path / "logs", "test").skipped == []
        assert store.tournament("test").matches == 1
