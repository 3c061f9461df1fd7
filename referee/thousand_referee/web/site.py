"""The pages as files: a folder that can be opened from a disk or put on any web server."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from thousand_referee.errors import ConfigError, DataError, LogError
from thousand_referee.tournament import Arena
from thousand_referee.web import queries
from thousand_referee.web.links import EXPORTED_BOTS, Links, game_path, match_path, tournament_path
from thousand_referee.web.pages import Pages
from thousand_referee.web.rendering import STATIC

MARKER: Final = ".thousand-arena-site"
"""A file at the top of every exported site, by which it is known when it is made anew."""

_FIT_SECONDS: Final = 3_600.0


@dataclass(slots=True)
class Exported:
    """What was exported: numbers of things, and a line for each game that can't be shown."""

    folder: str
    tournaments: int = 0
    matches: int = 0
    games: int = 0
    files: int = 0
    bytes: int = 0
    problems: tuple[str, ...] = ()


def export_site(
    arena: Arena, folder: Path, names: Sequence[str], watch: Callable[[int, int], None]
) -> Exported:
    """Write the pages of some tournaments, or of all, to a folder.

    The site appears whole: it is made beside the folder and then takes its place. `watch` is
    told the number of matches done, and of all. ConfigError if the folder has something else
    in it, or a tournament is unknown; DataError if the disk doesn't take it.
    """
    folder = folder.absolute()
    _refuse_foreign(folder)
    rows = _tournaments(arena, names)
    fresh = folder.with_name(f"{folder.name}.{os.getpid()}.tmp")
    try:
        with ThreadPoolExecutor(1) as executor:
            pages = Pages(arena, executor, wait_seconds=_FIT_SECONDS)
            done = _Writer(arena, pages, fresh, rows).write(watch)
        _put_in_place(fresh, folder)
    except OSError as error:
        raise DataError(
            f"{error.filename or folder}: {error.strerror}; free some space there, or choose "
            "another folder"
        ) from error
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    done.folder = str(folder)
    return done


def _refuse_foreign(folder: Path) -> None:
    try:
        is_foreign = any(folder.iterdir()) and not (folder / MARKER).is_file()
    except FileNotFoundError:
        return
    except NotADirectoryError:
        raise ConfigError(f"{folder}: a file is in the way; choose another folder") from None
    except OSError as error:
        raise DataError(f"{folder}: {error.strerror}; choose another folder") from error
    if is_foreign:
        raise ConfigError(
            f"{folder}: has files that are no exported site; empty it, or choose another folder"
        )


def _tournaments(arena: Arena, names: Sequence[str]) -> tuple[queries.TournamentRow, ...]:
    known = {row.name: row for row in queries.tournament_rows(arena.store)}
    for name in names:
        if name not in known:
            listed = ", ".join(known) or "none yet"
            raise ConfigError(f"there is no tournament {name!r}; there are {listed}")
    return tuple(known[name] for name in dict.fromkeys(names or known))


def _put_in_place(fresh: Path, folder: Path) -> None:
    if folder.exists():
        old = fresh.with_suffix(".old")
        folder.rename(old)
        fresh.rename(folder)
        shutil.rmtree(old)
    else:
        fresh.rename(folder)


class _Writer:
    """Writes one site."""

    def __init__(
        self, arena: Arena, pages: Pages, top: Path, rows: Sequence[queries.TournamentRow]
    ) -> None:
        self._arena = arena
        self._pages = pages
        self._top = top
        self._rows = rows
        self._links = Links(folder=())
        self._problems: list[str] = []
        self.done = Exported("")

    def write(self, watch: Callable[[int, int], None]) -> Exported:
        """Write everything; give what it was."""
        self._top.mkdir(parents=True)
        self._file((MARKER,), "made by thousand site export\n")
        shutil.copytree(STATIC, self._top / "static")
        names = [row.name for row in self._rows]
        self._page((), lambda links: self._pages.home(links, names))
        total, finished = sum(row.matches for row in self._rows), 0
        for row in self._rows:
            for match in self._tournament(row):
                self._match(row.name, match)
                finished += 1
                watch(finished, total)
        bots = sorted({name for row in self._rows for name in row.names})
        self._page(("bots",), lambda links: self._pages.bots(links, bots))
        for bot in bots:
            self._bot(bot, names)
        self.done.problems = tuple(self._problems)
        return self.done

    def _tournament(self, row: queries.TournamentRow) -> Iterator[str]:
        """Write a tournament's own pages; yield its matches."""
        name = row.name
        here = tournament_path(name)
        self._page(here, lambda links: self._pages.tournament(links, name))
        self._page((*here, "matches"), lambda links: self._pages.all_matches(links, name))
        if row.matches:
            self._file((*here, "standings.csv"), self._pages.standings_csv(name))
            self._file((*here, "standings.json"), self._pages.standings_json(name) + "\n")
        self.done.tournaments += 1
        yield from queries.match_ids(self._arena.store, name)

    def _bot(self, bot: str, only: Sequence[str]) -> None:
        self._page((EXPORTED_BOTS, bot), lambda links: self._pages.bot(links, bot, only=only))

    def _match(self, tournament: str, match: str) -> None:
        row = self._pages.match_row(tournament, match)
        here = match_path(tournament, match)
        self._page(here, lambda links: self._pages.match(links, tournament, match))
        self.done.matches += 1
        log = self._pages.log_path(row)
        if not log.is_file():
            self._skip(f"{match}: its log is not there, so its games are left out")
            return
        shutil.copyfile(log, self._top.joinpath(*here, f"{match}.jsonl.gz"))
        for game in range(row.games):
            try:
                self._game(tournament, match, game)
            except LogError as error:
                self._skip(f"{match}, game {game}: {error.problem}")

    def _game(self, tournament: str, match: str, game: int) -> None:
        here = game_path(tournament, match, game)
        words = self._pages.telling(tournament, match, game)
        self._page(here, lambda links: self._pages.game(links, tournament, match, game))
        self._file((*here, "telling.txt"), words)
        self.done.games += 1

    def _skip(self, problem: str) -> None:
        self._problems.append(problem)

    def _page(self, folder: tuple[str, ...], make: Callable[[Links], str]) -> None:
        self._file((*folder, "index.html"), make(self._links.of_page(*folder)))

    def _file(self, path: tuple[str, ...], text: str) -> None:
        file = self._top.joinpath(*path)
        file.parent.mkdir(parents=True, exist_ok=True)
        data = text.encode()
        file.write_bytes(data)
        self.done.files += 1
        self.done.bytes += len(data)
