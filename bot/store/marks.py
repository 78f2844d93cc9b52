"""Marks of what people have done that a deletion of their data must not undo. In the caller's transaction.

A mark is a hash of ids, of one person or of several, under a random key that is stored for a server until a moment,
such as the end of its day; then the key and all its marks are deleted. Whoever reads the database before can try ids,
so a mark is pseudonymous; afterwards nobody can. Callers hold the people (``LockScope.PERSON``) whose marks they count.
"""

import secrets
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from enum import Enum
from hashlib import blake2b
from typing import Any

from sqlalchemy import ColumnElement, Connection, bindparam, delete, func, insert, select, union_all

from bot.domain.calendar import end_of_day
from bot.domain.notify import AT_REMATCH, BY_ALL, BY_ONE, DAY, JUST_PLAYED, Limits, next_call_at
from bot.domain.table import Table
from bot.store.models import MARK_BYTES, MARK_KEY_BYTES, events, interactions, mark_keys, marks
from bot.store.rows import insert_or_ignore, split_into_portions
from bot.store.settings import load_wishes
from bot.store.table import find_moved_since

EVERYWHERE = 0
"""Stands in place of a server, for what is counted on all servers together."""
AT_ONCE = 100
"""The number of keys deleted in one transaction, with all their marks; of marks looked up by one statement."""

Subject = tuple[int, ...]
"""The ids that a mark is about. Order counts: sort the ids of a pair that has none."""


class MarkKind(Enum):
    DAILY = "daily"
    """Rolled the first dice of a daily challenge."""
    CALL = "call"
    """Been called to a kept seat, and by whom; or, by a server's id, its role."""
    ERASED = "erased"
    """Deleted their data after having played on the server: for some days no game there counts for them (R9.6)."""
    CUP = "cup"
    """Deleted their data after entering a cup, with its number: they cannot enter it again."""


def add_marks(
    connection: Connection,
    kind: MarkKind,
    subjects: Iterable[Subject],
    now: datetime,
    *,
    ends_at: datetime,
    guild_id: int = EVERYWHERE,
) -> None:
    """Mark each of these once more, until ``ends_at``."""
    new = {"guild_id": guild_id, "ends_at": ends_at, "key": secrets.token_bytes(MARK_KEY_BYTES)}
    connection.execute(insert_or_ignore(connection, mark_keys), new)
    theirs = mark_keys.c.guild_id == guild_id, mark_keys.c.ends_at == ends_at
    key = connection.execute(select(mark_keys.c.key).where(*theirs)).scalar_one()
    made = [_hash_subject(key, kind, subject) for subject in subjects]
    numbers = Counter(connection.scalars(select(marks.c.mark).where(marks.c.mark.in_(made))))
    connection.execute(insert(marks), [{"mark": mark, "number": numbers[mark], "key": key, "at": now} for mark in made])


def load_marks(
    connection: Connection, kind: MarkKind, subjects: Iterable[Subject], now: datetime, *, guild_id: int = EVERYWHERE
) -> dict[Subject, list[datetime]]:
    """Return the moments of each one's marks, the first one first, as far as their keys still exist."""
    found: dict[Subject, list[datetime]] = {subject: [] for subject in subjects}
    sought = [(kind, subject) for subject in found]
    for _guild, _kind, subject, at in _find(connection, sought, now, mark_keys.c.guild_id == guild_id):
        found[subject].append(at)
    return {subject: sorted(moments) for subject, moments in found.items()}


def load_marks_of(connection: Connection, user_id: int, now: datetime) -> list[dict[str, Any]]:
    """Return the marks of a person alone, on all servers. Marks of several ids cannot be found by one of them."""
    found = _find(connection, [(kind, (user_id,)) for kind in MarkKind], now)
    found_marks = ({"guild_id": guild_id, "kind": kind.value, "at": at} for guild_id, kind, _subject, at in found)
    return sorted(found_marks, key=lambda mark: (mark["at"], mark["kind"], mark["guild_id"]))


def next_end_of_marks(connection: Connection) -> datetime | None:
    ends_at: datetime | None = connection.scalar(select(func.min(mark_keys.c.ends_at)))
    return ends_at


def delete_ended_marks(connection: Connection, now: datetime) -> bool:
    """Delete some of the keys whose moment has come, with their marks. Return whether there were any."""
    ended = select(mark_keys.c.key).where(mark_keys.c.ends_at <= now).limit(AT_ONCE).with_for_update(skip_locked=True)
    return connection.execute(delete(mark_keys).where(mark_keys.c.key.in_(ended))).rowcount > 0


def _find(
    connection: Connection, sought: Sequence[tuple[MarkKind, Subject]], now: datetime, *where: ColumnElement[bool]
) -> Iterator[tuple[int, MarkKind, Subject, datetime]]:
    keys = connection.execute(select(mark_keys.c.guild_id, mark_keys.c.key).where(mark_keys.c.ends_at > now, *where))
    made = {_hash_subject(key, *one): (guild_id, *one) for guild_id, key in keys for one in sought}
    for some in split_into_portions(list(made), AT_ONCE):
        for mark, at in connection.execute(select(marks.c.mark, marks.c.at).where(marks.c.mark.in_(some))):
            yield *made[mark], at


def _hash_subject(key: bytes, kind: MarkKind, subject: Subject) -> bytes:
    return blake2b(f"{kind.value} {subject}".encode(), key=key, digest_size=MARK_BYTES).digest()


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


STORED_FOR = timedelta(hours=1)
"""The time an id is kept. Discord surely delivers no interaction so late: it can be answered for 15 minutes."""


def note_interaction(connection: Connection, interaction_id: int | None, now: datetime) -> None:
    """Store the id of an interaction, if there is one. Raise IntegrityError if it is stored already."""
    if interaction_id is not None:
        connection.execute(insert(interactions).values(interaction_id=interaction_id, at=now))


def is_known(connection: Connection, interaction_id: int) -> bool:
    return connection.execute(_KNOWN, {"interaction": interaction_id}).first() is not None


def forget_old_interactions(connection: Connection, now: datetime) -> None:
    # Two transactions that do this at once skip each other's rows, or they could wait for each other.
    old = (
        select(interactions.c.interaction_id)
        .where(interactions.c.at < now - STORED_FOR)
        .with_for_update(skip_locked=True)
    )
    connection.execute(delete(interactions).where(interactions.c.interaction_id.in_(old)))


_KNOWN = union_all(
    *(
        select(table.c.interaction_id).where(table.c.interaction_id == bindparam("interaction"))
        for table in (events, interactions)
    )
)
