"""Calls to kept seats and of a server's role, counted by marks, which outlive the tables.

Every function works in the caller's transaction, which holds the people, or the server.
"""

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import Connection

from bot.domain.calendar import end_of_day
from bot.domain.invitations import AT_REMATCH, BY_ALL, BY_ONE, DAY, JUST_PLAYED, Limits, next_call_at
from bot.domain.table import Table
from bot.store.marks import MarkKind, Subject, add_marks, load_marks
from bot.store.settings import load_wishes
from bot.store.table import find_moved_since


def call_invited(connection: Connection, table: Table, now: datetime, old_id: str | None = None) -> Table:
    """Count the calls of those for whom seats are kept. Return the table, which marks those who are not called.

    The rematch of ``old_id`` calls those who have just played there once, without counting for its host.
    """
    wishes = load_wishes(connection, table.invited)
    there = set() if old_id is None else find_moved_since(connection, old_id, now - JUST_PLAYED)
    for user_id in table.invited:
        tries: list[Mapping[Subject, Limits]] = [{(user_id,): BY_ALL, (table.host_id, user_id): BY_ONE}]
        if old_id is not None and user_id in there:
            tries.insert(0, {(int(old_id, 16), user_id): AT_REMATCH})
        willing = wishes[user_id].invited and not table.is_away(user_id)
        called = willing and any(count_call(connection, limits, now) <= now for limits in tries)
        table = table.with_seat(table.seat_of(user_id) or 0, uncalled=not called)
    return table


def count_call(connection: Connection, limits: Mapping[Subject, Limits], now: datetime) -> datetime:
    """Count a call of these, if their limits allow it. Return ``now``, or the moment of the next possible call."""
    found = load_marks(connection, MarkKind.CALL, limits, now)
    moment = max(next_call_at(calls, limits[subject], now) for subject, calls in found.items())
    if moment <= now:
        # Limits are of the hours before a call, not of a date: it is known until a whole day (UTC) is over after this.
        add_marks(connection, MarkKind.CALL, limits, now, ends_at=end_of_day(now.date(), "UTC") + DAY)
    return moment
