from __future__ import annotations

from collections import Counter
from hashlib import sha256
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from store_maker import tournament_of
from thousand_referee.balanced import BalancedSchedule, balanced_schedule
from thousand_referee.errors import ConfigError
from thousand_referee.schedule import match_id, remaining, schedule
from thousand_referee.store.resume import resumed_seed
from thousand_referee.store.values import StoredEntry, StoredTournament
from thousand_referee.tournament_file import TournamentFile
from thousand_referee.triples import EXACT_MULTIPLES, balanced_triples


def names_of(count: int) -> list[str]:
    return [f"bot{number:03}" for number in range(count)]


def spread(counts: Counter[str] | Counter[tuple[str, ...]]) -> tuple[int, int]:
    return min(counts.values()), max(counts.values())


def pairs_and_entries(
    planned: BalancedSchedule,
) -> tuple[Counter[tuple[str, ...]], Counter[str]]:
    pairs = Counter(dict.fromkeys(combinations(planned.names, 2), 0))
    entries = Counter(dict.fromkeys(planned.names, 0))
    for trio, blocks in planned.blocks.items():
        for pair in combinations(trio, 2):
            pairs[pair] += blocks
        for name in trio:
            entries[name] += blocks
    return pairs, entries


@pytest.mark.parametrize("count", range(3, 19))
def test_every_small_design_is_balanced(count: int) -> None:
    """Up to beyond the design that repeats from there on."""
    exact = EXACT_MULTIPLES[count % 6] * (count - 1) // 2
    for each in range(1, min(exact, 40) + 2):
        planned = balanced_schedule(names_of(count), each, 1)
        pairs, entries = pairs_and_entries(planned)
        assert spread(pairs)[1] - spread(pairs)[0] <= 1
        assert each - 1 <= spread(entries)[0] <= spread(entries)[1] <= each + 1


@settings(deadline=None, max_examples=30)
@given(st.integers(3, 40), st.integers(1, 200))
def test_designs_are_balanced(count: int, each: int) -> None:
    pairs, entries = pairs_and_entries(balanced_schedule(names_of(count), each, 1))
    assert spread(pairs)[1] - spread(pairs)[0] <= 1
    assert each - 1 <= spread(entries)[0] <= spread(entries)[1] <= each + 1


@pytest.mark.parametrize(("count", "each"), [(7, 3), (9, 4), (6, 5), (10, 9), (5, 6), (8, 21)])
def test_exact_designs_are_exact(count: int, each: int) -> None:
    for times in (1, 2, 7):
        pairs, entries = pairs_and_entries(balanced_schedule(names_of(count), times * each, 1))
        assert len(set(pairs.values())) == len(set(entries.values())) == 1


def test_a_hundred_entries() -> None:
    """Pairs, entries and seats, for the sizes that people may use."""
    for each in (10, 48, 60):
        planned = balanced_schedule(names_of(100), each, 20)
        pairs, entries = pairs_and_entries(planned)
        assert spread(pairs)[1] - spread(pairs)[0] <= 1
        assert each - 1 <= spread(entries)[0] <= spread(entries)[1] <= each + 1
        seats = Counter((name, seat) for match in planned for seat, name in enumerate(match.seats))
        assert all(seats[name, 0] == seats[name, 1] == seats[name, 2] for name in planned.names)


@settings(deadline=None, max_examples=30)
@given(st.integers(3, 12), st.integers(1, 30), st.integers(1, 5))
def test_all_seatings_of_every_block(count: int, each: int, games_per_match: int) -> None:
    planned = balanced_schedule(names_of(count), each, games_per_match)
    matches = list(planned)
    assert len(matches) == len(planned)
    assert sum(match.games for match in matches) == planned.games
    games = Counter(
        (match.seats, match.first_block + game) for match in matches for game in range(match.games)
    )
    assert set(games.values()) == {1}
    for trio, blocks in planned.blocks.items():
        for block in range(blocks):
            assert (
                sum(1 for seats, number in games if (set(seats), number) == (set(trio), block)) == 6
            )


@settings(deadline=None, max_examples=30)
@given(st.integers(3, 12), st.integers(1, 30), st.integers(1, 5), st.randoms())
def test_it_is_always_the_same(count: int, each: int, games: int, random: object) -> None:
    names = names_of(count)
    planned = balanced_schedule(names, each, games)
    random.shuffle(names)  # type: ignore[attr-defined]
    assert list(balanced_schedule(names, each, games)) == list(planned)


def test_a_design_never_changes() -> None:
    """What was begun must go on on another machine and with another version of Python."""
    seven = "045 023 135 124 256 016 346"
    assert list(balanced_triples(7, 3)) == [tuple(map(int, triple)) for triple in seven.split()]
    text = repr(balanced_triples(20, 70))
    assert sha256(text.encode()).hexdigest()[:16] == "3aa0031332503162"


@settings(deadline=None, max_examples=30)
@given(st.integers(3, 8), st.integers(1, 30), st.integers(1, 4))
def test_trios_play_as_in_the_full_schedule(count: int, each: int, games: int) -> None:
    """Ids follow from trio, block and seating, and seeds from these, so they are the same."""
    planned = balanced_schedule(names_of(count), each, games)
    most = max(planned.blocks.values())
    full = {match.id_in("cup"): match for match in schedule(planned.names, (), most, games)}
    for match in planned:
        assert match.id_in("cup") == match_id("cup", match.trio, match.first_block, match.seating)
        same = full[match.id_in("cup")]
        assert (same.seats, same.first_block) == (match.seats, match.first_block)
        assert same.games >= match.games


@pytest.mark.parametrize("count", [9, 13, 20, 34])
def test_every_beginning_is_even(count: int) -> None:
    """A partial table means something: nobody is two blocks ahead for long."""
    planned = balanced_schedule(names_of(count), (count - 1) // 2, 1)
    entries = Counter(dict.fromkeys(planned.names, 0))
    for trio in planned.blocks:
        entries.update(trio)
        assert spread(entries)[1] - spread(entries)[0] <= 3


def test_what_remains_is_the_schedule_less_the_finished() -> None:
    planned = balanced_schedule(names_of(9), 7, 2)
    matches = list(planned)
    finished = {match.id_in("cup") for match in matches[5:50:3]}
    left = list(remaining(planned, "cup", finished))
    assert left == [match for match in matches if match.id_in("cup") not in finished]


@pytest.mark.parametrize(
    ("names", "each", "games"), [("ab", 1, 1), ("aab", 1, 1), ("abc", 0, 1), ("abc", 1, 0)]
)
def test_impossible_balanced_schedules(names: str, each: int, games: int) -> None:
    with pytest.raises(ValueError, match=r"."):
        balanced_schedule(names, each, games)


def balanced_file(count: int, each: int, games_per_match: int = 2) -> TournamentFile:
    return tournament_of(
        names_of(count), blocks=None, blocks_per_entry=each, games_per_match=games_per_match
    )


def stored_from(file: TournamentFile) -> StoredTournament:
    entries = tuple(StoredEntry(name, f"v-{name}", None, False) for name in file.names)
    return StoredTournament(file.name, file.seed, file.config(), entries, 0, 0, None, None)


def resume(before: TournamentFile, after: TournamentFile) -> None:
    resumed_seed(stored_from(before), None, (), after)


def test_more_blocks_go_on_as_far_as_the_designs_contain_one_another() -> None:
    for count, less, more in ((13, 2, 6), (20, 4, 9), (20, 9, 57), (13, 6, 10)):
        games = 1 if more > (count - 1) // 2 else 20
        before, after = balanced_file(count, less, games), balanced_file(count, more, games)
        assert set(before.plan()) <= set(after.plan())
        resume(before, after)


@pytest.mark.parametrize(
    ("before", "after", "problem"),
    [
        (balanced_file(13, 4), balanced_file(13, 3), "blocks_per_entry was 4, is 3; undo this"),
        (
            balanced_file(20, 10),
            balanced_file(20, 11),
            "blocks_per_entry was 10, is 11, and its balanced schedule would be another; undo",
        ),
        (balanced_file(13, 4), balanced_file(14, 4), "it had 13 entries and has 14, and its"),
        (balanced_file(3, 4), tournament_of(names_of(3)), "schedule was balanced, is full"),
        (tournament_of(names_of(3)), balanced_file(3, 4), "schedule was full, is balanced"),
    ],
)
def test_what_would_change_a_balanced_schedule_is_refused(
    before: TournamentFile, after: TournamentFile, problem: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        resume(before, after)
    assert problem in str(caught.value)


def test_a_tournament_stored_before_there_were_two_schedules_has_the_full_one() -> None:
    file = tournament_of()
    config = {key: value for key, value in file.config().items() if key != "schedule"}
    stored = StoredTournament(file.name, file.seed, config, (), 0, 0, None, None)
    with pytest.raises(ConfigError, match="schedule was full, is balanced"):
        resumed_seed(stored, None, (), balanced_file(3, 4))
    resumed_seed(stored, None, (), file)


def test_a_balanced_tournament_known_from_logs_goes_on() -> None:
    file = balanced_file(3, 4)
    config = {key: file.config()[key] for key in ("tables", "time", "faults")}
    stored = StoredTournament("test", None, config, (), 0, 0, None, None)
    assert resumed_seed(stored, None, [(0, 2), (2, 1)], file) == file.seed
    with pytest.raises(
        ConfigError, match="matches of 3 games from block 0 on, but blocks_per_entr"
    ):
        resumed_seed(stored, None, [(0, 3)], file)
