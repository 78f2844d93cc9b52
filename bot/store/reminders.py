"""Calls: pings and reminders that are still to be sent, or were sent to people who have not acted yet.

A person has at most one reminder, over all tables.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, delete, exists, or_, select, update

from bot.domain.cancelling import seats_yet_to_answer
from bot.domain.notify import Call, CallKind
from bot.domain.screens import OPENING, OldMessage
from bot.domain.table import Table, seats_done
from bot.store.models import IS_REMINDER, old_messages, reminders
from bot.store.rows import find_rows, insert_or_ignore, insert_or_replace, to_row


def add_reminders(
    connection: Connection, table_id: str, deadline_scope: int, user_ids: Sequence[int], now: datetime
) -> None:
    """Add a reminder for each of these people, unless they have a reminder already, here or at another table."""
    # Sorted by id, so that two tables that remind the same people do not deadlock.
    rows = [
        to_row(Call(user_id, table_id, CallKind.REMINDER.value, deadline_scope, now)) for user_id in sorted(user_ids)
    ]
    connection.execute(insert_or_ignore(connection, reminders), rows)


def save_calls(connection: Connection, calls: Sequence[Call]) -> None:
    """Store calls. Each replaces an earlier call of the same kind to the same person at the same table."""
    rows = [to_row(one) for one in sorted(calls, key=lambda one: (one.user_id, one.game_id))]
    connection.execute(insert_or_replace(connection, reminders), rows)


def mark_sent(
    connection: Connection, table_id: str, user_ids: Sequence[int], now: datetime, sent: OldMessage | None = None
) -> bool:
    """Note that the calls of these people were sent, or have failed for good.

    ``sent`` is the message that pinged them, if it should be deleted as soon as they have acted. Return whether any
    message can be deleted now.
    """
    message_id = None if sent is None else sent.message_id
    connection.execute(
        update(reminders)
        .where(reminders.c.game_id == table_id, reminders.c.user_id.in_(user_ids), reminders.c.sent_at.is_(None))
        .values(sent_at=now, message_id=message_id)
    )
    if sent is None:
        return False
    connection.execute(insert_or_ignore(connection, old_messages), to_row(sent))
    return release_messages(connection, table_id, now)


def load_due_calls(connection: Connection, table_id: str, now: datetime) -> list[Call]:
    due = reminders.c.game_id == table_id, reminders.c.sent_at.is_(None), reminders.c.due_at <= now
    return find_rows(connection, Call, reminders, *due, by=[reminders.c.due_at, reminders.c.user_id])


def is_reminder_pending(connection: Connection, table_id: str, user_id: int) -> bool:
    theirs = reminders.c.game_id == table_id, reminders.c.user_id == user_id, reminders.c.sent_at.is_(None)
    return connection.scalar(select(reminders.c.kind).where(*theirs, IS_REMINDER)) is not None


def drop_call(connection: Connection, table_id: str, user_id: int) -> None:
    """Delete the unsent calls of a person at a table."""
    theirs = reminders.c.game_id == table_id, reminders.c.user_id == user_id, reminders.c.sent_at.is_(None)
    connection.execute(delete(reminders).where(*theirs))


def postpone_call(connection: Connection, table_id: str, user_id: int, due_at: datetime) -> None:
    """Have a person's unsent calls at a table sent at a later time. This ends the claims on these calls."""
    theirs = reminders.c.game_id == table_id, reminders.c.user_id == user_id, reminders.c.sent_at.is_(None)
    connection.execute(update(reminders).where(*theirs).values(due_at=due_at, send_until=None))


def find_calling_messages(connection: Connection, table_id: str) -> frozenset[int]:
    return frozenset(connection.scalars(_CALLING, {"table": table_id}))


def drop_calls_by_screen(connection: Connection, table_id: str, message_id: int) -> None:
    """Delete the calls that this message made, even those of people who have not acted yet."""
    connection.execute(delete(reminders).where(reminders.c.game_id == table_id, reminders.c.message_id == message_id))


def change_calls(
    connection: Connection,
    before: Table,
    after: Table,
    answered: int | None,
    remind: Sequence[int],
    pressing: int | None,
    now: datetime,
) -> bool:
    """Delete the calls that a change of a table ends, and add reminders. Return whether any message can be deleted now.

    ``answered`` is a user who has begun to play. ``remind`` are the users to remind. ``pressing`` is a user who has
    pressed for the first time since the last turn ended.
    """
    forget: list[tuple[Any, dict[str, object]]] = []
    if not after.status.open:
        forget.append((_AT_TABLE, {}))
    elif after.deadline_scope != before.deadline_scope or after.timing.asleep_until != before.timing.asleep_until:
        # The turn for which people were called is over, or the table sleeps: then nobody waits for them here, and
        # another table may remind them.
        forget.append((_FORGET_TURN, {}))
    uninvited = {*before.invited} - {*after.invited} if after.status.open else ()
    forget += [(_FORGET_CALLS, {"user": user_id}) for user_id in sorted(uninvited)]
    if after.status.open and answered is not None:
        forget.append((_FORGET, {"user": answered}))
    elif after.status.open and pressing is not None:
        # A person who presses a button has seen that they were pinged.
        forget.append((_FORGET_CALLS, {"user": pressing}))
    if done := [after.seats[at].user_id for at in {*seats_done(after)} - {*seats_done(before)}]:
        forget.append((_FORGET_DONE, {"users": done}))
    if answering := [before.seats[at].user_id for at in {*seats_yet_to_answer(before)} - {*seats_yet_to_answer(after)}]:
        forget.append((_FORGET_ANSWERS, {"users": answering}))
    deleted = [connection.execute(each, {"table": after.id, **about}).rowcount for each, about in forget]
    if remind:
        add_reminders(connection, after.id, after.deadline_scope, remind, now)
    # After most changes this saves a statement: no call was deleted, so no message can be released.
    return (any(deleted) or not after.status.open) and release_messages(connection, after.id, now)


def release_messages(connection: Connection, table_id: str, now: datetime) -> bool:
    """Have the old messages of a table deleted that ping nobody any more. Return whether there are any."""
    released = connection.execute(_RELEASE, {"table": table_id, "now": now})
    return bool(released.rowcount)


_CALLING = select(reminders.c.message_id).where(
    reminders.c.game_id == bindparam("table"), reminders.c.message_id.is_not(None)
)
_AT_TABLE = delete(reminders).where(reminders.c.game_id == bindparam("table"))
# A question whether to cancel is answered neither by playing on nor by the end of a turn.
_IS_ANSWER = reminders.c.kind == CallKind.CANCEL.value
_FORGET_ANSWERS = _AT_TABLE.where(_IS_ANSWER, reminders.c.user_id.in_(bindparam("users", expanding=True)))
# An unsent reminder stays while the table waits for the person: they may take the dice and then do nothing.
_IS_SEEN = or_(reminders.c.kind != CallKind.REMINDER.value, reminders.c.sent_at.is_not(None))
_FORGET = _AT_TABLE.where(~_IS_ANSWER, _IS_SEEN, reminders.c.user_id == bindparam("user"))
_FORGET_DONE = _AT_TABLE.where(~_IS_ANSWER, reminders.c.user_id.in_(bindparam("users", expanding=True)))
_FORGET_CALLS = _FORGET.where(reminders.c.kind != CallKind.REMINDER.value)
# Apart from such questions, two kinds of calls outlive the end of a turn: those of screens, which stay until the person
# has acted, and those to the beginning of a game, which quiet hours may delay past the first turn.
_FORGET_TURN = _AT_TABLE.where(
    ~_IS_ANSWER, reminders.c.kind != CallKind.SCREEN.value, reminders.c.deadline_scope != OPENING
)
_CALLS = exists().where(
    reminders.c.game_id == old_messages.c.game_id, reminders.c.message_id == old_messages.c.message_id
)
_RELEASE = (
    update(old_messages)
    .where(old_messages.c.game_id == bindparam("table"), old_messages.c.due_at.is_(None), ~_CALLS)
    .values(due_at=bindparam("now"))
)
