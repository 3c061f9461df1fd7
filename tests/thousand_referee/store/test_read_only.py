"""Databases that can only be read, and those that aren't there."""

from __future__ import annotations

from pathlib import Path

import pytest

from thousand_referee.errors import DataError
from thousand_referee.store import Store
from thousand_referee.store import engine as engine_module


def _forbid_writing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let files look unwritable, which real modes don't for the superuser."""
    monkeypatch.setattr(engine_module.os, "access", lambda *_: False)


def test_reading_leaves_no_trace_in_a_read_only_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "odd ?#%20 name.sqlite"
    Store.open(file).close()
    _forbid_writing(monkeypatch)
    with Store.open(file, create=False) as store:
        assert store.tournaments() == ()
        assert [each.name for each in tmp_path.iterdir()] == [file.name]
        with pytest.raises(DataError, match=r"odd .* name\.sqlite: no tournament 'demo'"):
            store.tournament("demo")


def test_results_that_are_only_in_the_journal_are_not_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "arena.sqlite"
    Store.open(file).close()
    file.with_name("arena.sqlite-wal").write_bytes(b"results")
    _forbid_writing(monkeypatch)
    with pytest.raises(DataError, match="make the folder writable, or read a copy"):
        Store.open(file, create=False)


@pytest.mark.parametrize("form", ["{}", "sqlite:///{}"])
def test_reading_makes_no_database(tmp_path: Path, form: str) -> None:
    file = tmp_path / "typo.sqlite"
    with pytest.raises(DataError, match="no such database"):
        Store.open(form.format(file), create=False)
    assert not file.exists()
