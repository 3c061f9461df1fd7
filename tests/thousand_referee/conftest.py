"""Databases for tests: an SQLite file, or a schema of its own in the PostgreSQL that is given."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import create_engine, make_url, text

TEST_POSTGRES = "THOUSAND_TEST_POSTGRES"


@pytest.fixture
def postgres_url() -> Iterator[str]:
    """Give the URL of an empty PostgreSQL schema; skips, or must not skip, without a server."""
    given = os.environ.get(TEST_POSTGRES)
    if given is None:
        assert not os.environ.get("THOUSAND_REQUIRE_ALL"), f"${TEST_POSTGRES} must be set"
        pytest.skip(f"no PostgreSQL: set ${TEST_POSTGRES} to the URL of an empty database")
    url = make_url(given)
    schema = f"test_{uuid4().hex}"
    server = create_engine(url)
    try:
        with server.begin() as connection:
            connection.execute(text(f"CREATE SCHEMA {schema}"))
        own = url.update_query_dict({"options": f"-csearch_path={schema}"})
        yield own.render_as_string(hide_password=False)
        with server.begin() as connection:
            connection.execute(text(f"DROP SCHEMA {schema} CASCADE"))
    finally:
        server.dispose()


@pytest.fixture(params=["sqlite", "postgres"])
def store_location(request: pytest.FixtureRequest, tmp_path: Path) -> str | Path:
    """Give where an empty store may be, in either kind of database."""
    if request.param == "sqlite":
        return tmp_path / "arena.sqlite"
    url: str = request.getfixturevalue("postgres_url")
    return url
