"""The methods of the arena service.

Who calls is admitted already, and errors become statuses elsewhere: see `access`. What
reads the database or the disk does so in a thread, and lets the server go on.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from typing import Any, Final, ParamSpec, TypeVar
from urllib.parse import quote

from thousand.v1 import arena_pb2 as pb
from thousand_referee.data_folder import DataFolder
from thousand_referee.errors import Missing, TooMuch, Unacceptable
from thousand_referee.fits import Fitted, Snapshot
from thousand_referee.service import messages, queries
from thousand_referee.service.access import caller
from thousand_referee.service.at_once import AtOnce
from thousand_referee.service.config import Limits
from thousand_referee.service.examiner import Examiner
from thousand_referee.service.hourly import HourlyLimit
from thousand_referee.service.methods import CHUNK_BYTES
from thousand_referee.service.receiving import check_metadata, check_space, receive
from thousand_referee.service.standings_messages import standings_message
from thousand_referee.service.submission_store import SubmissionStore, new_submission_id
from thousand_referee.service.tournaments import Tournaments
from thousand_referee.store import StoredEntry, StoredTournament
from thousand_referee.submitted import Phase, State, User
from thousand_referee.tournament import Arena

WATCH_SECONDS: Final = 0.5
"""Watchers are told of changes so often at most."""

MOST_WATCHES: Final = 20
"""Of one user, at the same time."""

UPLOAD_SECONDS: Final = 600
OUTPUT_BYTES: Final = 256 * 1024
_LIST_LIMIT: Final = 200

P = ParamSpec("P")
T = TypeVar("T")


class ArenaApi:
    """One method for each of the service's, of the same name."""

    def __init__(
        self,
        arena: Arena,
        submissions: SubmissionStore,
        tournaments: Tournaments,
        examiner: Examiner,
        standings: Fitted[Snapshot],
        limits: Limits,
        address: str,
    ) -> None:
        self._data: DataFolder = arena.data
        self._store = arena.store
        self._submissions = submissions
        self._tournaments = tournaments
        self._examiner = examiner
        self._standings = standings
        self._limits = limits
        self._address = address.rstrip("/")
        self._uploads = AtOnce(limits.waiting, "submissions are being sent")
        self._watches = AtOnce(MOST_WATCHES, "calls of WatchTournament are open")
        self._enters = HourlyLimit(limits.enters_per_hour, "entered bots")
        self._adding: set[asyncio.Task[None]] = set()

    async def SubmitBot(  # noqa: N802
        self, requests: AsyncIterator[pb.SubmitBotRequest], context: Any
    ) -> pb.SubmitBotResponse:
        """Take a bot in, and queue it."""
        first = await anext(aiter(requests), pb.SubmitBotRequest())
        if not first.HasField("bot") or first.chunk:
            raise Unacceptable("the first request must carry the bot, and no chunk")
        bot, user = first.bot, caller()
        check_metadata(bot, self._limits)
        limits = {"most_waiting": self._limits.waiting, "most_a_day": self._limits.per_day}
        await _threaded(self._submissions.check_name, bot.name, user)
        await _threaded(self._submissions.check_limits, user, **limits)
        await _threaded(self._submissions.check_versions, bot.name, self._limits.versions)
        await _threaded(check_space, self._data.path, self._limits)
        if bot.tournament:
            await _threaded(self._tournaments.check_entry, bot.tournament)
        submission = new_submission_id()
        archive = self._data.incoming / f"{submission}.tar.gz"
        with self._uploads.one_more(user):
            try:
                async with asyncio.timeout(UPLOAD_SECONDS):
                    await receive(requests, bot, archive)
            except TimeoutError:
                raise TooMuch(
                    f"sending it took more than {UPLOAD_SECONDS} s; send it again"
                ) from None
        add = partial(
            self._submissions.add,
            submission,
            bot=bot.name,
            user=user,
            archive_sha256=bot.archive_sha256.hex(),
            tournament=bot.tournament or None,
            **limits,
        )
        adding = asyncio.create_task(self._add(submission, add, archive))
        self._adding.add(adding)  # which keeps it, if this call is cancelled
        adding.add_done_callback(self._adding.discard)
        await asyncio.shield(adding)
        queued = await _threaded(self._submissions.submission, submission)
        return pb.SubmitBotResponse(submission=submission, ahead=queued.ahead if queued else 0)

    async def _add(self, submission: str, add: Callable[[], None], archive: Path) -> None:
        """Queue a submission whose archive has arrived, whether or not its client still waits.

        The archive is removed only if the submission is certainly not in the queue.
        """
        try:
            await asyncio.to_thread(add)
        except Exception:
            if await _threaded(self._submissions.submission, submission) is None:
                await _threaded(archive.unlink, missing_ok=True)
            raise
        self._examiner.wake()

    async def GetSubmission(  # noqa: N802
        self, request: pb.GetSubmissionRequest, context: Any
    ) -> pb.GetSubmissionResponse:
        """Tell how far a submission is."""
        submission = await _threaded(self._submissions.submission, request.submission)
        if submission is None:
            raise Missing(f"no submission {request.submission!r}; check its name")
        page = f"submissions/{submission.id}"
        if submission.state is State.READY:
            page = f"bots/{quote(submission.bot, safe='')}"
        return pb.GetSubmissionResponse(
            submission=messages.submission_message(submission, whole=True),
            page=f"{self._address}/{page}",
        )

    async def ListSubmissions(  # noqa: N802
        self, request: pb.ListSubmissionsRequest, context: Any
    ) -> pb.ListSubmissionsResponse:
        """List the caller's submissions, or everybody's for an organiser."""
        user = caller()
        owner = None if user.is_organiser else user.name
        limit = min(request.limit or 50, _LIST_LIMIT)
        found = await _threaded(self._submissions.submissions, owner, limit)
        return pb.ListSubmissionsResponse(
            submissions=[messages.submission_message(each, whole=False) for each in found]
        )

    async def ListBots(  # noqa: N802
        self, request: pb.ListBotsRequest, context: Any
    ) -> pb.ListBotsResponse:
        """List all bots."""
        found = await _threaded(self._submissions.bots)
        return pb.ListBotsResponse(bots=[messages.bot_message(bot) for bot in found])

    async def ListTournaments(  # noqa: N802
        self, request: pb.ListTournamentsRequest, context: Any
    ) -> pb.ListTournamentsResponse:
        """List all tournaments."""
        stored = await _threaded(self._store.tournaments)
        return pb.ListTournamentsResponse(tournaments=[self._message(each) for each in stored])

    async def GetTournament(  # noqa: N802
        self, request: pb.GetTournamentRequest, context: Any
    ) -> pb.GetTournamentResponse:
        """Tell of a tournament."""
        stored = await _threaded(self._tournaments.stored, request.tournament)
        return pb.GetTournamentResponse(
            tournament=self._message(stored),
            entries=[messages.entry_message(entry) for entry in stored.entries],
        )

    async def EnterBot(  # noqa: N802
        self, request: pb.EnterBotRequest, context: Any
    ) -> pb.EnterBotResponse:
        """Enter a bot."""
        bot = await _threaded(self._submissions.bot, request.bot)
        version = None if bot is None else bot.version(request.number or None)
        if version is None:
            raise Missing(
                f"no bot {request.bot!r} with such a version was submitted and passed its check; "
                "thousand server bots lists those that did"
            )
        self._enters.use(caller())
        entered = await _threaded(
            self._tournaments.enter, request.tournament, request.bot, version.number
        )
        return pb.EnterBotResponse(entry=entered.entry, retired=entered.retired)

    async def StartTournament(  # noqa: N802
        self, request: pb.StartTournamentRequest, context: Any
    ) -> pb.StartTournamentResponse:
        """Start a tournament."""
        await _threaded(self._tournaments.begin, request.tournament)
        return pb.StartTournamentResponse()

    async def CloseTournament(  # noqa: N802
        self, request: pb.CloseTournamentRequest, context: Any
    ) -> pb.CloseTournamentResponse:
        """End a tournament."""
        await _threaded(self._tournaments.close, request.tournament)
        return pb.CloseTournamentResponse()

    async def GetStandings(  # noqa: N802
        self, request: pb.GetStandingsRequest, context: Any
    ) -> pb.GetStandingsResponse:
        """Give the ratings."""
        stored = await _threaded(self._tournaments.stored, request.tournament)
        fitted = await self._standings.latest(stored)
        return standings_message(fitted.standings, fitted.matches)

    async def ListMatches(  # noqa: N802
        self, request: pb.ListMatchesRequest, context: Any
    ) -> pb.ListMatchesResponse:
        """List matches."""
        rows, token = await _threaded(
            queries.list_matches,
            self._store,
            request.tournament,
            entry=request.entry,
            size=request.page_size,
            token=request.page_token,
        )
        return pb.ListMatchesResponse(
            matches=[messages.match_message(row) for row in rows], next_page_token=token
        )

    async def ListGames(  # noqa: N802
        self, request: pb.ListGamesRequest, context: Any
    ) -> pb.ListGamesResponse:
        """List games."""
        rows, token = await _threaded(
            queries.list_games,
            self._store,
            request.tournament,
            match=request.match,
            size=request.page_size,
            token=request.page_token,
        )
        return pb.ListGamesResponse(
            games=[messages.game_message(row) for row in rows], next_page_token=token
        )

    async def DownloadLog(  # noqa: N802
        self, request: pb.DownloadLogRequest, context: Any
    ) -> AsyncIterator[pb.DownloadLogResponse]:
        """Send a log."""
        name = await _threaded(queries.log_of, self._store, request.tournament, request.match)
        try:
            file = await _threaded((self._data.logs / name).open, "rb")
        except OSError:
            raise Missing(f"the log of match {request.match!r} isn't here any more") from None
        with file:
            while chunk := await _threaded(file.read, CHUNK_BYTES):
                yield pb.DownloadLogResponse(chunk=chunk)

    async def GetBotOutput(  # noqa: N802
        self, request: pb.GetBotOutputRequest, context: Any
    ) -> pb.GetBotOutputResponse:
        """Give what a bot printed."""
        match, names = await _threaded(
            queries.seats_of, self._store, request.tournament, request.match
        )
        stored = await _threaded(self._tournaments.stored, request.tournament)
        own = {each.name for each in stored.entries if _is_of(each, request.bot, caller())}
        folder = self._data.output / request.tournament / match
        for seat, name in enumerate(names):
            if name in own:
                output, cut = await _threaded(_tail, folder, f"{seat}-{name}*.log")
                return pb.GetBotOutputResponse(output=output, cut=cut)
        raise Missing(f"bot {request.bot!r} didn't play in match {request.match!r}")

    async def WatchTournament(  # noqa: N802
        self, request: pb.WatchTournamentRequest, context: Any
    ) -> AsyncIterator[pb.WatchTournamentResponse]:
        """Tell of a tournament again and again."""
        stored = await _threaded(self._tournaments.stored, request.tournament)
        told = None
        with self._watches.one_more(caller()):
            while True:
                progress = self._tournaments.progress(stored.name)
                complete = progress is None or progress.is_complete
                response = pb.WatchTournamentResponse(
                    tournament=self._message(stored), complete=complete
                )
                if response != told:
                    told = response
                    yield response
                if complete:
                    return
                await asyncio.sleep(WATCH_SECONDS)

    def _message(self, stored: StoredTournament) -> pb.Tournament:
        """Give a tournament; what the running one tells counts more than the store."""
        progress = self._tournaments.progress(stored.name)
        phase = None if stored.phase is None else Phase(stored.phase)
        return pb.Tournament(
            name=stored.name,
            mode=stored.config.get("mode", "fixed"),
            phase=messages.PHASES[phase if progress is None else progress.phase],
            games=stored.games if progress is None else progress.games,
            games_planned=0 if progress is None else progress.games_planned,
            matches=stored.matches if progress is None else progress.matches,
            trouble="" if progress is None else progress.trouble,
        )


def _is_of(entry: StoredEntry, bot: str, user: User) -> bool:
    """Whether an entry is of the bot, or called, so; the house's are for organisers only."""
    if entry.bot:
        return bot in (entry.bot, entry.name)
    return entry.name == bot and user.is_organiser


async def _threaded(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call something that blocks."""
    return await asyncio.to_thread(function, *args, **kwargs)


def _tail(folder: Path, pattern: str) -> tuple[bytes, bool]:
    """Give the end of what a bot printed, restarts included, and whether there is more before.

    Nothing if nothing is there.
    """
    output = b""
    # A restarted bot's files come after its first one, whose name is the shortest.
    for path in sorted(folder.glob(pattern), key=lambda path: (len(path.name), path.name)):
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - OUTPUT_BYTES - 1))
            output += file.read()
    return output[-OUTPUT_BYTES:], len(output) > OUTPUT_BYTES
