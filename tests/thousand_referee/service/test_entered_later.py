"""A bot that is ready, but can't be entered now: who is told what, and what is tried again."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from thousand_referee.errors import DataError, WrongState
from thousand_referee.service.accounts import Accounts
from thousand_referee.service.config import read_config
from thousand_referee.service.server import _Server
from thousand_referee.service.shared_executor import SharedExecutor
from thousand_referee.service.submission_store import SubmissionStore
from thousand_referee.service.tournaments import Tournaments
from thousand_referee.submitted import Role
from thousand_referee.tournament import open_arena


@pytest.mark.parametrize(
    ("error", "reason", "is_left"),
    [
        (WrongState("it is closed"), "ready, but not entered: it is closed", False),
        (DataError("locked"), "", True),
    ],
)
def test_only_what_is_final_is_noted(
    tmp_path: Path, error: Exception, reason: str, is_left: bool
) -> None:
    def refuse(*_given: Any) -> None:
        raise error

    with open_arena(tmp_path, create=True) as arena:
        store = SubmissionStore(arena.store)
        user = store.user(Accounts(arena.store).add("anna", Role.AUTHOR))
        assert user is not None
        store.add(
            "s1", bot="ace", user=user, archive_sha256="", tournament="cup",
            most_waiting=9, most_a_day=9,
        )  # fmt: skip
        columns = {"version": "a" * 16, "digest": "a" * 64, "command": ["x"]}
        version, submission = store.accept("s1", columns, None), store.submission("s1")
        assert version is not None
        assert submission is not None
        executor = SharedExecutor(1)
        tournaments = partial(Tournaments, arena, (), executor)
        server = _Server(read_config(None, tmp_path), arena, tournaments)
        server._tournaments.enter = refuse  # type: ignore[method-assign,assignment]
        server._accepted(submission, version)
        server._fitter.shutdown()
        executor.shutdown()
        noted = store.submission("s1")
        assert noted is not None
        assert noted.reason == reason
        assert bool(store.not_entered()) is is_left
