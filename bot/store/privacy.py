"""What is stored about people and servers.

Data about a person can be counted, exported and deleted. Data of a server that has removed the bot is deleted. A test
lists every column with data about people, and what a deletion does with it. Marks (``bot.store.marks``) stay until they
expire. Marks about one person alone are counted and exported.
"""

import re
from collections.abc import AsyncIterator, Collection, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import Column, ColumnElement, Connection, Select, Table, and_, delete, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.outcome import UNRATED_DAYS
from bot.domain.table import Status
from bot.store.cup import forget_entrant
from bot.store.dare import forget_dares
from bot.store.database import lock_games
from bot.store.marks import MarkKind, add_marks, load_marks_of
from bot.store.models import (
    IS_OPEN,
    NAMES_PEOPLE,
    absences,
    attempts,
    badges,
    card_standings,
    challenges,
    cup_entrants,
    cup_results,
    cups,
    dares,
    events,
    games,
    guild_settings,
    guilds_left,
    marks,
    metadata,
    player_settings,
    records,
    reminders,
    results,
    seats,
    standings,
)
from bot.store.results import forget_results
from bot.store.rows import insert_or_ignore, split_into_portions
from bot.store.sharing import redraw_shared

FORMER_NAME = "a former player"
"""The name stored in place of a deleted one. Players see a translation of it, see ``Seat.former``."""
ROWS_AT_ONCE = 50
"""The number of rows that are converted to JSON values before other tasks may run."""
GAMES_AT_ONCE = 25
"""The number of games whose events one transaction changes. Few, so that the moves of others do not wait long."""

OWNED = (
    *(seats, results, standings, card_standings, records, badges),
    *(attempts, dares, cup_entrants, reminders, player_settings, absences),
)
"""The tables in which ``user_id`` names the person to whom a row belongs."""

PURGED_AT_ONCE = 20
"""The number of games, challenges or cups deleted in one transaction. Few, so that moves do not wait long."""


def _select_own(user_id: int) -> dict[Table, Select[Any]]:
    """Return, for each table with rows that belong to people, a query for a person's rows."""
    is_entrant = cup_results.c.cup_id == cup_entrants.c.cup_id, cup_results.c.number == cup_entrants.c.number
    played = select(cup_results).join(cup_entrants, and_(*is_entrant)).where(cup_entrants.c.user_id == user_id)
    return {**{table: select(table).where(table.c.user_id == user_id) for table in OWNED}, cup_results: played}


def count_rows(connection: Connection, user_id: int, now: datetime) -> dict[str, int]:
    counts = {
        table.name: connection.execute(select(func.count()).select_from(query.subquery())).scalar_one()
        for table, query in _select_own(user_id).items()
    }
    return {**counts, marks.name: len(load_marks_of(connection, user_id, now))}


async def load_all_rows(
    connection: AsyncConnection, user_id: int, now: datetime
) -> AsyncIterator[tuple[str, list[dict[str, Any]]]]:
    """Yield all rows about a person as JSON values, in small portions: the name of a table, and some of its rows.

    Of the marks, only those about this person alone can be found. Every table is yielded at least once,
    perhaps without rows.
    """
    mine = select(seats.c.game_id).where(seats.c.user_id == user_id)
    host = (games.c.host_id == user_id).label("host")
    played = (
        select(games.c.id, games.c.guild_id, games.c.channel_id, host, games.c.status, games.c.created_at)
        .where(games.c.id.in_(mine))
        .order_by(games.c.created_at, games.c.id)
    )
    # The numbers of events are left out. In own pace they would show how often others have rolled on cards that this
    # person has not played yet (R9.5).
    event = select(events.c.game_id, events.c.lines, events.c.created_at, (events.c.user_id == user_id).label("yours"))
    moves = event.where(events.c.game_id.in_(mine), events.c.user_id == user_id, ~NAMES_PEOPLE)
    remarks = event.where(NAMES_PEOPLE, _condition_of(user_id))
    others = re.compile(rf"\buser (?!{user_id}\b)[0-9]+\b")
    opened = select(cups.c.id, cups.c.guild_id, cups.c.channel_id, cups.c.name, cups.c.created_at)
    hosted = opened.where(cups.c.host_id == user_id)
    others_too = (games, played), (cups, hosted), (events, moves), (events, remarks)
    for table, query in (*_select_own(user_id).items(), *others_too):
        yield table.name, []
        async with connection.stream(query) as found:
            async for portion in found.mappings().partitions(ROWS_AT_ONCE):
                rows = [dict(_make_plain(row)) for row in portion]
                if query is remarks:
                    rows = [{**row, "lines": others.sub("another person", row["lines"])} for row in rows]
                    # LIKE also finds longer ids that begin with this one. The line above has replaced those ids, so
                    # this test drops such rows.
                    rows = [row for row in rows if row["yours"] or f"user {user_id}" in row["lines"]]
                yield table.name, rows
    yield marks.name, [dict(_make_plain(row)) for row in await connection.run_sync(load_marks_of, user_id, now)]


def load_seats_of(connection: Connection, user_id: int) -> list[tuple[str, Status]]:
    """Return the id and the status of each open table at which a seat is taken by this person or reserved for them.

    Running games that the person has left do not count.
    """
    rows = connection.execute(
        select(games.c.id, games.c.status)
        .join(seats, seats.c.game_id == games.c.id)
        .where(seats.c.user_id == user_id, IS_OPEN, or_(games.c.status == Status.LOBBY.value, seats.c.left.is_(False)))
        .order_by(games.c.id)
    )
    return [(game_id, Status(status)) for game_id, status in rows]


def load_games_of(connection: Connection, user_id: int) -> list[str]:
    """Return the ids of all games in which a person has or had a seat, in the order in which games are locked."""
    return list(connection.scalars(select(seats.c.game_id).where(seats.c.user_id == user_id).order_by(seats.c.game_id)))


def find_guilds_of(connection: Connection, user_id: int) -> list[int]:
    """Return the servers of the started games in which a person has a seat or has left one."""
    theirs = seats.c.user_id == user_id, games.c.lock.is_not(None)
    return list(connection.scalars(select(games.c.guild_id).join(seats).where(*theirs).distinct()))


def forget_moves(connection: Connection, game_ids: Sequence[str], user_id: int) -> None:
    """Remove a person's id, and the ids of their interactions, from the events that they caused in these games.

    The events themselves stay. ``forget_remarks`` removes the person's id from the texts of events.
    """
    connection.execute(
        update(events)
        .where(events.c.game_id.in_(game_ids), events.c.user_id == user_id)
        .values(user_id=None, interaction_id=None)
    )


def forget_person(connection: Connection, user_id: int, former_id: int, now: datetime) -> list[str]:
    """Remove a person from all rows except the events. Return their games that are still being played.

    Locks and medians stay, and so do marks (``bot.store.marks``). New marks say that the person has deleted their data.
    Call ``forget_moves`` and ``forget_remarks`` first. ``former_id`` replaces the person's id. It is a negative number
    drawn for this deletion.
    """
    for guild_id in find_guilds_of(connection, user_id):
        until = now + timedelta(days=UNRATED_DAYS)
        add_marks(connection, MarkKind.ERASED, [(user_id,)], now, guild_id=guild_id, ends_at=until)
    forget_dares(connection, user_id, now)
    game_ids = load_games_of(connection, user_id)
    playing: list[str] = []
    for some in split_into_portions(game_ids, GAMES_AT_ONCE):
        running = update(games).where(games.c.id.in_(some), games.c.status == Status.PLAYING.value)
        playing += connection.scalars(running.values(content_version=games.c.content_version + 1).returning(games.c.id))
        connection.execute(
            update(games).where(games.c.id.in_(some), games.c.host_id == user_id).values(host_id=former_id)
        )
        redraw_shared(connection, some, now)
    theirs = update(seats).where(seats.c.user_id == user_id)
    connection.execute(theirs.where(seats.c.game_id.in_(playing)).values(erased=True))
    former = {"name": FORMER_NAME, "lucky_word": "", "practised": "", "left": True, "away_until": None}
    connection.execute(theirs.values(user_id=former_id, **former))
    forget_results(connection, user_id, former_id, now)
    forget_entrant(connection, user_id, former_id, now)
    for table in (reminders, player_settings, absences, attempts):
        connection.execute(delete(table).where(table.c.user_id == user_id))
    return playing


def load_remarks_on(connection: Connection, user_id: int, since: datetime | None = None) -> list[tuple[str, int]]:
    """Return the remarks that name or were caused by a person, each as a game's id and the event's number.

    With ``since``, return only remarks that are not older than that. The person may never have played.
    """
    found = select(events.c.game_id, events.c.seq).where(NAMES_PEOPLE, _condition_of(user_id))
    if since is not None:
        found = found.where(events.c.created_at >= since)
    # Sorted, so that two deletions of people named in the same remarks do not deadlock. With ORDER BY, SQLite would
    # read the whole log by its key instead of using the index of the few remarks.
    return sorted((game_id, seq) for game_id, seq in connection.execute(found))


def forget_remarks(connection: Connection, remarks: Sequence[tuple[str, int]], user_id: int) -> None:
    for game_id, seq in remarks:
        where = events.c.game_id == game_id, events.c.seq == seq
        # The row is locked, because a remark can name two people whose data are deleted at the same time.
        remark = select(events.c.lines, events.c.user_id, events.c.interaction_id).where(*where).with_for_update()
        found = connection.execute(remark)
        for lines, by, interaction_id in found.all():
            whose = (None, None) if by == user_id else (by, interaction_id)
            changed = {"lines": remove_name(lines, user_id), "user_id": whose[0], "interaction_id": whose[1]}
            connection.execute(update(events).where(*where).values(changed))
        # The news of a cancelled game may name the moderator who cancelled it.
        news = connection.scalar(select(games.c.news).where(games.c.id == game_id, ~IS_OPEN)) or ""
        if (renamed := remove_name(news, user_id)) != news:
            connection.execute(update(games).where(games.c.id == game_id).values(news=renamed))


def remove_name(lines: str, user_id: int) -> str:
    return re.sub(rf"\buser {user_id}\b", FORMER_NAME, lines)


def _condition_of(user_id: int) -> ColumnElement[bool]:
    return or_(events.c.user_id == user_id, events.c.lines.like(f"% user {user_id}%"))


def _make_plain(row: Mapping[Any, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in row.items():
        if isinstance(value, (datetime, date)):
            yield name, value.isoformat()
        elif name.endswith("_id") and isinstance(value, int):
            yield name, str(value)  # JSON readers that use floats would round Discord's ids.
        else:
            yield name, value


def find_known_guilds(connection: Connection) -> set[int]:
    """Return every server with stored games, challenges, cups or settings.

    Other servers can only have absences and marks, which end by themselves.
    """
    known: set[int] = set()
    for table in (games, challenges, cups, guild_settings):
        known |= _find_distinct(connection, table.c.guild_id)
    return known


def load_left_guilds(connection: Connection) -> set[int]:
    return set(connection.scalars(select(guilds_left.c.guild_id)))


def add_left_guilds(connection: Connection, guild_ids: Collection[int], now: datetime) -> None:
    """Store that servers removed the bot at ``now``. A server that is stored already keeps its earlier time."""
    rows = [{"guild_id": guild_id, "left_at": now} for guild_id in sorted(set(guild_ids))]
    if rows:
        connection.execute(insert_or_ignore(connection, guilds_left), rows)


def remove_left_guild(connection: Connection, guild_id: int) -> bool:
    """Forget that a server has removed the bot. Return False if it was not stored."""
    result = connection.execute(delete(guilds_left).where(guilds_left.c.guild_id == guild_id))
    return result.rowcount > 0


def delete_some_of_guild(connection: Connection, guild_id: int) -> bool:
    """Delete some of a server's games, challenges or cups. If it has none left, delete its other rows and return True.

    Do nothing and return True if the server is not stored as one that has removed the bot. It may have just invited the
    bot again.
    """
    # A new invitation waits for this lock, so games that are played after it are not deleted.
    noted = select(guilds_left.c.guild_id).where(guilds_left.c.guild_id == guild_id).with_for_update()
    if connection.scalar(noted) is None:
        return True
    for table in (games, challenges, cups):
        some = select(table.c.id).where(table.c.guild_id == guild_id).limit(PURGED_AT_ONCE)
        if ids := list(connection.scalars(some)):
            # Games are locked in the order of their ids everywhere. The DELETE alone would use the table's order.
            lock_games(connection, *ids)
            connection.execute(delete(table).where(table.c.id.in_(ids)))
            return False
    for table in reversed(metadata.sorted_tables):
        if "guild_id" in table.c:
            connection.execute(delete(table).where(table.c.guild_id == guild_id))
    return True


def _find_distinct(connection: Connection, column: Column[int]) -> set[int]:
    """Return the distinct values of an indexed column. Each value is looked up from the one before, so the query does
    not read every row.
    """
    values = select(func.min(column).label("value")).cte("found", recursive=True)
    following = select(func.min(column)).where(column > values.c.value).scalar_subquery()
    values = values.union_all(select(following).where(values.c.value.is_not(None)))
    return {value for value in connection.scalars(select(values.c.value)) if value is not None}
