"""Where pages are: addresses on a server, or relative paths among exported files."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import quote, urlencode

EXPORTED_BOTS: Final = "bot"
"""The folder of exported bots: apart from the list's, where one called index.html is in the way."""


@dataclass(frozen=True, slots=True)
class Links:
    """Gives the links of one page.

    With `folder`, the page is a file ``index.html`` in that folder of an exported site (names
    from its top), and links are relative, so that they work from a disk. Without, they are
    those of a server.
    """

    folder: tuple[str, ...] | None = None

    @property
    def is_exported(self) -> bool:
        """Whether the pages are files."""
        return self.folder is not None

    def of_page(self, *folder: str) -> Links:
        """Give the links of another page of an exported site."""
        return replace(self, folder=folder)

    def page(self, *names: str) -> str:
        """Link to a page."""
        if self.folder is None:
            return "/" + _joined(names)
        return self._up + _joined((*names, "index.html"))

    def file(self, *names: str) -> str:
        """Link to a file that is no page."""
        return ("/" if self.folder is None else self._up) + _joined(names)

    @property
    def _up(self) -> str:
        return "../" * len(self.folder or ())

    def home(self) -> str:
        """Link to the list of tournaments."""
        return self.page()

    def static(self, name: str) -> str:
        """Link to a style sheet or a script."""
        return self.file("static", name)

    def tournament(self, name: str) -> str:
        """Link to a tournament."""
        return self.page(*tournament_path(name))

    def tournament_file(self, name: str, file: str) -> str:
        """Link to one of a tournament's files, standings.csv say."""
        return self.file(*tournament_path(name), file)

    def matches(self, name: str, *, bot: str = "", before: int | None = None) -> str:
        """Link to a list of a tournament's matches; of files there is only one, of all."""
        if self.is_exported:
            return self.page(*tournament_path(name), "matches")
        asked = {"bot": bot, "before": before}
        query = urlencode({key: value for key, value in asked.items() if value})
        return self.page(*tournament_path(name), "matches") + (f"?{query}" if query else "")

    def match(self, tournament: str, match: str) -> str:
        """Link to a match."""
        return self.page(*match_path(tournament, match))

    def log(self, tournament: str, match: str) -> str:
        """Link to a match's log."""
        return self.file(*match_path(tournament, match), f"{match}.jsonl.gz")

    def game(self, tournament: str, match: str, game: int) -> str:
        """Link to the replay of a game."""
        return self.page(*game_path(tournament, match, game))

    def game_file(self, tournament: str, match: str, game: int, file: str) -> str:
        """Link to a game as game.json, or in words, telling.txt."""
        return self.file(*game_path(tournament, match, game), file)

    def bots(self) -> str:
        """Link to the list of bots."""
        return self.page("bots")

    def bot(self, name: str) -> str:
        """Link to a bot."""
        return self.page(EXPORTED_BOTS if self.is_exported else "bots", name)

    def submissions(self) -> str:
        """Link to the list of submissions."""
        return self.page("submissions")

    def submission(self, number: str) -> str:
        """Link to a submission."""
        return self.page("submissions", number)

    def sign_in(self) -> str:
        """Link to the page where authors sign in, and out."""
        return self.page("sign-in")


def tournament_path(name: str) -> tuple[str, ...]:
    """Give the path of a tournament's page."""
    return ("tournaments", name)


def match_path(tournament: str, match: str) -> tuple[str, ...]:
    """Give the path of a match's page."""
    return (*tournament_path(tournament), "matches", match)


def game_path(tournament: str, match: str, game: int) -> tuple[str, ...]:
    """Give the path of a game's page."""
    return (*match_path(tournament, match), "games", str(game))


def _joined(names: tuple[str, ...]) -> str:
    return "/".join(quote(name, safe="") for name in names)
