"""Bots and their submissions in the database."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import Connection, Row, Select, func, insert, select, update

from thousand_referee.errors import Missing, NotAllowed, TooMuch
from thousand_referee.service.accounts import Accounts, now
from thousand_referee.store import Store
from thousand_referee.store.engine import reading, writing
from thousand_referee.store.schema import (
    bot_versions,
    bots,
    entries,
    submissions,
    tournaments,
    users,
)
from thousand_referee.submitted import (
    Entered,
    State,
    Submission,
    SubmittedBot,
    SubmittedVersion,
    User,
)

WAITING: Final = (State.QUEUED.value, State.BUILDING.value, State.CHECKING.value)
MAX_REASON: Final = 2_000
MAX_BUILD_LOG: Final = 64_000


def new_submission_id() -> str:
    """Give an id that sorts by time and can't be guessed."""
    return f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(6)}"


class SubmissionStore:
    """Bots, their owners and submissions; it is the `SubmissionSource` of the pages.

    All methods raise DataError when the database fails.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._accounts = Accounts(store)

    def check_name(self, bot: str, user: User) -> None:
        """Refuse the name of somebody else's bot, or of the house's (NotAllowed)."""
        with reading(self._store.engine) as connection:
            _check_owner(connection, bot, user)

    def check_limits(self, user: User, most_waiting: int, most_a_day: int) -> None:
        """Refuse (TooMuch) a user who has too many submissions waiting, or in 24 hours."""
        with reading(self._store.engine) as connection:
            _check_limits(connection, user, most_waiting, most_a_day)

    def check_versions(self, bot: str, most: int) -> None:
        """Refuse (TooMuch) another version of a bot of which so many are kept."""
        query = (
            select(func.count(submissions.c.version.distinct()))
            .join_from(submissions, bots)
            .where(bots.c.name == bot, submissions.c.state == State.READY.value)
        )
        with reading(self._store.engine) as connection:
            kept = connection.scalar(query) or 0
        if kept >= most:
            raise TooMuch(
                f"{kept} versions of bot {bot!r} are kept, the most there may be; ask the "
                "organiser for more (versions in [limits])"
            )

    def add(
        self,
        submission: str,
        *,
        bot: str,
        user: User,
        archive_sha256: str,
        tournament: str | None,
        most_waiting: int,
        most_a_day: int,
    ) -> None:
        """Queue a submission, in one transaction with the checks of name and limits.

        The first submission of a bot makes its name the user's.
        """
        moment = now()
        with writing(self._store.engine) as connection:
            bot_id = _check_owner(connection, bot, user)
            _check_limits(connection, user, most_waiting, most_a_day)
            if bot_id is None:
                owner = select(users.c.id).where(users.c.name == user.name).scalar_subquery()
                result = connection.execute(
                    insert(bots).values(name=bot, owner_id=owner, created=moment)
                )
                (bot_id,) = result.inserted_primary_key or (None,)
            connection.execute(
                insert(submissions).values(
                    submission=submission,
                    bot_id=bot_id,
                    archive_sha256=archive_sha256,
                    tournament=tournament,
                    state=State.QUEUED.value,
                    reason="",
                    build_log="",
                    created=moment,
                    changed=moment,
                )
            )

    def queued(self) -> tuple[Submission, ...]:
        """Give the submissions in the queue, what has waited longest first."""
        query = _query().where(submissions.c.state == State.QUEUED.value)
        with reading(self._store.engine) as connection:
            rows = connection.execute(query.order_by(submissions.c.id))
            return tuple(_submission(row, ahead) for ahead, row in enumerate(rows))

    def queue_again(self) -> int:
        """Put back in the queue what was dealt with when the server ended; give how many."""
        interrupted = submissions.c.state.in_(WAITING[1:])
        values = {"state": State.QUEUED.value, "build_log": "", "changed": now()}
        with writing(self._store.engine) as connection:
            return connection.execute(
                update(submissions).where(interrupted).values(values)
            ).rowcount

    def change(self, submission: str, state: State, build_log: str | None = None) -> None:
        """Note how far a submission is."""
        values: dict[str, Any] = {"state": state.value, "changed": now()}
        if build_log is not None:
            values["build_log"] = build_log[-MAX_BUILD_LOG:]
        self._update(submission, values)

    def refuse(self, submission: str, reason: str, report: Any = None) -> None:
        """End a submission that will not do."""
        self._update(
            submission,
            {
                "state": State.REFUSED.value,
                "reason": reason[:MAX_REASON],
                "report": report,
                "changed": now(),
            },
        )

    def note(self, submission: str, text: str) -> None:
        """Say something of a submission that is done."""
        self._update(submission, {"reason": text[:MAX_REASON], "changed": now()})

    def accept(
        self, submission: str, version: dict[str, Any], report: Any
    ) -> SubmittedVersion | None:
        """End a submission whose bot is ready; give its version.

        `version` has the columns of `bot_versions`. The same files as in an earlier
        submission of the bot are that version again.
        """
        with writing(self._store.engine) as connection:
            bot_id = connection.scalar(
                select(submissions.c.bot_id).where(submissions.c.submission == submission)
            )
            numbers = select(submissions.c.number).where(
                submissions.c.bot_id == bot_id, submissions.c.state == State.READY.value
            )
            number = connection.scalar(
                numbers.where(submissions.c.version == version["version"]).limit(1)
            )
            if number is None:
                number = 1 + max(connection.scalars(numbers), default=0)
            known = bot_versions.c.version == version["version"]
            if connection.scalar(select(bot_versions.c.id).where(known)) is None:
                connection.execute(insert(bot_versions).values(version))
            connection.execute(
                update(submissions)
                .where(submissions.c.submission == submission)
                .values(
                    state=State.READY.value,
                    version=version["version"],
                    number=number,
                    report=report,
                    changed=now(),
                )
            )
            name = connection.scalar(select(bots.c.name).where(bots.c.id == bot_id))
            found = None if name is None else _read_bot(connection, name)
            return None if found is None else found.version(number)

    def not_entered(self) -> tuple[Submission, ...]:
        """Give those that are ready but were not entered where they were to be.

        That is so when the server was killed in between. Of each bot and tournament only
        the latest submission counts, none after which the bot was entered, and none whose
        `reason` says why it isn't.
        """
        query = _query().where(
            submissions.c.state == State.READY.value,
            submissions.c.tournament.is_not(None),
            submissions.c.entered.is_not(True),
        )
        with reading(self._store.engine) as connection:
            latest = {
                (row.tournament, row.bot): _submission(row, 0)
                for row in connection.execute(query.order_by(submissions.c.id))
            }
        return tuple(each for each in latest.values() if not each.reason)

    def counts(self) -> dict[State, int]:
        """Count the submissions in each state."""
        query = select(submissions.c.state, func.count()).group_by(submissions.c.state)
        with reading(self._store.engine) as connection:
            found = {State(state): count for state, count in connection.execute(query)}
        return {state: found.get(state, 0) for state in State}

    def submissions(self, owner: str | None = None, limit: int = 100) -> tuple[Submission, ...]:
        """Give the latest submissions, newest first; with `owner` those of that user."""
        query = _query().order_by(submissions.c.id.desc()).limit(limit)
        if owner is not None:
            query = query.where(users.c.name == owner)
        with reading(self._store.engine) as connection:
            return tuple(_submissions(connection, connection.execute(query).all()))

    def submission(self, submission: str) -> Submission | None:
        """Give the submission of that id, or None if there is none."""
        query = _query().where(submissions.c.submission == submission)
        with reading(self._store.engine) as connection:
            return next(_submissions(connection, connection.execute(query).all()), None)

    def bot(self, name: str) -> SubmittedBot | None:
        """Give the submitted bot of that name, or None if there is none."""
        with reading(self._store.engine) as connection:
            return _read_bot(connection, name)

    def bots(self) -> tuple[SubmittedBot, ...]:
        """Give all submitted bots, by name."""
        with reading(self._store.engine) as connection:
            names = connection.scalars(select(bots.c.name).order_by(bots.c.name)).all()
            found = (_read_bot(connection, name) for name in names)
            return tuple(bot for bot in found if bot is not None)

    def owner_of(self, bot: str) -> str | None:
        """Give the name of a bot's owner; None if there is no such bot."""
        query = select(users.c.name).join_from(bots, users).where(bots.c.name == bot)
        with reading(self._store.engine) as connection:
            owner: str | None = connection.scalar(query)
            return owner

    def user(self, token: str) -> User | None:
        """Give whose token it is; None if it is nobody's, or was revoked."""
        return self._accounts.user_of(token)

    def is_owner(self, token: str, bot: str) -> bool:
        """Whether the token is that of the bot's owner, or of an organiser."""
        user = self.user(token)
        return user is not None and (user.is_organiser or self.owner_of(bot) == user.name)

    def is_owner_of_entry(self, token: str, tournament: str, entry: str) -> bool:
        """Whether the token is that of the author who submitted an entry, or an organiser's."""
        user = self.user(token)
        if user is None or user.is_organiser:
            return user is not None
        query = (
            select(users.c.name)
            .join_from(entries, submissions)
            .join(bots)
            .join(users)
            .join(tournaments, tournaments.c.id == entries.c.tournament_id)
            .where(tournaments.c.name == tournament, entries.c.name == entry)
        )
        with reading(self._store.engine) as connection:
            owner: str | None = connection.scalar(query)
            return owner == user.name

    def _update(self, submission: str, values: dict[str, Any]) -> None:
        with writing(self._store.engine) as connection:
            known = submissions.c.submission == submission
            if connection.execute(update(submissions).where(known).values(values)).rowcount == 0:
                raise Missing(f"no submission {submission!r}")


def _check_owner(connection: Connection, bot: str, user: User) -> int | None:
    """Give a bot's number, None for a new one; NotAllowed if it is somebody else's.

    What nobody submitted is the house's, where the arena runs the tournament. Results of
    both would be on one page.
    """
    row = connection.execute(
        select(bots.c.id, users.c.name).join_from(bots, users).where(bots.c.name == bot)
    ).first()
    if row is None:
        of_house = (
            select(entries.c.id)
            .join_from(entries, tournaments)
            .where(
                entries.c.submission_id.is_(None),
                entries.c.name == bot,
                tournaments.c.phase.is_not(None),
            )
        )
        if connection.scalar(of_house.limit(1)) is not None:
            raise NotAllowed(
                f"bot {bot!r} is one of the house's; give yours another name in bot.toml"
            )
        return None
    if row.name != user.name:
        raise NotAllowed(f"bot {bot!r} is somebody else's; give yours another name in bot.toml")
    number: int = row.id
    return number


def _check_limits(connection: Connection, user: User, most_waiting: int, most_a_day: int) -> None:
    mine = select(func.count()).select_from(submissions).join(bots).join(users)
    mine = mine.where(users.c.name == user.name)
    waiting = connection.scalar(mine.where(submissions.c.state.in_(WAITING))) or 0
    if waiting >= most_waiting:
        raise TooMuch(f"{waiting} of your submissions are waiting already; wait for their checks")
    yesterday = datetime.fromtimestamp(datetime.now(UTC).timestamp() - 86_400, UTC)
    since = submissions.c.created > yesterday.isoformat(timespec="seconds")
    if (connection.scalar(mine.where(since)) or 0) >= most_a_day:
        raise TooMuch(
            f"you made {most_a_day} submissions in 24 hours, the most there may be; "
            "check your bot with thousand check, and come back tomorrow"
        )


def _query() -> Select[Any]:
    return (
        select(submissions, bots.c.name.label("bot"), users.c.name.label("owner"))
        .join_from(submissions, bots)
        .join(users)
    )


def _submissions(connection: Connection, rows: Sequence[Row[Any]]) -> Iterator[Submission]:
    waiting = connection.scalars(
        select(submissions.c.id).where(submissions.c.state.in_(WAITING)).order_by(submissions.c.id)
    ).all()
    for row in rows:
        yield _submission(row, waiting.index(row.id) if row.id in waiting else 0)


def _submission(row: Row[Any], ahead: int) -> Submission:
    return Submission(
        id=row.submission,
        bot=row.bot,
        owner=row.owner,
        state=State(row.state),
        reason=row.reason,
        build_log=row.build_log,
        report=row.report,
        version=row.version,
        number=row.number,
        tournament=row.tournament,
        created=row.created,
        changed=row.changed,
        ahead=ahead,
    )


def _read_bot(connection: Connection, name: str) -> SubmittedBot | None:
    bot = connection.execute(
        select(bots, users.c.name.label("owner")).join_from(bots, users).where(bots.c.name == name)
    ).first()
    if bot is None:
        return None
    entered: dict[str, list[Entered]] = {}
    for version, where, name_there, retired in connection.execute(
        select(submissions.c.version, tournaments.c.name, entries.c.name, entries.c.retired)
        .join_from(entries, submissions)
        .join(tournaments, tournaments.c.id == entries.c.tournament_id)
        .where(submissions.c.bot_id == bot.id)
        .order_by(tournaments.c.name)
    ):
        entered.setdefault(version, []).append(Entered(where, name_there, bool(retired)))
    versions: dict[int, SubmittedVersion] = {}
    for row in connection.execute(
        select(submissions, bot_versions.c.description)
        .join_from(submissions, bot_versions, submissions.c.version == bot_versions.c.version)
        .where(submissions.c.bot_id == bot.id, submissions.c.state == State.READY.value)
        .order_by(submissions.c.id)
    ):
        versions.setdefault(
            row.number,
            SubmittedVersion(
                number=row.number,
                version=row.version,
                submission=row.submission,
                description=row.description or "",
                created=row.created,
                entered=tuple(entered.get(row.version, ())),
            ),
        )
    ordered = tuple(versions[number] for number in sorted(versions))
    return SubmittedBot(bot.name, bot.owner, bot.created, ordered)
