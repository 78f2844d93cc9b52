"""Absences of people from servers."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, select, update

from bot.store.database import LockScope, lock_subjects
from bot.store.models import absences
from bot.store.rows import insert_or_replace, to_row


@dataclass(frozen=True, slots=True)
class Absence:
    """A person's absence from a server. ``until`` is in the past if it has ended."""

    guild_id: int
    user_id: int
    until: datetime


def set_away(connection: Connection, absence: Absence, now: datetime) -> None:
    """Store that a person is away. A worker marks their seats."""
    lock_subjects(connection, LockScope.PERSON, absence.user_id)
    row = {**to_row(absence), "post_at": now, "post_until": None}
    connection.execute(insert_or_replace(connection, absences), row)


def end_away(connection: Connection, guild_id: int, user_id: int, now: datetime) -> bool:
    """End an absence early. A worker unmarks the person's seats. Return False if they were not away."""
    theirs = absences.c.guild_id == guild_id, absences.c.user_id == user_id, absences.c.until > now
    ended = update(absences).where(*theirs).values(until=now, post_at=now, post_until=None)
    return connection.execute(ended).rowcount > 0


def load_away(connection: Connection, guild_id: int, user_id: int, now: datetime) -> datetime | None:
    theirs = absences.c.guild_id == guild_id, absences.c.user_id == user_id, absences.c.until > now
    until: datetime | None = connection.scalar(select(absences.c.until).where(*theirs))
    return until


def mark_announced(connection: Connection, absence: Absence, now: datetime) -> None:
    """Note that the person's tables show the absence, or that it is over.

    Delete the absence if it is over. Otherwise let a worker unmark the seats at its end. Do nothing if the person has
    changed the absence in the meantime.
    """
    same = [absences.c[name] == value for name, value in to_row(absence).items()]
    if absence.until <= now:
        connection.execute(delete(absences).where(*same))
    else:
        connection.execute(update(absences).where(*same).values(post_at=absence.until, post_until=None))
