"""Marks of what people have done that a deletion of their data must not make undone. In the caller's transaction.

A mark is a hash of ids, of one person or of several, under a random key that is stored for a server until a moment,
such as the end of its day; the key and all its marks go at that moment. Who reads the database meanwhile can try ids,
so a mark is pseudonymous; afterwards nobody can. Callers hold the people (``LockScope.PERSON``) whose marks they count.
"""

import secrets
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from datetime import datetime
from enum import Enum
from hashlib import blake2b
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, true, tuple_

from bot.store.models import MARK_BYTES, MARK_KEY_BYTES, mark_keys, marks
from bot.store.rows import insert_or_ignore, portions

EVERYWHERE = 0
"""In place of a server, for what is counted on all of them together."""
AT_ONCE = 100
"""Keys deleted in one transaction, with all their marks."""
LOOKED_UP = 500
"""Marks looked up by one statement."""

Subject = tuple[int, ...]
"""Whom a mark is about. Order counts: sort the ids of a pair that has none."""


class MarkKind(Enum):
    """What a person has done."""

    DAILY = "daily"
    """Taken the first die of a daily challenge."""
    CALL = "call"
    """Been called to a seat that is kept, and by whom; or a server's role, by the server's id."""
    REMATCH = "rematch"
    """Been called to the rematch of a table they had just played at."""


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
    period = {"guild_id": guild_id, "ends_at": ends_at}
    new_key = {**period, "key": secrets.token_bytes(MARK_KEY_BYTES)}
    connection.execute(insert_or_ignore(connection, mark_keys), new_key)
    theirs = mark_keys.c.guild_id == guild_id, mark_keys.c.ends_at == ends_at
    key = connection.execute(select(mark_keys.c.key).where(*theirs)).scalar_one()
    made = [_mark(key, kind, subject) for subject in subjects]
    numbers = Counter(connection.scalars(select(marks.c.mark).where(marks.c.mark.in_(made))))
    connection.execute(insert(marks), [{**period, "mark": mark, "number": numbers[mark], "at": now} for mark in made])


def marked(
    connection: Connection, kind: MarkKind, subjects: Iterable[Subject], now: datetime, *, guild_id: int = EVERYWHERE
) -> dict[Subject, list[datetime]]:
    """When each of these was marked, the first time first, as far as the keys still tell."""
    found: dict[Subject, list[datetime]] = {subject: [] for subject in subjects}
    sought = [(kind, subject) for subject in found]
    for _guild, _kind, subject, at in _find(connection, sought, now, mark_keys.c.guild_id == guild_id):
        found[subject].append(at)
    return found


def marks_of(connection: Connection, user_id: int, now: datetime) -> list[dict[str, Any]]:
    """The marks of a person alone, on all servers. Those of a pair are found only by whoever knows both."""
    sought = [(kind, (user_id,)) for kind in MarkKind]
    found = _find(connection, sought, now, true())
    return [{"guild_id": guild_id, "kind": kind.value, "at": at} for guild_id, kind, _subject, at in found]


def next_end(connection: Connection) -> datetime | None:
    """When the next key goes."""
    ends_at: datetime | None = connection.scalar(select(func.min(mark_keys.c.ends_at)))
    return ends_at


def delete_ended(connection: Connection, now: datetime) -> bool:
    """Delete some of the keys whose moment has come, with their marks. Returns whether there were any."""
    ended = select(mark_keys.c.guild_id, mark_keys.c.ends_at).where(mark_keys.c.ends_at <= now).limit(AT_ONCE)
    # What another process is deleting already is left to it.
    keys = connection.execute(ended.with_for_update(skip_locked=True)).all()
    gone = tuple_(mark_keys.c.guild_id, mark_keys.c.ends_at).in_([tuple(key) for key in keys])
    return bool(keys) and connection.execute(delete(mark_keys).where(gone)).rowcount > 0


def _find(
    connection: Connection, sought: Collection[tuple[MarkKind, Subject]], now: datetime, where: ColumnElement[bool]
) -> Iterator[tuple[int, MarkKind, Subject, datetime]]:
    keys = connection.execute(select(mark_keys.c.guild_id, mark_keys.c.key).where(mark_keys.c.ends_at > now, where))
    made = {_mark(key, *one): (guild_id, *one) for guild_id, key in keys for one in sought}
    for some in portions(list(made), LOOKED_UP):
        found = select(marks.c.mark, marks.c.at).where(marks.c.mark.in_(some)).order_by(marks.c.at)
        for mark, at in connection.execute(found):
            yield *made[mark], at


def _mark(key: bytes, kind: MarkKind, subject: Subject) -> bytes:
    about = " ".join((kind.value, *map(str, subject)))
    return blake2b(about.encode(), key=key, digest_size=MARK_BYTES).digest()
