"""What was played of a tournament, and by whom, as its plan needs to know."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import select, update

from thousand_referee.bots import BotFolder
from thousand_referee.schedule import SEATINGS, Trio
from thousand_referee.store import Store
from thousand_referee.store.engine import reading, writing
from thousand_referee.store.schema import (
    bot_versions,
    bots,
    entries,
    matches,
    submissions,
    tournaments,
)
from thousand_referee.tournament_file import Entry


def entered_bots(store: Store, tournament: str, home: Path, *, retired: bool) -> tuple[Entry, ...]:
    """Give the entries that were submitted, those that play no more too if they are wanted.

    They are as the store knows them; their folders, in `home`, are not looked at.
    """
    query = (
        select(entries.c.name, bots.c.name.label("bot"), bot_versions)
        .join_from(entries, tournaments, tournaments.c.id == entries.c.tournament_id)
        .join(bot_versions, bot_versions.c.id == entries.c.bot_version_id)
        .join(submissions, submissions.c.id == entries.c.submission_id)
        .join(bots, bots.c.id == submissions.c.bot_id)
        .where(tournaments.c.name == tournament)
        .order_by(entries.c.name)
    )
    if not retired:
        query = query.where(entries.c.retired.is_not(True))
    with reading(store.engine) as connection:
        return tuple(
            Entry(
                name=row.name,
                bot=BotFolder(
                    name=row.bot,
                    command=tuple(row.command),
                    description=row.description,
                    folder=home / row.bot / row.version,
                    digest=row.digest,
                ),
                gauntlet=False,
            )
            for row in connection.execute(query)
        )


def retired_entries(store: Store, tournament: str) -> set[str]:
    """Name the entries that play no more, of the house and of authors."""
    query = (
        select(entries.c.name)
        .join_from(entries, tournaments, tournaments.c.id == entries.c.tournament_id)
        .where(tournaments.c.name == tournament, entries.c.retired.is_(True))
    )
    with reading(store.engine) as connection:
        return set(connection.scalars(query))


def retire(
    store: Store, tournament: str, entry: str, *, is_retired: bool = True, why: str = ""
) -> None:
    """Let an entry play no more, or play again; `why` is told to the author, if it has one."""
    number = select(tournaments.c.id).where(tournaments.c.name == tournament).scalar_subquery()
    same = (entries.c.tournament_id == number) & (entries.c.name == entry)
    with writing(store.engine) as connection:
        connection.execute(update(entries).where(same).values(retired=is_retired))
        if why:
            submitted = select(entries.c.submission_id).where(same).scalar_subquery()
            its_own = submissions.c.id == submitted
            connection.execute(update(submissions).where(its_own).values(reason=why))


def played_seatings(store: Store, tournament: str) -> list[tuple[Trio, int, int]]:
    """Give the sorted trio, first block and seating of every finished match."""
    found = []
    with reading(store.engine) as connection:
        number = connection.scalar(select(tournaments.c.id).where(tournaments.c.name == tournament))
        listed = select(entries.c.id, entries.c.name).where(entries.c.tournament_id == number)
        names = {row.id: row.name for row in connection.execute(listed)}
        query = select(
            matches.c.entry_0, matches.c.entry_1, matches.c.entry_2, matches.c.first_block
        ).where(matches.c.tournament_id == number)
        for *seats, first_block in connection.execute(query):
            seated = [names[seat] for seat in seats]
            first, second, third = sorted(seated, key=str.encode)
            places = ([first, second, third].index(name) for name in seated)
            seating = SEATINGS.index((next(places), next(places), next(places)))
            found.append(((first, second, third), first_block, seating))
    return found
