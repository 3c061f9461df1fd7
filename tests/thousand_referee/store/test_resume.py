from __future__ import annotations

from typing import Any

import pytest

from store_maker import NAMES, entry_of, schedule_of, tournament_of
from thousand.rules import block_seed
from thousand_referee.errors import ConfigError
from thousand_referee.spec import FaultLimits, TimeLimits
from thousand_referee.store.resume import resumed_seed
from thousand_referee.store.values import StoredEntry, StoredTournament
from thousand_referee.tournament_file import TournamentFile


def stored_from(file: TournamentFile, **changes: Any) -> StoredTournament:
    values: dict[str, Any] = {
        "name": file.name,
        "seed": file.seed,
        "config": file.config(),
        "entries": tuple(
            StoredEntry(entry.name, entry.bot.version, str(entry.bot.folder), entry.gauntlet)
            for entry in file.entries
        ),
        "matches": 0,
        "games": 0,
        "first_started": None,
        "last_started": None,
    }
    return StoredTournament(**(values | changes))


def resume(before: TournamentFile, after: TournamentFile) -> str:
    return resumed_seed(stored_from(before), None, (), after)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"tables": 256},
        {"seed": None},
        {"blocks": 5},
        {"blocks": 400},
        {"entries": tournament_of(NAMES[::-1]).entries},
        {"entries": tournament_of(("dora", *NAMES)).entries},
    ],
)
def test_what_may_change(changes: dict[str, Any]) -> None:
    assert resume(tournament_of(), tournament_of(**changes)) == "a seed for tests"


@pytest.mark.parametrize("blocks", [5, 6, 7, 99])
def test_the_schedule_only_grows(blocks: int) -> None:
    longer = tournament_of(blocks=blocks)
    resume(tournament_of(), longer)
    assert set(schedule_of(tournament_of())) <= set(schedule_of(longer))


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"seed": "8"}, "seed was 'a seed for tests', is '8'; undo this, or start another"),
        ({"blocks": 2}, "blocks was 4, is 2; undo this (it may be raised only)"),
        ({"games_per_match": 4}, "games_per_match was 2, is 4; undo this"),
        ({"time": TimeLimits(move_ms=5)}, "time.move_ms was 1000, is 5; undo this"),
        ({"faults": FaultLimits(restarts=5)}, "faults.restarts was 2, is 5; undo this"),
        ({"entries": tournament_of(NAMES[1:]).entries}, "entry 'anna' is missing; put it back"),
        (
            {"entries": (entry_of("anna", "0" * 64), *tournament_of().entries[1:])},
            "the files of entry 'anna' changed, from version v-anna to 0000000000000000; restore",
        ),
        (
            {"entries": (entry_of("anna", gauntlet=True), *tournament_of().entries[1:])},
            "gauntlet of entry 'anna' was false, is true; undo this",
        ),
        (
            {"entries": (*tournament_of().entries, entry_of("dora", gauntlet=True))},
            "the new entry 'dora' would turn it into a gauntlet; enter it without gauntlet",
        ),
    ],
)
def test_what_may_not_change(changes: dict[str, Any], problem: str) -> None:
    with pytest.raises(ConfigError) as caught:
        resume(tournament_of(), tournament_of(**changes))
    message = str(caught.value)
    assert message.startswith(f"tournament 'test' can't go on: {problem}")
    assert message.endswith(
        'or start another tournament: set another name in the file, such as name = "test-2"'
    )


def test_blocks_that_do_not_fill_matches_cannot_be_raised() -> None:
    resume(tournament_of(blocks=5), tournament_of(blocks=5))
    with pytest.raises(ConfigError, match="5 is no multiple of games_per_match"):
        resume(tournament_of(blocks=5), tournament_of(blocks=6))


def test_a_gauntlet_may_get_more_challengers() -> None:
    gauntlet = (entry_of("anna", gauntlet=True), *tournament_of().entries[1:])
    more = (*gauntlet, entry_of("dora", gauntlet=True), entry_of("emil"))
    assert resume(tournament_of(entries=gauntlet), tournament_of(entries=more))


def rebuilt() -> StoredTournament:
    """What is left of a tournament when there are only logs."""
    config = {key: tournament_of().config()[key] for key in ("tables", "time", "faults")}
    entries = tuple(StoredEntry(name, f"v-{name}", None, None) for name in NAMES)
    return stored_from(tournament_of(), seed=None, config=config, entries=entries)


PROOF = {"trio": list(NAMES), "block": 2, "seed": block_seed("7", NAMES, 2).hex()}


def test_a_tournament_known_from_logs_goes_on_with_its_seed_and_ranges() -> None:
    gauntlet = (entry_of("anna", gauntlet=True), *tournament_of().entries[1:])
    for file in (tournament_of(seed="7"), tournament_of(seed="7", entries=gauntlet)):
        assert resumed_seed(rebuilt(), PROOF, [(0, 2), (2, 2)], file) == "7"


@pytest.mark.parametrize(
    ("changes", "ranges", "problem"),
    [
        ({"seed": None}, [], "its seed is unknown .only its match logs are left.; set seed"),
        ({"seed": "8"}, [], "its matches had another seed than '8'"),
        ({"blocks": 3}, [(2, 2)], "it has matches of 2 games from block 2 on, but blocks is 3"),
        ({"games_per_match": 4}, [(2, 2)], "2 games from block 2 on, .* games_per_match 4; set"),
        ({"blocks": 2}, [(2, 2)], "2 games from block 2 on"),
        ({"time": TimeLimits(move_ms=5)}, [], "time.move_ms was 1000, is 5"),
    ],
)
def test_a_tournament_known_from_logs_does_not_go_on_differently(
    changes: dict[str, Any], ranges: list[tuple[int, int]], problem: str
) -> None:
    file = tournament_of(**({"seed": "7"} | changes))
    with pytest.raises(ConfigError, match=problem):
        resumed_seed(rebuilt(), PROOF, ranges, file)
