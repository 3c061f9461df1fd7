from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from store_maker import schedule_of, summary_of, tournament_of
from thousand_referee.errors import Missing, WrongState
from thousand_referee.schedule import PlannedMatch
from thousand_referee.service.accounts import Accounts
from thousand_referee.service.entering import EnteredBot, enter_bot, phase_of, set_phase
from thousand_referee.service.played import entered_bots, played_seatings, retire
from thousand_referee.service.queries import list_games, list_matches, log_of, seats_of
from thousand_referee.service.submission_store import SubmissionStore, new_submission_id
from thousand_referee.store import Store
from thousand_referee.submitted import Phase, Role

HOME = Path("/home/of/bots")


@pytest.fixture
def store(store_location: str | Path) -> Iterator[Store]:
    with Store.open(store_location) as store:
        Accounts(store).add("anna", Role.AUTHOR)
        yield store


def add_versions(store: Store, bot: str, count: int, wanted: str | None = None) -> None:
    (user,) = Accounts(store).users()
    for number in range(1, count + 1):
        submission = new_submission_id()
        SubmissionStore(store).add(
            submission, bot=bot, user=user, archive_sha256="", tournament=wanted,
            most_waiting=9, most_a_day=99,
        )  # fmt: skip
        digest = f"{bot}{number}".ljust(64, "0")
        columns = {"version": digest[:16], "digest": digest, "command": ["./run"]}
        SubmissionStore(store).accept(submission, columns, None)


def tournament(store: Store, phase: Phase = Phase.OPEN, **changes: Any) -> None:
    store.create_or_resume(tournament_of(**changes), "")
    set_phase(store, "test", phase)


def names(store: Store, *, retired: bool) -> list[str]:
    return [entry.name for entry in entered_bots(store, "test", HOME, retired=retired)]


OPEN = {"mode": "open", "blocks": None, "blocks_per_entry": 4}


def test_a_newer_version_retires_the_older_and_may_give_way_again(store: Store) -> None:
    tournament(store, **OPEN)
    add_versions(store, "ace", 3)
    add_versions(store, "king", 1)
    assert enter_bot(store, "test", "ace", 1, HOME) == EnteredBot("ace", ())
    assert enter_bot(store, "test", "king", 1, HOME) == EnteredBot("king", ())
    assert enter_bot(store, "test", "ace", 3, HOME) == EnteredBot("ace#3", ("ace",))
    assert enter_bot(store, "test", "ace", 3, HOME) == EnteredBot("ace#3", ())
    assert names(store, retired=False) == ["ace#3", "king"]
    assert enter_bot(store, "test", "ace", 1, HOME) == EnteredBot("ace", ("ace#3",))
    assert names(store, retired=False) == ["ace", "king"]
    assert names(store, retired=True) == ["ace", "ace#3", "king"]
    (ace, *_) = entered_bots(store, "test", HOME, retired=False)
    assert ace.bot.folder == HOME / "ace" / "ace1000000000000"
    stored = {entry.name: entry for entry in store.tournament("test").entries}
    assert (stored["ace#3"].bot, stored["ace#3"].retired) == ("ace", True)
    assert (stored["anna"].bot, stored["anna"].retired) == (None, False)
    retire(store, "test", "king")
    assert names(store, retired=False) == ["ace"]
    bot = SubmissionStore(store).bot("ace")
    assert bot is not None
    assert [[each.retired for each in version.entered] for version in bot.versions] == [
        [False], [], [True],
    ]  # fmt: skip


def test_before_a_fixed_tournament_starts_an_older_version_is_simply_replaced(
    store: Store,
) -> None:
    tournament(store, accepts_entries=True)
    add_versions(store, "ace", 2)
    enter_bot(store, "test", "ace", 1, HOME)
    assert enter_bot(store, "test", "ace", 2, HOME) == EnteredBot("ace#2", ("ace",))
    assert names(store, retired=True) == ["ace#2"]


def test_what_can_not_be_entered(store: Store) -> None:
    add_versions(store, "ace", 1)
    add_versions(store, "anna", 1)
    tournament(store, Phase.CLOSED, **OPEN)
    with pytest.raises(WrongState, match="takes no entries: it is closed"):
        enter_bot(store, "test", "ace", 1, HOME)
    set_phase(store, "test", Phase.OPEN)
    with pytest.raises(Missing, match="no version 2"):
        enter_bot(store, "test", "ace", 2, HOME)
    with pytest.raises(Missing, match="no tournament 'other'"):
        enter_bot(store, "other", "ace", 1, HOME)
    with pytest.raises(WrongState, match="an entry 'anna' of the organiser's"):
        enter_bot(store, "test", "anna", 1, HOME)
    with pytest.raises(Missing):
        set_phase(store, "other", Phase.OPEN)
    assert (phase_of(store, "test"), phase_of(store, "other")) == (Phase.OPEN, None)


def test_what_was_played_is_known_by_trio_block_and_seating(store: Store) -> None:
    file = tournament_of()
    tournament(store)
    planned = list(schedule_of(file))[:9]
    for match in planned:
        store.enter_match(summary_of(match), f"test/{match.id_in('test')}")
    played = played_seatings(store, "test")
    again = [PlannedMatch(trio, seating, first, 2) for trio, first, seating in played]
    assert again == planned
    match = planned[4].id_in("test")
    for called in (match, match.removeprefix("test-")):
        assert seats_of(store, "test", called) == (match, planned[4].seats)
        assert log_of(store, "test", called).startswith("test/test-")
    with pytest.raises(Missing, match="no finished match"):
        log_of(store, "test", "nope")


@pytest.mark.parametrize("size", [1, 2, 5, 9, 100])
def test_pages_have_everything_once(store: Store, size: int) -> None:
    tournament(store)
    planned = list(schedule_of(tournament_of()))[:9]
    for match in planned:
        store.enter_match(summary_of(match), "log")
    for reading, count in ((list_matches, 9), (list_games, 18)):
        found: list[Any] = []
        token = ""
        while True:
            page, token = reading(store, "test", size=size, token=token)
            assert 0 < len(page) <= size
            found += page
            if not token:
                break
        assert len(found) == len(set(found)) == count
    one = planned[3].id_in("test")
    assert [game.game for game in list_games(store, "test", match=one)[0]] == [0, 1]
    assert len(list_matches(store, "test", entry="boris")[0]) == 9


def test_an_open_tournament_stays_open(store: Store) -> None:
    """Its settings can't be turned into those of another kind under way."""
    tournament(store, **OPEN)
    opened = tournament_of(**OPEN)
    store.create_or_resume(opened, "")
    more = msgspec.structs.replace(opened, blocks_per_entry=9)
    store.create_or_resume(more, "")
    fixed = tournament_of(blocks=None, blocks_per_entry=9)
    with pytest.raises(Exception, match="mode was open, is fixed"):
        store.create_or_resume(fixed, "")


def test_a_choice_of_an_earlier_version_outlasts_the_server(store: Store) -> None:
    """In a fixed tournament, too, where the version that gives way leaves no entry."""
    tournament(store, accepts_entries=True)
    add_versions(store, "ace", 2, wanted="test")
    enter_bot(store, "test", "ace", 2, HOME)
    enter_bot(store, "test", "ace", 1, HOME)
    assert SubmissionStore(store).not_entered() == ()


def test_what_a_killed_server_did_not_enter_is_known(store: Store) -> None:
    tournament(store, **OPEN)
    add_versions(store, "ace", 2, wanted="test")
    add_versions(store, "king", 1)
    bots = SubmissionStore(store)
    (missing,) = bots.not_entered()
    assert (missing.bot, missing.number, missing.tournament) == ("ace", 2, "test")
    enter_bot(store, "test", "ace", 2, HOME)
    assert bots.not_entered() == ()
    enter_bot(store, "test", "ace", 1, HOME)  # retired by its author, and not entered again
    assert bots.not_entered() == ()
    add_versions(store, "queen", 1, wanted="test")
    (missing,) = bots.not_entered()
    bots.note(missing.id, "ready, but not entered: closed")
    assert bots.not_entered() == ()
