"""The pages over PostgreSQL: the same as over SQLite."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import MetaData
from starlette.testclient import TestClient

from thousand_referee.store import Store, enter_logs
from thousand_referee.store.engine import open_engine
from thousand_referee.tournament import Arena, open_arena
from thousand_referee.web.app import make_app
from web_arena import get_rated, is_missing, made_up_tournament

TEST_POSTGRES = "THOUSAND_TEST_POSTGRES"


@pytest.fixture
def shared(web_data: Path) -> Iterator[Arena]:
    """The arena of the other tests, in an empty PostgreSQL."""
    url = os.environ.get(TEST_POSTGRES)
    if not url:
        is_missing(f"no PostgreSQL: set ${TEST_POSTGRES} to the URL of an empty database")
    assert url is not None
    with open_arena(web_data) as local, Store.open(url) as store:
        store.create_or_resume(made_up_tournament(blocks=1, games_per_match=1), "")
        enter_logs(store, local.data.logs, "test")
        yield Arena(local.data, store)
    engine = open_engine(url)
    tables = MetaData()
    tables.reflect(engine)
    tables.drop_all(engine)
    engine.dispose()


def test_pages_are_the_same_over_postgres(arena: Arena, shared: Arena) -> None:
    row = arena.store.tournament("test")
    assert row.matches == 24
    with ThreadPoolExecutor(1) as executor:
        local = TestClient(make_app(arena, executor=executor))
        other = TestClient(make_app(shared, executor=executor))
        listed = local.get("/tournaments/test/matches?bot=dora").text
        match = re.search(r"/tournaments/test/matches/(test-[^\"]+)", listed)
        assert match is not None
        for address in (
            "/",
            "/tournaments/test",
            "/tournaments/test/standings.json",
            "/tournaments/test/matches?bot=dora",
            "/bots",
            "/bots/anna",
            match[0],
            f"{match[0]}/games/0",
        ):
            assert get_rated(other, address) == get_rated(local, address), address
            assert other.get(address).status_code == 200, address
        assert len(other.get("/tournaments/test/logs.tar").content) > 24_000
