"""The pages about tournaments, matches, games and bots, as text.

The server and the export use the same; they differ in links. Whatever is asked for and isn't
there raises `Missing`, with what to do about it. All methods block for database and disk.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Container
from concurrent.futures import Executor
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from markupsafe import Markup

from thousand_referee.errors import DataError, Missing
from thousand_referee.fits import (
    FIRST_WAIT_SECONDS,
    LEAST_HISTORY_SECONDS,
    LEAST_SECONDS,
    Fitted,
    Snapshot,
    fit_history,
    fit_snapshot,
)
from thousand_referee.matchlog.show import show_game
from thousand_referee.standings_forms import standings_csv, standings_json
from thousand_referee.store.engine import location_of
from thousand_referee.times import TimeHistogram
from thousand_referee.tournament import Arena
from thousand_referee.web import queries
from thousand_referee.web.bot_view import bot_view
from thousand_referee.web.brief_cache import BriefCache
from thousand_referee.web.charts import histogram_of
from thousand_referee.web.game_chart import game_chart
from thousand_referee.web.games import GameSteps, read_game
from thousand_referee.web.links import Links
from thousand_referee.web.progress import Progress, progress_of
from thousand_referee.web.queries import GameRow, MatchRow, TournamentRow
from thousand_referee.web.rendering import render
from thousand_referee.web.standings_view import next_sign, view_of

if TYPE_CHECKING:
    from thousand_referee.submitted import SubmittedBot

T = TypeVar("T")

FRESH_SECONDS: Final = 1.0
"""How far a tournament is, is asked of the store this often at most."""


class _Anything:
    """What everything is in."""

    def __contains__(self, _each: object) -> bool:
        return True


ANYTHING: Final = _Anything()


class Pages:
    """Makes the pages of an arena. Ratings are fitted by `executor`, outside of its threads."""

    def __init__(
        self,
        arena: Arena,
        executor: Executor,
        *,
        has_submissions: bool = False,
        wait_seconds: float = FIRST_WAIT_SECONDS,
        snapshots: Fitted[Snapshot] | None = None,
    ) -> None:
        """Make pages; who first asks for a rating waits for it up to `wait_seconds`.

        `snapshots` are standings that others use, too.
        """
        location = location_of(arena.store.engine)
        self._arena = arena
        self._has_submissions = has_submissions
        self._wait_seconds = wait_seconds
        self._drawn: dict[tuple[str, str], tuple[Snapshot, Any]] = {}
        self._rows = BriefCache[TournamentRow](FRESH_SECONDS)
        self._snapshots = snapshots or Fitted(executor, location, fit_snapshot, LEAST_SECONDS)
        self._histories = Fitted(executor, location, fit_history, LEAST_HISTORY_SECONDS)

    def prepare(self) -> None:
        """Do now what the first to come would have to wait for: plans, and ratings under way."""
        for row in queries.tournament_rows(self._arena.store):
            if progress_of(row).state == "playing":
                self._snapshots.get(row, 0)

    # Tournaments

    def home(self, links: Links, only: Container[str] = ANYTHING) -> str:
        """Make the list of tournaments, or of some of them."""
        rows = queries.tournament_rows(self._arena.store)
        listed = [(row, progress_of(row)) for row in rows if row.name in only]
        return self._render("home.html", links, tournaments=listed)

    def tournament(self, links: Links, name: str) -> str:
        """Make a tournament's page."""
        row = self.row(name)
        return self._render(
            "tournament.html", links, **self._standing(links, row), settings=_settings(row)
        )

    def live(self, links: Links, name: str) -> dict[str, Any]:
        """Give what changes of a tournament's page: its part of HTML, and whether it is final."""
        standing = self._standing(links, self.row(name))
        progress: Progress = standing["progress"]
        return {
            "html": render("standings.html", links, **standing),
            "is_final": progress.is_final and standing["is_current"],
            "matches": standing["tournament"].matches,
        }

    def are_rated(self, name: str) -> bool:
        """Whether there are standings; if not, they are on their way."""
        return self._snapshots.get(self.row(name), 0) is not None

    def standings_json(self, name: str) -> str:
        """Give a tournament's standings as JSON, as ``thousand standings --json``."""
        snapshot = self._snapshot_now(name)
        return self._once(name, "json", snapshot, lambda: standings_json(name, snapshot.standings))

    def standings_csv(self, name: str) -> str:
        """Give a tournament's standings as CSV, as ``thousand standings --csv``."""
        snapshot = self._snapshot_now(name)
        return self._once(name, "csv", snapshot, lambda: standings_csv(snapshot.standings))

    # Matches and games

    def matches(self, links: Links, name: str, bot: str = "", before: int | None = None) -> str:
        """Make a list of a tournament's matches, newest first."""
        row = self.row(name)
        if bot and bot not in row.names:
            raise Missing(f"{bot!r} is no entry of {name}; see the standings for its entries")
        page = queries.match_page(self._arena.store, row, before, bot or None)
        return self._render(
            "matches.html", links, tournament=row, page=page, bot=bot, before=before
        )

    def all_matches(self, links: Links, name: str) -> str:
        """Make a list of all of a tournament's matches, newest first."""
        row = self.row(name)
        found: list[MatchRow] = []
        page = queries.match_page(self._arena.store, row)
        found += page.rows
        while page.next_before is not None:
            page = queries.match_page(self._arena.store, row, page.next_before)
            found += page.rows
        whole = queries.MatchPage(tuple(found), None)
        return self._render("matches.html", links, tournament=row, page=whole, bot="", before=None)

    def match(self, links: Links, tournament: str, match: str) -> str:
        """Make a match's page."""
        row = self.match_row(tournament, match)
        games = queries.game_rows(self._arena.store, row.id)
        has_log = self.log_path(row).is_file()
        return self._render(
            "match.html", links, match=row, games=games, seats=_seats(row, games), has_log=has_log
        )

    def game(self, links: Links, tournament: str, match: str, number: int) -> str:
        """Make the page that replays a game."""
        row = self.match_row(tournament, match)
        game = self.game_steps(row, number)
        return self._render("game.html", links, match=row, game=game, chart=game_chart(game))

    def game_steps(self, row: MatchRow, number: int) -> GameSteps:
        """Give a game's steps; LogError if its log can't be read."""
        return read_game(self._readable_log(row, number), number)

    def telling(self, tournament: str, match: str, number: int) -> str:
        """Tell a game in words."""
        row = self.match_row(tournament, match)
        return "\n".join(show_game(self._readable_log(row, number), number)) + "\n"

    def match_row(self, tournament: str, match: str) -> MatchRow:
        """Find a match."""
        row = queries.match_row(self._arena.store, tournament, match)
        if row is None:
            raise Missing(
                f"there is no finished match {match!r} in {tournament!r}; "
                "the tournament's list of matches has those there are"
            )
        return row

    def log_path(self, row: MatchRow) -> Path:
        """Give the place of a match's log; Missing if the store names one outside its folder."""
        path = (self._arena.data.logs / row.log).resolve()
        if not path.is_relative_to(self._arena.data.logs.resolve()):
            raise Missing(f"the log of match {row.match!r} is not among this arena's logs")
        return path

    # Bots

    def bots(self, links: Links, only: Container[str] = ANYTHING) -> str:
        """Make the list of bots, or of some of them."""
        rows = [row for row in queries.bot_rows(self._arena.store) if row.name in only]
        return self._render("bots.html", links, bots=rows)

    def bot(
        self,
        links: Links,
        name: str,
        submitted: SubmittedBot | None = None,
        only: Container[str] = ANYTHING,
    ) -> str:
        """Make a bot's page, with its results in all tournaments or some, newest version first."""
        entered = [
            (entered.tournament, entered.entry)
            for version in reversed(submitted.versions if submitted else ())
            for entered in version.entered
        ]
        by_name = [(each, name) for each in queries.tournaments_of(self._arena.store, name)]
        entered += [each for each in by_name if each not in entered and each[0] in only]
        if not entered and submitted is None:
            raise Missing(f"there is no bot {name!r}; the list of bots has those there are")
        results = []
        times = TimeHistogram()
        end = time.monotonic() + self._wait_seconds
        for tournament, entry in entered:
            row = self.row(tournament)
            if entry not in row.names:  # it was entered this second
                continue
            snapshot = self._snapshots.get(row, max(0, end - time.monotonic()))
            history = self._histories.get(row, max(0, end - time.monotonic()))
            results.append(bot_view(entry, row, snapshot, history))
            if snapshot is not None:
                times.merge(snapshot.times.get(entry, TimeHistogram()))
        return self._render(
            "bot.html",
            links,
            name=name,
            results=results,
            times=times,
            histogram=histogram_of(times, 120),
            submitted=submitted,
        )

    # What they share

    def row(self, name: str) -> TournamentRow:
        """Find a tournament."""
        return self._rows.get(name, lambda: self._find(name))

    def _find(self, name: str) -> TournamentRow:
        row = queries.tournament_row(self._arena.store, name)
        if row is None:
            raise Missing(
                f"there is no tournament {name!r}; the list of tournaments has those there are"
            )
        return row

    def _standing(self, links: Links, row: TournamentRow) -> dict[str, Any]:
        snapshot = self._snapshots.get(row, self._wait_seconds) if row.matches else None
        return {
            "tournament": row,
            "progress": progress_of(row),
            "snapshot": snapshot,
            "tables": None if snapshot is None else self._tables(links, row, snapshot),
            "is_current": snapshot is not None and snapshot.matches >= row.matches,
        }

    def _tables(self, links: Links, row: TournamentRow, snapshot: Snapshot) -> Markup:
        """Make the part of a tournament's page that depends on its ratings alone."""

        def draw() -> Markup:
            view = view_of(snapshot, row.entries)
            text = render(
                "standings_tables.html", links, snapshot=snapshot, view=view, next_sign=next_sign
            )
            return Markup(text)

        return draw() if links.is_exported else self._once(row.name, "tables", snapshot, draw)

    def _once(self, name: str, what: str, snapshot: Snapshot, make: Callable[[], T]) -> T:
        """Give what depends on a snapshot alone; it is made anew when that changes."""
        known = self._drawn.get((name, what))
        if known is None or known[0] is not snapshot:
            known = self._drawn[name, what] = snapshot, make()
        found: T = known[1]
        return found

    def _snapshot_now(self, name: str) -> Snapshot:
        snapshot = self._snapshots.get(self.row(name), self._wait_seconds)
        if snapshot is None:
            raise DataError(f"the standings of {name} are being computed; try again in a minute")
        return snapshot

    def _readable_log(self, row: MatchRow, number: int) -> Path:
        if not 0 <= number < row.games:
            raise Missing(
                f"match {row.match!r} has no game {number}; its games are 0 to {row.games - 1}"
            )
        path = self.log_path(row)
        if not path.is_file():
            raise Missing(
                f"the log of match {row.match!r} is not on this machine, so its games can't be "
                "shown; its results are on the match's page"
            )
        return path

    def _render(self, template: str, links: Links, **context: Any) -> str:
        return render(template, links, has_submissions=self._has_submissions, **context)


def _seats(row: MatchRow, games: tuple[GameRow, ...]) -> list[dict[str, Any]]:
    """Sum a match up by seat."""
    seats = []
    for seat in range(3):
        times = TimeHistogram.from_json(row.times[seat])
        seats.append(
            {
                "seat": seat,
                "name": row.names[seat],
                "wins": sum(game.places[seat] == 1 for game in games),
                "mean_place": sum(game.places[seat] for game in games) / max(1, len(games)),
                "asked": sum(game.asked[seat] for game in games),
                "median": times.quantile(0.5),
                "p99": times.quantile(0.99),
                "worst": times.worst_ms,
                "faults": row.faults[seat],
            }
        )
    return seats


def _settings(row: TournamentRow) -> list[tuple[str, str]]:
    """Give what people want to know of a tournament's settings."""
    config = row.config
    told = []
    if config.get("blocks_per_entry"):
        told.append(("Schedule", f"balanced, {config['blocks_per_entry']} blocks for each entry"))
    elif config.get("blocks"):
        told.append(("Schedule", f"all trios, {config['blocks']} blocks each"))
    time = config.get("time") or {}
    if "move_ms" in time and "bank_ms" in time:
        told.append(
            ("Time", f"{time['move_ms']:,} ms a decision, {time['bank_ms']:,} ms bank a game")
        )
    faults = config.get("faults") or {}
    if "per_game" in faults:
        told.append(("Out of a game", f"after {faults['per_game']} faults"))
    sandbox = config.get("sandbox") or {}
    if sandbox.get("kind") == "docker":
        told.append(("Sandbox", f"containers, {sandbox.get('memory_mb')} MB each"))
    if config.get("games_per_match"):
        told.append(("Match", f"{config['games_per_match']} games in one seating"))
    return told
