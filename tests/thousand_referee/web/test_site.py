"""Exported sites: whole, self-contained, and careful with what lies in their way."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

from thousand_referee.errors import ConfigError
from thousand_referee.tournament import Arena
from thousand_referee.web.site import MARKER, export_site


def names_in(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


class Links(HTMLParser):
    """Collects where a page leads, and what it loads."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for name, value in attrs if name in ("href", "src") and value]


def test_every_link_leads_to_a_file_of_the_site(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) == 2 + 4 + 2 + 24 + 24
    for page in pages:
        links = Links()
        links.feed(page.read_text(encoding="utf-8"))
        assert links.found
        for link in links.found:
            target = unquote(link.partition("#")[0])
            assert "//" not in target
            if target:
                assert (page.parent / target).is_file(), f"{page}: {link}"


def test_nothing_in_it_needs_a_server(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert 'type="module"' not in text
        assert "data-live" not in text


def test_a_site_is_replaced_by_the_next(arena: Arena, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    seen: list[tuple[int, int]] = []
    export_site(arena, folder, ["test"], lambda done, total: seen.append((done, total)))
    assert seen[-1] == (24, 24)
    (folder / "index.html").write_text("old")
    export_site(arena, folder, [], lambda _done, _total: None)
    assert "Tournaments" in (folder / "index.html").read_text()
    assert names_in(tmp_path) == ["site"]


def test_other_files_are_left_alone(arena: Arena, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(ConfigError, match="has files that are no exported site"):
        export_site(arena, tmp_path, [], lambda _done, _total: None)
    assert names_in(tmp_path) == ["letter.txt"]
    with pytest.raises(ConfigError, match="a file is in the way"):
        export_site(arena, tmp_path / "letter.txt", [], lambda _done, _total: None)


def test_an_export_that_is_broken_off_leaves_the_old_one(arena: Arena, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / MARKER).touch()

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        export_site(arena, folder, [], stop)
    assert names_in(tmp_path) == ["site"]
    assert names_in(folder) == [MARKER]


def test_an_unknown_tournament_is_named(arena: Arena, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no tournament 'nine'; there are test"):
        export_site(arena, tmp_path / "site", ["nine"], lambda _done, _total: None)
