"""Calls to kept seats and of a server's role, counted by marks: whatever becomes of the tables. In the caller's
transaction, which holds the people, or the server."""

from datetime import datetime

from sqlalchemy import Connection

from bot.domain.calendar import end_of
from bot.domain.invitations import DAY, JUST_PLAYED, OF_PERSON, CallLimits
from bot.domain.table import Table
from bot.store.marks import MarkKind, Subject, add_marks, marked
from bot.store.settings import without_invitations
from bot.store.table import moved_since


def call_invited(connection: Connection, table: Table, now: datetime, old_id: str | None = None) -> Table:
    """Count the calls of those for whom seats are kept. Returns the table that says who is not to be called.

    ``old_id`` is the table whose rematch it is: who has just played there is called once without being counted.
    """
    unwilling = without_invitations(connection, table.invited)
    there = set() if old_id is None else moved_since(connection, old_id, now - JUST_PLAYED)
    for user_id in table.invited:
        called = not table.away(user_id) and user_id not in unwilling
        if called and (old_id is None or user_id not in there or not _is_first(connection, user_id, old_id, now)):
            called = count_call(connection, table.host_id, user_id, now, OF_PERSON) <= now
        table = table.with_seat(table.seat_of(user_id) or 0, uncalled=not called)
    return table


def count_call(connection: Connection, inviter: int, called: int, now: datetime, limits: CallLimits) -> datetime:
    """Count a call of a person, or of a server's role by the server's id. Returns ``now``, or from when on it may be
    made; then nothing is counted."""
    of_all, of_one = (called,), (inviter, called)
    found = marked(connection, MarkKind.CALL, [of_all, of_one], now)
    moment = limits.callable_from(found[of_all], found[of_one], now)
    if moment <= now:
        _mark(connection, MarkKind.CALL, now, of_all, of_one)
    return moment


def _is_first(connection: Connection, user_id: int, old_id: str, now: datetime) -> bool:
    """Whether this is the first rematch of a table to which somebody is called, which is noted."""
    subject = user_id, int(old_id, 16)
    if marked(connection, MarkKind.REMATCH, [subject], now)[subject]:
        return False
    _mark(connection, MarkKind.REMATCH, now, subject)
    return True


def _mark(connection: Connection, kind: MarkKind, now: datetime, *subjects: Subject) -> None:
    """Count until a whole day is over after this one (UTC): limits are of the hours before a call, not of a date."""
    add_marks(connection, kind, subjects, now, ends_at=end_of(now.date(), "UTC") + DAY)
