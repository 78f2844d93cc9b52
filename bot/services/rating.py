"""Which games count: of each person some a day, those that begin first (R9.6)."""

from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection

from bot.domain.calendar import day_of, end_of
from bot.domain.rating import MIN_PEOPLE, counts
from bot.domain.table import Table
from bot.store.locks import LockScope, lock
from bot.store.marks import MarkKind, add_marks, marked


def count_begun(connection: Connection, table: Table, now: datetime, zone: str) -> Table:
    """Count a game that begins for each of its people; returns it with for whom it is one too many of the day.

    The counts are marks, which stay when somebody has their data deleted.
    """
    people = sorted(table.people)
    if len(people) < MIN_PEOPLE:
        return table
    lock(connection, LockScope.PERSON, *people)
    each, pairs = [(user_id,) for user_id in people], [tuple(people)] if len(people) == MIN_PEOPLE else []
    known = marked(connection, MarkKind.GAME, [*each, *pairs], now, guild_id=table.guild_id)
    counting = [one for one in each if counts(len(known[one]), sum(len(known[pair]) for pair in pairs))]
    if counting:
        ends_at = end_of(day_of(now, zone), zone)
        add_marks(connection, MarkKind.GAME, [*counting, *pairs], now, guild_id=table.guild_id, ends_at=ends_at)
    seats = (replace(seat, counts=seat.user_id is None or (seat.user_id,) in counting) for seat in table.seats)
    return replace(table, seats=tuple(seats))
