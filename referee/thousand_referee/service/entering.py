"""Entering bots in tournaments, and the phases of these, in the database."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, delete, func, insert, select, update

from thousand_referee.errors import ConfigError, Missing, WrongState
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
from thousand_referee.submitted import Phase, State, entry_name


@dataclass(frozen=True, slots=True)
class EnteredBot:
    """A version that is entered now, and the entries of the same bot that play no more."""

    entry: str
    retired: tuple[str, ...]


def enter_bot(store: Store, tournament: str, bot: str, number: int, home: Path) -> EnteredBot:
    """Enter a version of a bot; its other versions in that tournament are retired.

    `home` is the folder with a folder for each bot. Doing it again changes nothing. The
    bot's submissions for that tournament, being ready, have then been seen to.
    Missing if there is no such tournament or version, WrongState if the tournament takes
    no entries, or has one of the organiser's by that name.
    """
    with writing(store.engine) as connection:
        tournament_id = _open_tournament(connection, tournament)
        version = connection.execute(
            select(
                submissions.c.id, submissions.c.bot_id, bot_versions.c.id, bot_versions.c.version
            )
            .join_from(submissions, bots)
            .join(bot_versions, bot_versions.c.version == submissions.c.version)
            .where(bots.c.name == bot, submissions.c.number == number)
            .order_by(submissions.c.id)
        ).first()
        if version is None:
            raise Missing(f"bot {bot!r} has no version {number} that passed its check")
        submission_id, bot_id, version_id, digest = version
        name = entry_name(bot, number)
        there = connection.execute(
            select(entries.c.id, entries.c.submission_id).where(
                entries.c.tournament_id == tournament_id, entries.c.name == name
            )
        ).first()
        if there is None:
            connection.execute(
                insert(entries).values(
                    tournament_id=tournament_id,
                    name=name,
                    bot_version_id=version_id,
                    folder=str(home / bot / digest),
                    gauntlet=False,
                    submission_id=submission_id,
                )
            )
        elif there.submission_id is None:
            raise WrongState(
                f"tournament {tournament!r} has an entry {name!r} of the organiser's; "
                "submit your bot under another name"
            )
        else:
            same = entries.c.id == there.id
            connection.execute(update(entries).where(same).values(retired=None))
        done = (
            (submissions.c.bot_id == bot_id)
            & (submissions.c.tournament == tournament)
            & (submissions.c.state == State.READY.value)
        )
        connection.execute(update(submissions).where(done).values(entered=True))
        return EnteredBot(name, _retire_others(connection, tournament_id, bot_id, name))


def _retire_others(
    connection: Connection, tournament_id: int, bot_id: int, name: str
) -> tuple[str, ...]:
    """Retire a bot's other entries; those that have played nothing are removed."""
    others = connection.execute(
        select(entries.c.id, entries.c.name)
        .join_from(entries, submissions)
        .where(
            entries.c.tournament_id == tournament_id,
            submissions.c.bot_id == bot_id,
            entries.c.name != name,
            entries.c.retired.is_not(True),
        )
    ).all()
    for other in others:
        played = select(matches.c.id).where(
            (matches.c.entry_0 == other.id)
            | (matches.c.entry_1 == other.id)
            | (matches.c.entry_2 == other.id)
        )
        same = entries.c.id == other.id
        connection.execute(update(entries).where(same).values(retired=True))
        if _is_waiting(connection, tournament_id) and not connection.scalar(played.limit(1)):
            connection.execute(delete(entries).where(same))
    return tuple(sorted(other.name for other in others))


def _is_waiting(connection: Connection, tournament_id: int) -> bool:
    """Whether a tournament of mode "fixed" hasn't started."""
    config = connection.scalar(
        select(tournaments.c.config).where(tournaments.c.id == tournament_id)
    )
    return config is not None and "schedule" in config


def phase_of(store: Store, tournament: str) -> Phase | None:
    """Give a tournament's phase; None if no arena runs it, or there is no such tournament."""
    with reading(store.engine) as connection:
        phase = connection.scalar(
            select(tournaments.c.phase).where(tournaments.c.name == tournament)
        )
    return None if phase is None else Phase(phase)


def set_phase(store: Store, tournament: str, phase: Phase) -> None:
    """Set a tournament's phase; Missing if there is no such tournament."""
    with writing(store.engine) as connection:
        same = tournaments.c.name == tournament
        done = connection.execute(update(tournaments).where(same).values(phase=phase.value))
        if done.rowcount == 0:
            raise no_tournament(tournament)


def settle_phase(store: Store, tournament: str, first: Phase) -> Phase:
    """Give the phase of a tournament that the arena runs from now on: `first` if it is new.

    One that waited for entries, and takes none any more (`first` is `RUNNING`), is begun.
    """
    with writing(store.engine) as connection:
        same = tournaments.c.name == tournament
        phase = connection.scalar(select(tournaments.c.phase).where(same))
        if phase is not None and (phase != Phase.OPEN.value or first is Phase.OPEN):
            return Phase(phase)
        connection.execute(update(tournaments).where(same).values(phase=first.value))
        return first


def begin_tournament(store: Store, tournament: str) -> None:
    """Let a tournament of mode "fixed" take no more entries, and be played.

    WrongState if it has begun or is closed, or has too few entries.
    """
    with writing(store.engine) as connection:
        row = connection.execute(
            select(tournaments.c.id, tournaments.c.phase).where(tournaments.c.name == tournament)
        ).first()
        if row is None:
            raise no_tournament(tournament)
        if row.phase != Phase.OPEN.value or not _is_waiting(connection, row.id):
            raise WrongState(
                f"tournament {tournament!r} waits for no start: it is played already, or closed"
            )
        mine = select(func.count()).select_from(entries).where(entries.c.tournament_id == row.id)
        count = connection.scalar(mine) or 0
        if count < 3:
            raise WrongState(f"tournament {tournament!r} has {count} entries; it needs 3 or more")
        same = tournaments.c.id == row.id
        connection.execute(update(tournaments).where(same).values(phase=Phase.RUNNING.value))


def check_house_names(store: Store, names: Iterable[str]) -> None:
    """Refuse (ConfigError) names of the house's bots that authors' bots have: pages would mix."""
    query = select(bots.c.name).where(bots.c.name.in_(list(names))).order_by(bots.c.name)
    with reading(store.engine) as connection:
        taken = connection.scalars(query).all()
    if taken:
        raise ConfigError(
            f"entry {taken[0]!r}: an author's bot is called so; give the house's another name"
        )


def no_tournament(name: str) -> Missing:
    """Make the error for a tournament that isn't there."""
    return Missing(f"no tournament {name!r}; thousand server tournaments lists them")


def _open_tournament(connection: Connection, name: str) -> int:
    row = connection.execute(
        select(tournaments.c.id, tournaments.c.phase).where(tournaments.c.name == name)
    ).first()
    if row is None:
        raise no_tournament(name)
    if row.phase != Phase.OPEN.value:
        state = row.phase or "not run by this arena"
        raise WrongState(f"tournament {name!r} takes no entries: it is {state}; choose another")
    number: int = row.id
    return number
