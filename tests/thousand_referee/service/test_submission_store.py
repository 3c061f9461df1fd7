from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from store_maker import tournament_of
from thousand_referee.errors import ConfigError, NotAllowed, TooMuch
from thousand_referee.service.accounts import Accounts
from thousand_referee.service.entering import check_house_names, settle_phase
from thousand_referee.service.submission_store import SubmissionStore, new_submission_id
from thousand_referee.store import Store
from thousand_referee.submitted import Phase, Role, State, User


@pytest.fixture
def store(store_location: str | Path) -> Iterator[Store]:
    with Store.open(store_location) as store:
        yield store


def user_of(store: Store, name: str) -> User:
    user = Accounts(store).user_of(Accounts(store).add(name, Role.AUTHOR))
    assert user is not None
    return user


def submit(store: Store, bot: str, user: User, **changes: Any) -> str:
    submission = new_submission_id()
    values: dict[str, Any] = {"most_waiting": 3, "most_a_day": 5, "tournament": None} | changes
    SubmissionStore(store).add(submission, bot=bot, user=user, archive_sha256="0" * 64, **values)
    return submission


def version(name: str) -> dict[str, Any]:
    digest = name * 64
    return {
        "version": digest[:16],
        "digest": digest,
        "command": ["python", "bot.py"],
        "description": f"{name} plays",
    }


def test_a_submission_from_the_queue_to_a_version(store: Store) -> None:
    bots, anna = SubmissionStore(store), user_of(store, "anna")
    first, second = submit(store, "ace", anna), submit(store, "ace", anna)
    assert [(each.id, each.ahead) for each in bots.submissions()] == [(second, 1), (first, 0)]
    queued = bots.queued()[0]
    assert (queued.id, queued.bot, queued.owner) == (first, "ace", "anna")
    bots.change(first, State.BUILDING, "unpacking")
    bots.change(first, State.CHECKING)
    accepted = bots.accept(first, version("a"), {"ready": True})
    assert accepted is not None
    assert (accepted.number, accepted.version, accepted.submission) == (1, "a" * 16, first)
    done = bots.submission(first)
    assert done is not None
    assert (done.state, done.build_log, done.report) == (
        State.READY, "unpacking", {"ready": True},
    )  # fmt: skip
    bots.refuse(second, "no")
    assert bots.queued() == ()
    third = submit(store, "ace", anna)
    assert getattr(bots.accept(third, version("b"), {}), "number", 0) == 2
    same = submit(store, "ace", anna)
    assert getattr(bots.accept(same, version("a"), {}), "number", 0) == 1
    bot = bots.bot("ace")
    assert bot is not None
    assert [each.number for each in bot.versions] == [1, 2]
    assert bots.counts()[State.READY] == 3


def test_what_was_interrupted_is_queued_again_in_its_place(store: Store) -> None:
    bots, anna = SubmissionStore(store), user_of(store, "anna")
    first, second = submit(store, "ace", anna), submit(store, "ace", anna)
    bots.change(first, State.CHECKING)
    assert bots.queued()[0].id == second
    assert bots.queue_again() == 1
    assert bots.queued()[0].id == first


def test_a_name_is_its_first_submitters(store: Store) -> None:
    bots, anna, boris = SubmissionStore(store), user_of(store, "anna"), user_of(store, "boris")
    submit(store, "ace", anna)
    with pytest.raises(NotAllowed, match="bot 'ace' is somebody else's"):
        submit(store, "ace", boris)
    assert bots.owner_of("ace") == "anna"


def test_the_names_of_the_houses_bots_are_nobodys(store: Store) -> None:
    bots, boris = SubmissionStore(store), user_of(store, "boris")
    submit(store, "clara", boris)
    store.create_or_resume(tournament_of(), "")
    bots.check_name("anna", boris)  # somebody's own tournament is none of the arena's
    settle_phase(store, "test", Phase.OPEN)
    with pytest.raises(NotAllowed, match="bot 'anna' is one of the house's"):
        bots.check_name("anna", boris)
    with pytest.raises(NotAllowed, match="bot 'anna' is one of the house's"):
        submit(store, "anna", boris)
    assert submit(store, "clara", boris)  # it was boris's before
    check_house_names(store, ["anna", "dora"])
    with pytest.raises(ConfigError, match="entry 'clara': an author's bot is called so"):
        check_house_names(store, ["anna", "clara"])


def test_so_many_versions_of_a_bot_are_kept(store: Store) -> None:
    bots, anna = SubmissionStore(store), user_of(store, "anna")
    for name in "aab":
        bots.accept(submit(store, "ace", anna), version(name), {})
    bots.refuse(submit(store, "ace", anna), "no")
    bots.check_versions("ace", 3)
    bots.check_versions("king", 1)
    with pytest.raises(TooMuch, match="2 versions of bot 'ace' are kept"):
        bots.check_versions("ace", 2)


def test_limits_are_each_authors_own(store: Store) -> None:
    anna, boris = user_of(store, "anna"), user_of(store, "boris")
    for _ in range(3):
        last = submit(store, "ace", anna)
    with pytest.raises(TooMuch, match="3 of your submissions are waiting"):
        submit(store, "ace", anna)
    submit(store, "king", boris)
    for each in SubmissionStore(store).submissions("anna"):
        SubmissionStore(store).refuse(each.id, "no")
    submit(store, "ace", anna)
    submit(store, "ace", anna)
    with pytest.raises(TooMuch, match="5 submissions in 24 hours"):
        submit(store, "ace", anna)
    assert last
