"""A tournament from its file to its standings: resume, play what is left, rate."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import msgspec

from thousand_referee.coordinator import Drain, Watcher, play_matches
from thousand_referee.data_folder import STORE_VARIABLE, DataFolder
from thousand_referee.errors import ConfigError
from thousand_referee.matchlog.summary import MatchSummary
from thousand_referee.matchlog.writer import FINISHED_SUFFIX
from thousand_referee.schedule import PlannedMatch, match_spec, remaining
from thousand_referee.spec import BotVersion, MatchSpec
from thousand_referee.store import Store, enter_logs
from thousand_referee.tournament_file import TournamentFile
from thousand_referee.voids import record_void

if TYPE_CHECKING:
    from thousand_referee.ratings.results import Standings


@dataclass(frozen=True, slots=True)
class Arena:
    """An open data folder and its store."""

    data: DataFolder
    store: Store


class RunWatcher(Watcher, Protocol):
    """Who wants to know how a tournament's run goes; a finished match is in the store."""

    def planned(self, total: int, done: int) -> None:
        """So many games are in the tournament, and so many were played before."""

    def say(self, text: str) -> None:
        """Something was done that people wait for."""


@contextmanager
def open_arena(
    path: Path, store_url: str | None = None, *, create: bool = False
) -> Iterator[Arena]:
    """Open a data folder with its store, or the one at a URL; `DataError` if that can't be done.

    Without a URL, that in ``$THOUSAND_STORE`` counts.
    """
    data = DataFolder.open(path, create=create)
    url = store_url or os.environ.get(STORE_VARIABLE)
    with Store.open(url or data.database, create=create) as store:
        yield Arena(data, store)


def run_tournament(
    arena: Arena,
    file: TournamentFile,
    executor: Executor,
    jobs: int,
    watcher: RunWatcher,
    drain: Drain,
    *,
    builds_images: bool = True,
) -> bool:
    """Play what is left of a tournament; give whether it is complete.

    Images of bots are built here, unless the executor's machines see to their own.

    `ConfigError` if a stored tournament of this name can't go on as the file has it,
    `DataError` if another process runs it or the data folder fails.
    """
    if file.is_for_arena:
        raise ConfigError(
            f"tournament {file.name!r} lets bots enter; run it in an arena with thousand serve"
        )
    with arena.data.lock(file.name), arena.store.hold(file.name):
        seed = create_or_go_on(arena, file, watcher.say)
        plan = file.plan()
        finished = arena.store.finished_matches(file.name)
        watcher.planned(plan.games, arena.store.tournament(file.name).games)
        bots = bots_of(arena, file, watcher.say, builds_images=builds_images)
        specs = (
            spec_of(arena, file, seed, planned, bots)
            for planned in remaining(plan, file.name, finished)
        )
        return play_matches(specs, executor, jobs, Entering(arena, watcher), drain)


def create_or_go_on(arena: Arena, file: TournamentFile, say: Callable[[str], None]) -> str:
    """Create a tournament in the store, or go on with what was played; give its seed.

    Who calls must have locked the tournament. `ConfigError` if a stored tournament of this
    name can't go on as the file has it, or its logs are there but it isn't stored.
    """
    _refuse_unknown_logs(arena, file.name)
    seed = arena.store.create_or_resume(file, secrets.token_hex(16))
    # Logs that were finished but not entered: the run was killed in between.
    for skipped in enter_logs(arena.store, arena.data.logs, file.name).skipped:
        say(f"not counted: {skipped}")
    return seed


def _refuse_unknown_logs(arena: Arena, name: str) -> None:
    """Refuse to create a tournament that has logs: they may be of other cards and limits."""
    if any(known.name == name for known in arena.store.tournaments()):
        return
    if any((arena.data.logs / name).glob(f"*{FINISHED_SUFFIX}")):
        raise ConfigError(
            f"{arena.data.logs / name}: has logs of a tournament {name!r} that the database "
            "doesn't know; run thousand store rebuild first, or choose another name"
        )


def bots_of(
    arena: Arena, file: TournamentFile, say: Callable[[str], None], *, builds_images: bool = True
) -> dict[str, BotVersion]:
    """Give the entries' bots by name, with an image each where they run in containers here."""
    bots = {entry.name: entry.bot.as_entry(entry.name) for entry in file.entries}
    if file.sandbox.kind != "docker" or not builds_images:
        return bots
    from thousand_referee.launch.images import build_images

    folders = {entry.bot.digest: entry.bot for entry in file.entries}
    images = build_images(folders.values(), file.sandbox, arena.data.builds, say)
    return {
        entry.name: msgspec.structs.replace(bots[entry.name], image=images[entry.bot.digest])
        for entry in file.entries
    }


def spec_of(
    arena: Arena,
    file: TournamentFile,
    seed: str,
    planned: PlannedMatch,
    bots: Mapping[str, BotVersion],
) -> MatchSpec:
    """Make a planned match ready to play, its files going to the arena's data folder."""
    spec = match_spec(
        planned,
        tournament=file.name,
        seed=seed,
        bots=bots,
        tables=file.tables,
        time=file.time,
        faults=file.faults,
        log_dir=str(arena.data.logs / file.name),
        output_dir=str(arena.data.output / file.name),
    )
    return msgspec.structs.replace(spec, sandbox=file.sandbox)


class Entering:
    """Enters finished matches into the store, records void ones, and tells a watcher all."""

    def __init__(self, arena: Arena, watcher: Watcher) -> None:
        self._store = arena.store
        self._voids = arena.data.voids
        self.started = watcher.started
        self._voided = watcher.voided
        self.ticked = watcher.ticked
        self._finished = watcher.finished

    def finished(self, spec: MatchSpec, summary: MatchSummary) -> None:
        """Enter a match."""
        self._store.enter_match(summary, f"{spec.tournament}/{spec.match}{FINISHED_SUFFIX}")
        self._finished(spec, summary)

    def voided(self, spec: MatchSpec, reason: str) -> None:
        """Record a void."""
        record_void(self._voids / f"{spec.tournament}.jsonl", spec, reason)
        self._voided(spec, reason)


def find_tournament(arena: Arena, name: str | None) -> str:
    """Give the named tournament, or the only one; `ConfigError` lists what there is."""
    if name is not None:
        return arena.store.tournament(name).name
    known = [tournament.name for tournament in arena.store.tournaments()]
    if len(known) == 1:
        return known[0]
    if not known:
        raise ConfigError(f"{arena.data.path}: no tournament yet; run one first")
    raise ConfigError(f"which tournament? There are {', '.join(known)}: name one")


def standings_of(arena: Arena, name: str, *, anchor: str | None = None) -> Standings:
    """Rate a tournament from the store; `ConfigError` if the anchor is no entry of it."""
    from thousand_referee.ratings import standings

    names = [entry.name for entry in arena.store.tournament(name).entries]
    if anchor is not None and anchor not in names:
        raise ConfigError(f"--anchor: {anchor!r} is no entry of {name}; use {', '.join(names)}")
    return standings(
        arena.store.game_table(name),
        names=names,
        times=arena.store.times_by_bot(name),
        anchor=anchor,
    )
