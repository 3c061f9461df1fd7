"""A tournament of a server gets over trouble: nothing is lost, nobody has to start it again."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from arena_runs import wait_until
from arena_server import ArenaServer, bot_folder
from quick_matches import QuickExecutor
from thousand_referee.bots import BotFolder
from thousand_referee.coordinator import Drain
from thousand_referee.errors import BotChanged, BuildFailed, ConfigError, DataError
from thousand_referee.launch import images
from thousand_referee.matchlog.summary import MatchSummary
from thousand_referee.service import played as played_module
from thousand_referee.service import run
from thousand_referee.service.entering import enter_bot
from thousand_referee.service.run import TournamentRun
from thousand_referee.service.slots import Slots
from thousand_referee.service.submission_store import SubmissionStore
from thousand_referee.spec import MatchSpec
from thousand_referee.tournament import Arena, open_arena
from thousand_referee.tournament_file import read_tournament

BOTS = ("one", "two", "three", "four")


class Nobody:
    def match_finished(self, tournament: str, summary: MatchSummary) -> None: ...

    def match_voided(self, tournament: str, reason: str) -> None: ...


@pytest.fixture
def arena(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Arena]:
    monkeypatch.setattr(run, "RETRY_SECONDS", 0.05)
    monkeypatch.setattr(run, "IDLE_SECONDS", 0.05)
    with open_arena(tmp_path / "data", create=True) as arena:
        yield arena


def write(folder: Path, bots: tuple[str, ...] = BOTS, more: str = "") -> Path:
    """Write an open tournament with these bots of the house."""
    file = folder / "open.toml"
    lines = ['mode = "open"', "blocks_per_entry = 6", "games_per_match = 1", more]
    lines += [f'[[entry]]\nbot = "{bot_folder(folder, bot)}"' for bot in bots]
    file.write_text("\n".join(lines))
    return file


@contextmanager
def running(arena: Arena, file: Path, executor: QuickExecutor) -> Iterator[TournamentRun]:
    """Play a tournament as a server does."""
    drain = Drain()
    slots = Slots(2)
    played = TournamentRun(arena, read_tournament(file), slots, executor, Nobody(), drain)
    try:
        played.prepare()
    except ConfigError as error:
        played.refuse(str(error))
    played.start()
    try:
        yield played
    finally:
        drain.is_wanted = True
        played.notice()
        played.join(20)
        assert not played.is_alive()
        assert [slots.take("another") for _ in range(3)] == [True, True, False]


def test_logs_of_a_database_that_is_gone_are_not_mixed_with_new_ones(
    arena: Arena, tmp_path: Path
) -> None:
    """As soon as they are out of the way, the tournament begins by itself."""
    logs = arena.data.logs / "open"
    logs.mkdir(parents=True)
    (logs / "open-x-b00000-s0.jsonl.gz").write_bytes(b"")
    executor = QuickExecutor()
    with running(arena, write(tmp_path), executor) as played:
        assert "run thousand store rebuild first" in played.progress.trouble
        assert arena.store.tournaments() == ()
        shutil.rmtree(logs)
        assert wait_until(lambda: played.progress.is_complete)
        assert played.progress.trouble == ""
    assert len(executor.played) == arena.store.tournament("open").matches > 0


def test_trouble_while_it_looks_for_entries_costs_no_match(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = iter(range(1_000))
    phase_of = run.phase_of

    def fails_often(*arguments: object) -> object:
        if next(looks) % 12 == 11:
            raise DataError("locked by another program")
        return phase_of(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(run, "phase_of", fails_often)
    executor = QuickExecutor(lambda _: played.notice())
    file = write(tmp_path)
    with running(arena, file, executor) as played:
        assert wait_until(lambda: played.progress.is_complete and not played.progress.trouble)
    assert len(executor.played) == len(set(executor.played)) == 8 * 6
    assert arena.store.tournament("open").matches == len(executor.played)


def test_a_bot_of_the_house_that_was_changed_plays_no_more_until_it_is_restored(
    arena: Arena, tmp_path: Path
) -> None:
    def refuse_four(spec: MatchSpec) -> None:
        for bot in spec.bots:
            if bot.name == "four":
                raise BotChanged("four", str(tmp_path / "four"), bot.version, "are others now")

    file = write(tmp_path)
    executor = QuickExecutor(refuse_four)
    with running(arena, file, executor) as played:
        assert wait_until(lambda: played.progress.is_complete and not played.progress.trouble)
    assert {match.trio for match in executor.played} == {("one", "three", "two")}
    assert len(executor.played) == 6 * 6
    retired = {entry.name for entry in arena.store.tournament("open").entries if entry.retired}
    assert retired == {"four"}

    restored = QuickExecutor()
    with running(arena, file, restored) as played:
        assert wait_until(lambda: played.progress.is_complete)
    assert all("four" in match.trio for match in restored.played)
    assert len(restored.played) == 6 * 6


def test_a_database_that_fails_when_a_bot_is_to_be_retired_is_waited_for(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures = iter([True, True, False])

    def retire(*arguments: Any, **options: Any) -> None:
        if next(failures, False):
            raise DataError("locked by another program")
        played_module.retire(*arguments, **options)

    def refuse_four(spec: MatchSpec) -> None:
        for bot in spec.bots:
            if bot.name == "four":
                raise BotChanged("four", str(tmp_path / "four"), bot.version, "are others now")

    executor = QuickExecutor(refuse_four)
    played = running(arena, write(tmp_path), executor)
    with played as tournament:
        monkeypatch.setattr(run, "retire", retire)
        assert wait_until(lambda: tournament.progress.is_complete)
        assert tournament.progress.trouble == ""
    assert len(executor.played) == 6 * 6


def test_a_bot_without_an_image_does_not_keep_others_from_playing(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """But an engine that can't be used is no bot's fault."""
    engines = iter([False, True])

    def build_images(bots: Iterable[BotFolder], *_: object) -> dict[str, str]:
        if not next(engines, True):
            raise ConfigError("no engine")
        built = {bot.name: bot.digest for bot in bots}
        if "ace" in built or "four" in built:
            raise BuildFailed("can't build the image")
        return dict.fromkeys(built.values(), "an image")

    monkeypatch.setattr(images, "build_images", build_images)
    server = ArenaServer(tmp_path)
    server.add_user("anna")
    server.add_version("anna", bot_folder(tmp_path, "ace"))
    server.add_version("anna", bot_folder(tmp_path, "king"))
    executor = QuickExecutor()
    with running(arena, write(tmp_path, more='[sandbox]\nkind = "docker"'), executor) as played:
        for bot in ("ace", "king"):
            enter_bot(arena.store, "open", bot, 1, arena.data.bots)
        played.notice()
        assert wait_until(lambda: played.progress.is_complete and len(executor.played) >= 48)
    names = {name for match in executor.played for name in match.trio}
    assert names == {"king", "one", "three", "two"}
    entries = arena.store.tournament("open").entries
    assert {entry.name for entry in entries if entry.retired} == {"ace", "four"}
    reasons = {each.bot: each.reason for each in SubmissionStore(arena.store).submissions()}
    assert reasons["king"] == ""
    assert reasons["ace"].startswith("plays no more in open: its image can't be built")
