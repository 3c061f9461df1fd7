"""The service's values as messages of its protocol."""

from __future__ import annotations

import json
from typing import Final

from thousand.v1 import arena_pb2 as pb
from thousand_referee.service.queries import GameRow, MatchRow
from thousand_referee.store import StoredEntry
from thousand_referee.submitted import Phase, State, Submission, SubmittedBot

STATES: Final = {
    State.QUEUED: pb.SUBMISSION_STATE_QUEUED,
    State.BUILDING: pb.SUBMISSION_STATE_BUILDING,
    State.CHECKING: pb.SUBMISSION_STATE_CHECKING,
    State.READY: pb.SUBMISSION_STATE_READY,
    State.REFUSED: pb.SUBMISSION_STATE_REFUSED,
}
PHASES: Final = {
    None: pb.TOURNAMENT_PHASE_UNSPECIFIED,
    Phase.OPEN: pb.TOURNAMENT_PHASE_OPEN,
    Phase.RUNNING: pb.TOURNAMENT_PHASE_RUNNING,
    Phase.CLOSED: pb.TOURNAMENT_PHASE_CLOSED,
}


def submission_message(submission: Submission, *, whole: bool) -> pb.Submission:
    """Give a submission; its log and report only if it is wanted as a whole."""
    report = submission.report if whole else None
    return pb.Submission(
        submission=submission.id,
        bot=submission.bot,
        owner=submission.owner,
        state=STATES[submission.state],
        reason=submission.reason,
        build_log=submission.build_log if whole else "",
        report_json="" if report is None else json.dumps(report),
        version=submission.version or "",
        number=submission.number or 0,
        tournament=submission.tournament or "",
        created=submission.created,
        ahead=submission.ahead,
    )


def bot_message(bot: SubmittedBot) -> pb.Bot:
    """Give a bot with its versions."""
    return pb.Bot(
        name=bot.name,
        owner=bot.owner,
        versions=[
            pb.BotVersion(
                number=version.number,
                version=version.version,
                description=version.description,
                tournaments=[entered.tournament for entered in version.entered],
            )
            for version in bot.versions
        ],
    )


def entry_message(entry: StoredEntry) -> pb.Entry:
    """Give an entry of a tournament."""
    return pb.Entry(
        name=entry.name,
        bot=entry.bot or "",
        version=entry.version,
        retired=entry.retired,
    )


def match_message(row: MatchRow) -> pb.Match:
    """Give a finished match."""
    return pb.Match(
        match=row.match,
        entries=row.entries,
        first_block=row.first_block,
        games=row.games,
        started=row.started,
        faults=row.faults,
    )


def game_message(row: GameRow) -> pb.Game:
    """Give a game."""
    return pb.Game(
        match=row.match,
        game=row.game,
        block=row.block,
        entries=row.entries,
        places=row.places,
        scores=row.scores,
        deals=row.deals,
    )
