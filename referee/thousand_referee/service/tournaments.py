"""All tournaments of an arena: the threads that play them, and what the API asks of them."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from thousand_referee.coordinator import Drain
from thousand_referee.errors import ConfigError, RefereeError, WrongState
from thousand_referee.service.entering import (
    EnteredBot,
    begin_tournament,
    enter_bot,
    no_tournament,
    set_phase,
)
from thousand_referee.service.run import ArenaWatcher, Progress, TournamentRun
from thousand_referee.service.shared_executor import SharedExecutor
from thousand_referee.service.slots import Slots
from thousand_referee.store import StoredTournament
from thousand_referee.submitted import Phase
from thousand_referee.tournament import Arena
from thousand_referee.tournament_file import TournamentFile

if TYPE_CHECKING:  # Dask need not be there
    from thousand_referee.cluster.lasting import LastingCluster

_log: Final = logging.getLogger(__name__)
_JOIN_SECONDS: Final = 0.1


class Tournaments:
    """The tournaments that a server runs. Methods block, and may be called in any thread."""

    def __init__(
        self,
        arena: Arena,
        files: Iterable[TournamentFile],
        executor: SharedExecutor | LastingCluster,
        watcher: ArenaWatcher,
    ) -> None:
        """Get ready to play them by `executor`, which somebody else ends."""
        self._arena = arena
        self._drain = Drain()
        self._executor = executor
        slots = Slots(self._executor.at_once)
        self._runs: dict[str, TournamentRun] = {}
        for file in files:
            if file.name in self._runs:
                raise ConfigError(f"two tournaments are called {file.name!r}; rename one")
            self._runs[file.name] = TournamentRun(
                arena, file, slots, self._executor, watcher, self._drain
            )

    def prepare(self) -> None:
        """Get all tournaments ready for entries and to be played."""
        for name, run in self._runs.items():
            try:
                run.prepare()
            except RefereeError as error:
                run.refuse(str(error))
            else:
                _log.info("tournament %s is %s", name, run.progress.phase.value)

    def start(self) -> None:
        """Play all tournaments from now on; one that isn't ready tries again and again."""
        for run in self._runs.values():
            run.start()

    def drain(self) -> None:
        """Start no more matches."""
        self._executor.end()
        self._drain.is_wanted = True
        for run in self._runs.values():
            run.notice()

    def join(self) -> None:
        """Wait until the matches under way are finished."""
        for run in self._runs.values():
            while run.is_alive():
                run.join(_JOIN_SECONDS)

    def progress(self, name: str) -> Progress | None:
        """Give how far a tournament is; None if this server doesn't run it."""
        run = self._runs.get(name)
        return None if run is None else run.progress

    def stored(self, name: str) -> StoredTournament:
        """Give what the store has of a tournament; Missing if there is no such one."""
        for tournament in self._arena.store.tournaments():
            if tournament.name == name:
                return tournament
        raise no_tournament(name)

    def enter(self, tournament: str, bot: str, number: int) -> EnteredBot:
        """Enter a version of a bot: see `enter_bot`."""
        self._running(tournament)
        entered = enter_bot(self._arena.store, tournament, bot, number, self._arena.data.bots)
        self._runs[tournament].notice()
        _log.info("%s is entered in %s", entered.entry, tournament)
        return entered

    def check_entry(self, tournament: str) -> None:
        """Refuse (Missing, WrongState) a tournament that takes no entries."""
        run = self._running(tournament)
        if run.progress.phase is not Phase.OPEN:
            raise WrongState(
                f"tournament {tournament!r} takes no entries: it is {run.progress.phase.value}; "
                "choose another"
            )

    def begin(self, tournament: str) -> None:
        """Start a tournament that waits for entries; WrongState if it doesn't, or can't."""
        run = self._running(tournament)
        begin_tournament(self._arena.store, tournament)
        run.notice()

    def close(self, tournament: str) -> None:
        """End a tournament for good; matches under way are finished, and count."""
        run = self._running(tournament)
        set_phase(self._arena.store, tournament, Phase.CLOSED)
        run.notice()

    def _running(self, name: str) -> TournamentRun:
        self.stored(name)
        run = self._runs.get(name)
        if run is None:
            raise WrongState(
                f"tournament {name!r} isn't run by this server; choose another, or ask the "
                "organiser to add its file to the server's settings"
            )
        return run
