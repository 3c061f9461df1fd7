"""One tournament of an arena, played by a thread of the server."""

from __future__ import annotations

import logging
import threading
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import Final, Protocol

from thousand_referee.coordinator import Drain, play_matches
from thousand_referee.errors import BotChanged, RefereeError
from thousand_referee.matchlog.summary import MatchSummary
from thousand_referee.open_schedule import OpenSchedule
from thousand_referee.schedule import PlannedMatch, remaining
from thousand_referee.service.entering import check_house_names, phase_of, settle_phase
from thousand_referee.service.line_up import fixed_line_up, open_line_up, with_entered
from thousand_referee.service.played import played_seatings, retire
from thousand_referee.service.slots import Slots
from thousand_referee.service.supply import FixedPlan, OpenPlan, Plan, Supply
from thousand_referee.spec import BotVersion, MatchSpec
from thousand_referee.submitted import Phase
from thousand_referee.tournament import Arena, Entering, create_or_go_on, spec_of
from thousand_referee.tournament_file import TournamentFile

_log: Final = logging.getLogger(__name__)

IDLE_SECONDS: Final = 0.5
"""A tournament with nothing to do, or without a slot, looks again so often at the latest."""

RETRY_SECONDS: Final = 30.0
"""After trouble with the disk or the machine it goes on so much later."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a tournament is: finished games and matches, and games planned, about.

    `trouble` says why it stands still, empty if it doesn't. `is_complete` when all is
    played that can be as things are.
    """

    phase: Phase
    games: int = 0
    matches: int = 0
    games_planned: int = 0
    trouble: str = ""
    is_complete: bool = False


class ArenaWatcher(Protocol):
    """Who wants to know what happens in all tournaments; called in their threads."""

    def match_finished(self, tournament: str, summary: MatchSummary) -> None:
        """A match is complete, and in the store."""

    def match_voided(self, tournament: str, reason: str) -> None:
        """A match came to nothing, and is played again."""


class TournamentRun(threading.Thread):
    """Plays a tournament until it is closed, or complete for good, or a drain is wanted.

    It waits for entries, for its start, and for slots. Its errors don't touch others.
    """

    def __init__(
        self,
        arena: Arena,
        file: TournamentFile,
        slots: Slots,
        executor: Executor,
        watcher: ArenaWatcher,
        drain: Drain,
    ) -> None:
        super().__init__(name=f"tournament {file.name}", daemon=True)
        self.file = file
        self.progress = Progress(_first_phase(file))
        self._arena = arena
        self._slots = slots
        self._executor = executor
        self._watcher = watcher
        self._drain = drain
        self._changed = threading.Event()
        self._is_prepared = False
        self._seed = ""
        self._bots: dict[str, BotVersion] = {}
        self._plan: Plan | None = None

    def notice(self) -> None:
        """Look at the store again: entries or the phase have changed."""
        self._changed.set()

    def refuse(self, trouble: str) -> None:
        """Note why the tournament isn't played yet."""
        self._halt(trouble)

    def prepare(self) -> None:
        """Create the tournament in the store, or go on with it; what it has is counted.

        ConfigError if a stored one of its name can't go on as the file has it.
        """
        name, store = self.file.name, self._arena.store
        with self._arena.data.lock(name), store.hold(name):
            self._create_or_go_on()
            # Those of the house whose files changed once have their files again.
            for entry in self.file.names:
                retire(store, name, entry, is_retired=False)

    def _create_or_go_on(self) -> None:
        name, store = self.file.name, self._arena.store
        check_house_names(store, self.file.names)
        file = with_entered(self._arena, self.file, retired=self.file.mode == "open")
        self._seed = create_or_go_on(self._arena, file, _log.warning)
        self._count(settle_phase(store, name, _first_phase(self.file)))
        self._is_prepared = True

    def run(self) -> None:
        """Play: see the class."""
        name = self.file.name
        while not self._drain.is_wanted:
            if self.progress.trouble:
                self._changed.wait(RETRY_SECONDS)
                self._changed.clear()
            try:
                with self._arena.data.lock(name), self._arena.store.hold(name):
                    if not self._is_prepared:
                        self._create_or_go_on()
                    # After trouble there may be logs that were not entered.
                    self._is_prepared = False
                    try:
                        self._play()
                    except BotChanged as error:
                        if self.file.mode == "fixed":
                            raise
                        self._go_on_without(error)
                        continue
                    self._show(is_complete=not self._drain.is_wanted)
                break
            except RefereeError as error:
                self._halt(str(error))
            except Exception as error:  # noqa: BLE001
                _log.exception("tournament %s failed", name, exc_info=error)
                self._halt(f"the server made a mistake ({error!r}); its log has more")
            finally:
                # No match is under way any more: `play_matches` sees to it.
                self._slots.give_back(name, all_of_them=True)

    def _go_on_without(self, changed: BotChanged) -> None:
        name, entry = self.file.name, changed.name
        _log.error("entry %s of %s plays no more: %s", entry, name, changed)
        why = f"plays no more in {name}: its files here changed; tell an organiser"
        retire(self._arena.store, name, entry, why=why)

    def _play(self) -> None:
        name = self.file.name
        self._plan = None
        self._bots = {}
        self._changed.set()
        supply: Supply | None = None
        while not self._drain.is_wanted and self.progress.phase is not Phase.CLOSED:
            if self._look() and supply is None:
                assert self._plan is not None
                supply = Supply(
                    self._plan,
                    self._spec_of,
                    look=self._look,
                    take_slot=lambda: self._slots.take(name),
                    give_back=lambda: self._slots.give_back(name),
                )
            if supply is not None:
                watcher = Entering(self._arena, self)
                play_matches(supply, self._executor, self._slots.total, watcher, self._drain)
                self._show(is_complete=supply.is_empty)
                if supply.is_empty and self.file.mode == "fixed" and not self._drain.is_wanted:
                    _log.info("tournament %s is complete", name)
                    break
            self._changed.wait(IDLE_SECONDS)

    def _look(self) -> bool:
        """Take changes of phase and entries over; give whether matches may be started."""
        if self._changed.is_set():
            self._changed.clear()
            phase = phase_of(self._arena.store, self.file.name) or Phase.CLOSED
            self.progress = replace(self.progress, phase=phase, trouble="")
            if self._may_play():
                self._take_entries()
        return self._may_play()

    def _may_play(self) -> bool:
        if self.file.mode == "open":
            return self.progress.phase is Phase.OPEN
        return self.progress.phase is Phase.RUNNING

    def _take_entries(self) -> None:
        """Make a plan for the entries there are now, or change the one there is."""
        name, store = self.file.name, self._arena.store
        if self.file.mode == "open":
            bots = open_line_up(self._arena, self.file, self._bots)
            self._bots |= bots
            if isinstance(self._plan, OpenPlan):
                self._plan.change(bots)
            else:
                assert self.file.blocks_per_entry is not None
                schedule = OpenSchedule(self.file.blocks_per_entry, self.file.games_per_match)
                missing = schedule.resume(played_seatings(store, name))
                self._plan = OpenPlan(schedule, missing, bots)
        elif self._plan is None:
            file, self._bots = fixed_line_up(self._arena, self.file)
            # A plan that can't go on with these entries is refused here.
            store.create_or_resume(file, self._seed)
            finished = store.finished_matches(name)
            self._plan = FixedPlan(remaining(file.plan(), name, finished))
        self._show(is_complete=False)

    def _spec_of(self, planned: PlannedMatch) -> MatchSpec:
        return spec_of(self._arena, self.file, self._seed, planned, self._bots)

    def started(self, spec: MatchSpec) -> None:
        """Nothing is to be done."""

    def finished(self, spec: MatchSpec, summary: MatchSummary) -> None:
        """Count a match."""
        self._slots.give_back(self.file.name)
        self.progress = replace(
            self.progress,
            games=self.progress.games + len(summary.games),
            matches=self.progress.matches + 1,
        )
        self._watcher.match_finished(self.file.name, summary)

    def voided(self, spec: MatchSpec, reason: str) -> None:
        """Tell of a match that keeps its slot, since it is played again."""
        _log.warning("match %s is void: %s", spec.match, reason)
        self._watcher.match_voided(self.file.name, reason)

    def ticked(self) -> None:
        """Nothing is to be done."""

    def _count(self, phase: Phase) -> None:
        stored = self._arena.store.tournament(self.file.name)
        self.progress = Progress(phase, stored.games, stored.matches, stored.games)

    def _show(self, *, is_complete: bool) -> None:
        left = 0 if self._plan is None else self._plan.games_left
        planned = self.progress.games + left
        if self._plan is None or is_complete or planned > self.progress.games_planned:
            self.progress = replace(self.progress, games_planned=planned)
        self.progress = replace(self.progress, is_complete=is_complete)

    def _halt(self, trouble: str) -> None:
        _log.error("tournament %s stands still: %s", self.file.name, trouble)
        self.progress = replace(self.progress, trouble=trouble)


def _first_phase(file: TournamentFile) -> Phase:
    return Phase.OPEN if file.is_for_arena else Phase.RUNNING
