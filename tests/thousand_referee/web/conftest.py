"""A data folder that all tests of the pages may read, and a client of its pages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from arena_runs import thousand
from thousand_referee.tournament import Arena, open_arena
from thousand_referee.web import queries
from thousand_referee.web.app import make_app
from web_arena import make_tournament


@pytest.fixture(scope="session")
def web_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("web") / "data"
    make_tournament(data, blocks=1, games_per_match=1)
    return data


@pytest.fixture(scope="session")
def site(web_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("export") / "site #1"
    done = thousand("site", "export", folder, "--data", web_data, "--json")
    found = json.loads(done.stdout)
    assert (found["tournaments"], found["matches"], found["games"]) == (1, 24, 24)
    assert found["problems"] == []
    assert "of 24 matches" in done.stderr
    return folder


@pytest.fixture
def arena(web_data: Path) -> Iterator[Arena]:
    with open_arena(web_data) as arena:
        yield arena


@pytest.fixture
def client(arena: Arena) -> Iterator[TestClient]:
    with ThreadPoolExecutor(1) as executor:
        app = make_app(arena, executor=executor)
        with TestClient(app, raise_server_exceptions=False) as client:
            yield client


@pytest.fixture
def match(arena: Arena) -> queries.MatchRow:
    row = queries.tournament_row(arena.store, "test")
    assert row is not None
    return queries.match_page(arena.store, row).rows[-1]
