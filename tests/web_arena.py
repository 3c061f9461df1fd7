"""Arenas with made-up tournaments, and a server for them, for tests of the pages."""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import combinations, permutations
from pathlib import Path
from random import Random

import pytest
import uvicorn
from starlette.testclient import TestClient

from log_maker import LogMaker
from store_maker import entry_of, tournament_of
from thousand.cards import marriage_points_in, mask_of, points_in
from thousand.rules import Action, Bid, Give, Raise
from thousand.view import View
from thousand_referee.service.accounts import Accounts
from thousand_referee.service.submission_store import SubmissionStore, new_submission_id
from thousand_referee.store import Store, enter_logs
from thousand_referee.submitted import Role
from thousand_referee.tournament import open_arena
from thousand_referee.tournament_file import TournamentFile
from thousand_referee.web.app import make_app

NAMES = ("anna", "boris", "clara", "dora")
CHROMIUM = os.environ.get("THOUSAND_CHROMIUM") or shutil.which("chromium") or "/usr/bin/chromium"


def made_up_tournament(
    names: Sequence[str] = NAMES, *, blocks: int, games_per_match: int
) -> TournamentFile:
    """Describe the tournament "test"."""
    entries = tuple(entry_of(name) for name in names)
    return tournament_of(blocks=blocks, games_per_match=games_per_match, entries=entries)


def make_tournament(
    data: Path,
    names: Sequence[str] = NAMES,
    *,
    blocks: int = 12,
    games_per_match: int = 6,
    fault_rate: float = 0.0005,
    until: int | None = None,
) -> None:
    """Play the tournament "test" in this process, log it and enter it, up to so many matches."""
    file = made_up_tournament(names, blocks=blocks, games_per_match=games_per_match)
    with open_arena(data, create=True) as arena:
        arena.store.create_or_resume(file, "")
        wanted = [
            (seats, first)
            for first in range(0, blocks, games_per_match)
            for trio in combinations(sorted(names), 3)
            for seats in permutations(trio)
        ]
        for number, (seats, first) in enumerate(wanted[:until]):
            maker = LogMaker(
                names=(seats[0], seats[1], seats[2]),
                first_block=first,
                games=min(games_per_match, blocks - first),
                fault_rate=fault_rate,
                seed=number,
                choose=choose_well,
                started=f"2026-01-02T03:{number // 60 % 60:02d}:{number % 60:02d}+00:00",
            )
            if not (arena.data.logs / "test" / f"{maker.match}.jsonl.gz").exists():
                maker.make(arena.data.logs / "test")
        enter_logs(arena.store, arena.data.logs, "test")


def choose_well(view: View, random: Random) -> Action:
    """Choose like somebody who has played before, so that games are short; at times wildly."""
    if random.random() < 0.1 and view.legal_plays:
        return random.choice(view.legal_plays)
    hand = mask_of(view.hand)
    worth = 1.1 * points_in(hand) + 0.8 * marriage_points_in(hand)
    if view.legal_bids:
        amount = next((each for each in view.legal_bids if each), None)
        return Bid(amount if amount and worth > amount - 40 else view.legal_bids[0])
    if view.legal_raises:
        return Raise(view.contract)
    if view.legal_gifts:
        left, right, *_ = sorted(view.legal_gifts, key=lambda card: card.points)
        return Give(left, right)
    plays = sorted(view.legal_plays, key=lambda play: (play.announce, play.card.points))
    if view.trick and plays[-1].card < max(view.trick):
        return plays[0]
    return plays[-1] if view.trick or plays[-1].announce or plays[-1].card.points > 9 else plays[0]


def made_up_arena(folder: Path) -> Path:
    """Make a data folder to look at, with one tournament."""
    data = folder / "data"
    make_tournament(data)
    return data


def submit(store: Store, bot: str, author: str) -> tuple[str, str]:
    """Put a submission of an author, who is added, into the queue; give its id and the token."""
    token = Accounts(store).add(author, Role.AUTHOR)
    user = Accounts(store).user_of(token)
    assert user is not None
    number = new_submission_id()
    SubmissionStore(store).add(
        number,
        bot=bot,
        user=user,
        archive_sha256="0" * 64,
        tournament=None,
        most_waiting=9,
        most_a_day=9,
    )
    return number, token


def get_rated(client: TestClient, address: str) -> str:
    """Give a page once the ratings on it are computed, which takes a moment at first."""
    end = time.monotonic() + 60
    while "being computed" in (text := client.get(address).text):
        assert time.monotonic() < end, "no ratings after a minute"
        time.sleep(0.1)
    return text


@contextmanager
def served(data: Path, *, has_submissions: bool = False) -> Iterator[str]:
    """Serve a data folder's pages from a thread; gives where."""
    with open_arena(data) as arena, ThreadPoolExecutor(1) as executor:
        submissions = SubmissionStore(arena.store) if has_submissions else None
        app = make_app(arena, submissions, executor=executor)
        config = uvicorn.Config(app, port=0, log_level="error", lifespan="on")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            server.should_exit = True
            thread.join()


def is_missing(reason: str) -> None:
    """Skip the test, or fail where nothing may be missing."""
    if os.environ.get("THOUSAND_REQUIRE_ALL"):
        pytest.fail(reason)
    pytest.skip(reason)
