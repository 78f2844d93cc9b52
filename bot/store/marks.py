"""Marks of actions that a deletion of a person's data must not undo.

A mark is a hash of one or more ids. Its key is random, belongs to a server and has an end, such as the end of the
server's day. Then the key and all its marks are deleted. Until then, somebody who reads the database can find the marks
of a person by trying ids, so marks are pseudonymous data. Callers that count the marks of people lock these people
first (``LockScope.PERSON``).
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
from bot.store.away import load_away
from bot.store.database import LockScope, lock_subjects
from bot.store.models import MARK_BYTES, MARK_KEY_BYTES, events, interactions, mark_keys, marks
from bot.store.rows import insert_or_ignore, split_into_portions
from bot.store.settings import load_wishes
from bot.store.table import find_moved_since

EVERYWHERE = 0
"""In place of a server's id, for marks that are counted on all servers together."""
PORTION = 100
"""The number of keys that one transaction deletes, and of marks that one statement looks up."""

Subject = tuple[int, ...]
"""The ids that a mark is about. Their order counts."""


class MarkKind(Enum):
    DAILY = "daily"
    """The person has rolled the first dice of a daily challenge."""
    CALL = "call"
    """The person was pinged for a reserved seat, alone or together with the host. Or a server's role was pinged to find
    players.
    """
    ERASED = "erased"
    """The person has deleted their data after playing on the server. For some days no game there counts for them
    (R9.6).
    """
    CUP = "cup"
    """The person has deleted their data after entering a cup, whose number is in the mark. They cannot enter it
    again.
    """


def add_marks(
    connection: Connection,
    kind: MarkKind,
    subjects: Iterable[Subject],
    now: datetime,
    *,
    ends_at: datetime,
    guild_id: int = EVERYWHERE,
) -> None:
    """Add a mark for each of these subjects, until ``ends_at``. The same subject can have several marks."""
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
    """Return, by subject, the times of its marks whose keys have not ended, earliest first."""
    found: dict[Subject, list[datetime]] = {subject: [] for subject in subjects}
    sought = [(kind, subject) for subject in found]
    for _guild, _kind, subject, at in _find(connection, sought, now, mark_keys.c.guild_id == guild_id):
        found[subject].append(at)
    return {subject: sorted(moments) for subject, moments in found.items()}


def load_marks_of(connection: Connection, user_id: int, now: datetime) -> list[dict[str, Any]]:
    """Return the marks that are about this person only, on all servers.

    A mark about several ids, such as a host and a guest, can be found only if all the ids are known.
    """
    found = _find(connection, [(kind, (user_id,)) for kind in MarkKind], now)
    found_marks = ({"guild_id": guild_id, "kind": kind.value, "at": at} for guild_id, kind, _subject, at in found)
    return sorted(found_marks, key=lambda mark: (mark["at"], mark["kind"], mark["guild_id"]))


def next_end_of_marks(connection: Connection) -> datetime | None:
    ends_at: datetime | None = connection.scalar(select(func.min(mark_keys.c.ends_at)))
    return ends_at


def delete_ended_marks(connection: Connection, now: datetime) -> bool:
    """Delete some of the keys that have ended, with their marks. Return False if there were none."""
    ended = select(mark_keys.c.key).where(mark_keys.c.ends_at <= now).limit(PORTION).with_for_update(skip_locked=True)
    return connection.execute(delete(mark_keys).where(mark_keys.c.key.in_(ended))).rowcount > 0


def _find(
    connection: Connection, sought: Sequence[tuple[MarkKind, Subject]], now: datetime, *where: ColumnElement[bool]
) -> Iterator[tuple[int, MarkKind, Subject, datetime]]:
    keys = connection.execute(select(mark_keys.c.guild_id, mark_keys.c.key).where(mark_keys.c.ends_at > now, *where))
    made = {_hash_subject(key, *one): (guild_id, *one) for guild_id, key in keys for one in sought}
    for some in split_into_portions(list(made), PORTION):
        for mark, at in connection.execute(select(marks.c.mark, marks.c.at).where(marks.c.mark.in_(some))):
            yield *made[mark], at


def _hash_subject(key: bytes, kind: MarkKind, subject: Subject) -> bytes:
    return blake2b(f"{kind.value} {subject}".encode(), key=key, digest_size=MARK_BYTES).digest()


def call_invited(
    connection: Connection, table: Table, invited: Sequence[int], now: datetime, old_id: str | None = None
) -> Table:
    """Decide which of the people who have just been invited to a table are pinged, and count these pings.

    Return the table. In it, the seats of people who are not pinged are ``uncalled``, and the seats of people who are
    away have ``away_until``. If the table is a rematch of the game ``old_id``, people who have just played there can be
    pinged under a limit of its own.
    """
    # The limits are counted under the locks that storing the seats takes too.
    lock_subjects(connection, LockScope.PERSON, *(seat.user_id for seat in table.seats if seat.user_id is not None))
    wishes = load_wishes(connection, invited)
    there = set() if old_id is None else find_moved_since(connection, old_id, now - JUST_PLAYED)
    for user_id in invited:
        tries: list[Mapping[Subject, Limits]] = [{(user_id,): BY_ALL, (table.host_id, user_id): BY_ONE}]
        if old_id is not None and user_id in there:
            tries.insert(0, {(int(old_id, 16), user_id): AT_REMATCH})
        away_until = load_away(connection, table.guild_id, user_id, now)
        willing = wishes[user_id].invited and away_until is None
        called = willing and any(count_call(connection, limits, now) <= now for limits in tries)
        table = table.with_seat(table.seat_of(user_id) or 0, uncalled=not called, away_until=away_until)
    return table


def count_call(connection: Connection, limits: Mapping[Subject, Limits], now: datetime) -> datetime:
    """Count a ping if the limits of all these subjects allow it. Return ``now`` if they do, or the time at which they
    will.
    """
    found = load_marks(connection, MarkKind.CALL, limits, now)
    moment = max(next_call_at(calls, limits[subject], now) for subject, calls in found.items())
    if moment <= now:
        # The limits count the pings of the last 24 hours or less, which may begin on the day before. So the mark is
        # stored until the end of the next day (UTC).
        add_marks(connection, MarkKind.CALL, limits, now, ends_at=end_of_day(now.date(), "UTC") + DAY)
    return moment


STORED_FOR = timedelta(hours=1)
"""How long the id of an interaction is stored. It can be answered for 15 minutes, so Discord does not deliver it again
after an hour.
"""


def note_interaction(connection: Connection, interaction_id: int | None, now: datetime) -> None:
    """Store the id of an interaction, unless it is None. Raise IntegrityError if it is stored already."""
    if interaction_id is not None:
        connection.execute(insert(interactions).values(interaction_id=interaction_id, at=now))


def is_known(connection: Connection, interaction_id: int) -> bool:
    return connection.scalar(_KNOWN, {"interaction": interaction_id}) is not None


def forget_old_interactions(connection: Connection, now: datetime) -> None:
    # Without SKIP LOCKED, two transactions that do this at the same time could deadlock.
    old = (
        select(interactions.c.interaction_id)
        .where(interactions.c.at < now - STORED_FOR)
        .with_for_update(skip_locked=True)
    )
    connection.execute(delete(interactions).where(interactions.c.interaction_id.in_(old)))


# Built once, because every press runs it.
_KNOWN = union_all(
    *(
        select(table.c.interaction_id).where(table.c.interaction_id == bindparam("interaction"))
        for table in (events, interactions)
    )
)
