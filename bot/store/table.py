"""Tables, with their seats and their logs of events."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, RowMapping, bindparam, delete, exists, func, insert, or_, select, union_all, update

from bot.domain.notify import Call, Wishes, users_called
from bot.domain.screens import OldMessage
from bot.domain.table import Seat, Status, Table
from bot.store import rows as mapping
from bot.store.database import LockScope, lock_games, lock_subjects
from bot.store.models import (
    IS_OPEN,
    IS_UNSHOWN,
    absences,
    challenges,
    cups,
    events,
    games,
    old_messages,
    reminders,
    seats,
    shared_messages,
)
from bot.store.reminders import find_calling_messages, release_messages, save_calls
from bot.store.settings import load_wishes
from highscore.events import Event
from highscore.turn_order import TurnOrder

_LOAD = (
    # Read only the game's columns that a Table or its lease needs. Each column is read once per seat, and times are
    # slow to convert.
    select(
        *(games.c[name] for name in (*mapping.field_names(Table), "state", "show_by", "show_until") if name in games.c),
        *(seats.c[name] for name in ("seat", *mapping.field_names(Seat))),
        exists().where(absences.c.guild_id == games.c.guild_id, absences.c.user_id == bindparam("user")).label("away"),
    )
    .select_from(games.outerjoin(seats))
    .where(games.c.id == bindparam("table"))
    .order_by(seats.c.seat)
)
_UPDATE = update(games).where(games.c.id == bindparam("table"), games.c.version == bindparam("read_version"))
_NOTED = ("log", "shown_content_version", "shown_screen", "message_id")
_MARK_SHOWN = (
    update(games).where(games.c.id == bindparam("table")).values({name: bindparam(f"new_{name}") for name in _NOTED})
)


@dataclass(frozen=True, slots=True)
class Shown:
    """A table's content that Discord has accepted."""

    table_id: str
    content_version: int
    screen: int
    message_id: int
    record: bool = False
    """True if the message is now the record of a round, which stays in the channel."""
    calls: tuple[Call, ...] = ()
    """The pings that were sent with this screen, or that are still to be sent for it."""


@dataclass(frozen=True, slots=True)
class DisplayLease:
    """The process that shows the table's latest change, and until when other processes leave the table to it."""

    process: str | None = None
    until: datetime | None = None

    def is_of_another(self, process: str) -> bool:
        """Return whether another process has this lease, or had it until it ran out."""
        return self.until is not None and self.process not in (None, process)


NOBODY = DisplayLease()


@dataclass(frozen=True, slots=True)
class Stored:
    """A stored table and its display lease. ``away`` is true if the user for whom it was loaded is away."""

    table: Table
    lease: DisplayLease
    away: bool


class Conflict(Exception):
    """Another transaction has changed the table since it was read."""


def insert_table(connection: Connection, table: Table, now: datetime, shown_by: DisplayLease = NOBODY) -> None:
    row = {**_make_row(table, now), "show_by": shown_by.process, "show_until": shown_by.until}
    connection.execute(insert(games).values(row))
    _insert_seats(connection, table)


def load_table(connection: Connection, table_id: str) -> Table | None:
    stored = load_stored(connection, table_id)
    return None if stored is None else stored.table


def load_stored(connection: Connection, table_id: str, user_id: int | None = None) -> Stored | None:
    """Return a table, or None if there is none. ``Stored.away`` is about the user ``user_id``."""
    # One statement, because every click begins with it, and because the result is consistent.
    rows = connection.execute(_LOAD, {"table": table_id, "user": user_id}).mappings().all()
    if not rows:
        return None
    row = rows[0]
    table = _make_table(row, [each for each in rows if each["seat"] is not None])
    return Stored(table, DisplayLease(row["show_by"], row["show_until"]), row["away"])


def guild_of(connection: Connection, item_id: str) -> int | None:
    """Return the server of a table, challenge or cup, or None if there is none with this id."""
    guild_id: int | None = connection.scalar(
        union_all(*(select(each.c.guild_id).where(each.c.id == item_id) for each in (games, challenges, cups)))
    )
    return guild_id


def find_open_ids(connection: Connection, *, guild_id: int | None = None, channel_id: int | None = None) -> list[str]:
    """Return the ids of the open tables of a server or of a channel, oldest first."""
    place = games.c.channel_id == channel_id if guild_id is None else games.c.guild_id == guild_id
    oldest_first = select(games.c.id).where(place, IS_OPEN).order_by(games.c.created_at, games.c.id)
    return list(connection.scalars(oldest_first))


def find_unshown_ends(
    connection: Connection, *, guild_id: int | None = None, channel_id: int | None = None
) -> list[str]:
    """Return the ids of the closed tables, of a server or of a channel, whose end is not shown yet."""
    place = games.c.channel_id == channel_id if guild_id is None else games.c.guild_id == guild_id
    return list(connection.scalars(select(games.c.id).where(place, IS_UNSHOWN, ~IS_OPEN).order_by(games.c.updated_at)))


def find_channels_hosted(connection: Connection, guild_id: int, user_id: int) -> list[int]:
    """Return the channel of each open table that a person hosts on a server, oldest table first.

    Tables that are paused because the bot may not post there are left out.
    """
    hosted = select(games.c.id).where(games.c.host_id == user_id, games.c.guild_id == guild_id, IS_OPEN)
    ids = connection.scalars(hosted.order_by(games.c.created_at, games.c.id)).all()
    tables = [load_table(connection, table_id) for table_id in ids]
    return [table.channel_id for table in tables if table is not None and not table.timing.cannot_post]


def count_games_of_day(connection: Connection, guild_id: int, user_ids: Sequence[int], now: datetime) -> Counter[int]:
    """Count, for each of these users, the games that started on a server today and count for the user (R9.6).
    Abandoned games are left out.
    """
    today = games.c.guild_id == guild_id, games.c.day_ends_at > now, games.c.status != Status.ABANDONED.value
    theirs = seats.c.user_id.in_(user_ids), seats.c.counts
    return Counter(connection.scalars(select(seats.c.user_id).join(games).where(*today, *theirs)))


def load_open_tables(
    connection: Connection, *, guild_id: int | None = None, channel_id: int | None = None
) -> list[Table]:
    """Return the open tables of a server or of a channel, oldest first."""
    ids = find_open_ids(connection, guild_id=guild_id, channel_id=channel_id)
    return [table for table_id in ids if (table := load_table(connection, table_id)) is not None]


def load_latest_table(connection: Connection, channel_id: int) -> Table | None:
    """Return the newest open table of a channel, else its newest closed table, else None."""
    of_channel = select(games.c.id).where(games.c.channel_id == channel_id)
    newest = of_channel.order_by(games.c.created_at.desc(), games.c.id).limit(1)
    table_id = connection.scalar(newest.where(IS_OPEN)) or connection.scalar(newest)
    return None if table_id is None else load_table(connection, table_id)


def find_game_of_message(connection: Connection, channel_id: int, message_id: int) -> str | None:
    """Return the id of the game to which a message in a channel belongs, or None.

    These are the messages of the table's own sequence, its pings, its messages that are still to be deleted, and its
    shared messages. A shared message can be in another channel than the table.
    """
    logged = games.c.log.contains(str(message_id))  # JSON of message ids, all of which have the same length
    own = or_(games.c.message_id == message_id, games.c.opening_id == message_id, logged)
    pings = select(reminders.c.game_id).join(games, games.c.id == reminders.c.game_id)
    found: str | None = connection.scalar(
        union_all(
            select(games.c.id).where(games.c.channel_id == channel_id, own),
            pings.where(games.c.channel_id == channel_id, reminders.c.message_id == message_id),
            *(
                select(each.c.game_id).where(each.c.channel_id == channel_id, each.c.message_id == message_id)
                for each in (old_messages, shared_messages)
            ),
        ).limit(1)
    )
    return found


def update_table(
    connection: Connection,
    table: Table,
    read_version: int,
    now: datetime,
    *,
    seats_changed: bool = False,
    shown_by: DisplayLease = NOBODY,
) -> None:
    """Store a table that was read at ``read_version``. Raise Conflict if it has changed since."""
    result = connection.execute(
        _UPDATE,
        {
            "table": table.id,
            "read_version": read_version,
            **_make_changes(table, now),
            # This ends a claim on the table: the work that was due is done, or not due any more.
            "due_until": None,
            "show_by": shown_by.process,
            "show_until": shown_by.until,
        },
    )
    if result.rowcount != 1:
        raise Conflict(f"table {table.id} is no longer at version {read_version}")
    if seats_changed:
        connection.execute(delete(seats).where(seats.c.game_id == table.id))
        _insert_seats(connection, table)


def append_events(
    connection: Connection,
    table: Table,
    happened: Sequence[Event],
    now: datetime,
    *,
    user_id: int | None,
    interaction_id: int | None,
) -> None:
    """Append the events of a change to the log, as one row. Its number is the table's version, or in own pace the next
    free number.
    """
    number = table.version
    if not table.turn_order.shared:
        last = connection.scalar(select(func.max(events.c.seq)).where(events.c.game_id == table.id))
        number = 0 if last is None else last + 1
    connection.execute(
        insert(events),
        {
            "game_id": table.id,
            "seq": number,
            "lines": mapping.events_to_lines(happened),
            "user_id": user_id,
            "interaction_id": interaction_id,
            "created_at": now,
        },
    )


def load_events(connection: Connection, table_id: str) -> tuple[Event, ...]:
    moves = select(events.c.lines).where(events.c.game_id == table_id).order_by(events.c.seq)
    return tuple(mapping.events_from_lines(connection.scalars(moves)))


def find_moved_since(connection: Connection, table_id: str, since: datetime) -> set[int]:
    """Return the users who have caused events in the game's log since a time."""
    query = select(events.c.user_id).where(events.c.game_id == table_id, events.c.created_at >= since)
    return set(connection.scalars(query.where(events.c.user_id.is_not(None)).distinct()))


def count_hint(connection: Connection, table_id: str, seat: int) -> None:
    """Count a hint at a seat. The table's version stays the same, because its messages do not change."""
    # The lock is needed because a change of the seats rewrites all of them.
    lock_games(connection, table_id)
    connection.execute(
        update(seats).where(seats.c.game_id == table_id, seats.c.seat == seat).values(hints=seats.c.hints + 1)
    )


def mark_shown(connection: Connection, shown: Sequence[Shown], now: datetime) -> bool:
    """Store which content Discord shows, unless newer content of the same table is stored already.

    The message that the new one replaces becomes an old message, unless it is the opening or the record of a round. An
    old message is deleted when the people whom it pings have acted. Return whether any message can be deleted now.
    """
    # Rows are locked in the order of their ids, as everywhere, so that two transactions do not deadlock.
    ids = sorted({one.table_id for one in shown})
    found = connection.execute(
        select(*_SHOWN).where(games.c.id.in_(ids)).order_by(games.c.id).with_for_update(key_share=True)
    )
    rows = {row["id"]: dict(row) for row in found.mappings()}
    old: list[dict[str, Any]] = []
    for one in shown:
        row = rows.get(one.table_id)
        if row is None or (row["shown_content_version"], row["shown_screen"]) > (one.content_version, one.screen):
            continue
        log = mapping.NUMBERS.read(row["log"])
        if one.record and row["shown_screen"] < one.screen and one.message_id not in log:
            log = (*log, one.message_id)
        before = row["message_id"]
        if before not in (None, one.message_id, row["opening_id"], *log):
            old.append(mapping.to_row(OldMessage(before, row["channel_id"], one.table_id)))
        # If the table has changed since then, the pings that were sent with the screen are not stored: they are for
        # people who have acted by now.
        if calls := [
            each for each in one.calls if each.sent_at is None or row["content_version"] == one.content_version
        ]:
            save_calls(connection, calls)
        row |= {
            "log": mapping.NUMBERS.write(log),
            "shown_content_version": one.content_version,
            "shown_screen": one.screen,
            "message_id": one.message_id,
        }
    if rows:
        connection.execute(
            _MARK_SHOWN, [{"table": key, **{f"new_{name}": row[name] for name in _NOTED}} for key, row in rows.items()]
        )
    if not old:
        return False
    connection.execute(mapping.insert_or_ignore(connection, old_messages), old)
    released = [release_messages(connection, table_id, now) for table_id in sorted({one["game_id"] for one in old})]
    return any(released)


def _make_changes(table: Table, now: datetime) -> dict[str, Any]:
    return {
        "host_id": table.host_id,
        "status": table.status.value,
        "turn_order": table.turn_order.value,
        "max_seats": table.max_seats,
        "version": table.version,
        "content_version": table.content_version,
        "locale": table.locale,
        "lock": table.lock,
        "opening_id": table.opening_id,
        "day_ends_at": table.day_ends_at,
        "options": mapping.OPTIONS.write(table.options),
        "state": None if table.game is None else mapping.game_to_text(table.game),
        "timing": mapping.TIMING.write(table.timing),
        "news": mapping.NEWS.write(table.news),
        "screen_since": table.screen_since,
        "wake_at": table.timing.wake_at,
        "updated_at": now,
    }


def _make_row(table: Table, now: datetime) -> dict[str, Any]:
    return {
        **{name: value for name, value in mapping.to_row(table).items() if name in games.c},
        "deck": mapping.deck_to_text(table.deck),
        "log": mapping.NUMBERS.write(table.log),
        "created_at": now,
        **_make_changes(table, now),
    }


def _make_table(row: RowMapping, seats: Sequence[RowMapping]) -> Table:
    return mapping.from_row(
        Table,
        row,
        status=Status(row["status"]),
        turn_order=TurnOrder(row["turn_order"]),
        deck=mapping.deck_from_text(row["deck"]),
        seats=tuple(mapping.from_row(Seat, seat) for seat in seats),
        game=None if row["state"] is None else mapping.game_from_text(row["state"]),
        options=mapping.OPTIONS.read(row["options"]),
        timing=mapping.TIMING.read(row["timing"]),
        news=mapping.NEWS.read(row["news"]),
        log=mapping.NUMBERS.read(row["log"]),
    )


_SHOWN = [games.c[name] for name in ("id", "channel_id", "opening_id", "content_version", *_NOTED)]


def _insert_seats(connection: Connection, table: Table) -> None:
    if table.seats:
        # Otherwise a person whose data is being deleted could take a seat at the same time.
        lock_subjects(connection, LockScope.PERSON, *(seat.user_id for seat in table.seats if seat.user_id is not None))
        rows = [{"game_id": table.id, "seat": at, **mapping.to_row(seat)} for at, seat in enumerate(table.seats)]
        connection.execute(insert(seats), rows)


@dataclass(frozen=True, slots=True)
class TableToShow:
    """A table to show, its lease, and the data that decide whom a message pings."""

    table: Table
    lease: DisplayLease
    wishes: Mapping[int, Wishes]
    """The wishes of the users whom the screen pings, see ``users_called``."""
    calling: frozenset[int]
    """The table's messages that ping somebody who has not acted yet."""


def load_table_to_show(connection: Connection, table_id: str) -> TableToShow | None:
    stored = load_stored(connection, table_id)
    if stored is None:
        return None
    users = users_called(stored.table)
    wishes = load_wishes(connection, users) if users else {}
    return TableToShow(stored.table, stored.lease, wishes, find_calling_messages(connection, table_id))
