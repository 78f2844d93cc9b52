"""Dares. The message with a game's dares is a row of ``shared_messages``."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select

from bot.domain.dare import MOST_SHOWN, Dare, Dares
from bot.domain.screens import Shared
from bot.domain.table import Table
from bot.store.challenge import add_challenge, make_challenge, read_attempt
from bot.store.models import attempts, challenges, dares, shared_messages
from bot.store.rows import redraw_at
from bot.store.sharing import add_old_message, forget_shared, note_shared
from bot.store.table import load_table

REDRAW_DELAY = timedelta(minutes=3)
"""Attempts that are finished within this time are shown by one edit. Discord accepts few edits of a message that is
older than an hour.
"""
_QUERY = select(challenges, dares.c.game_id, dares.c.seat, dares.c.user_id).join(dares)


def add_dare(connection: Connection, dare: Dare, now: datetime) -> None:
    add_challenge(connection, dare, now)
    row = {"challenge_id": dare.id, "game_id": dare.table.id, "seat": dare.seat, "user_id": dare.user_id}
    connection.execute(insert(dares).values(row))


def load_dare(connection: Connection, dare_id: str) -> Dare | None:
    row = connection.execute(_QUERY.where(challenges.c.id == dare_id)).mappings().one_or_none()
    return None if row is None else make_challenge(Dare, row, table=load_table(connection, row["game_id"]))


def load_dares(connection: Connection, table: Table) -> Dares:
    """Return the dares of a game, their newest finished attempts, and the number of all finished attempts."""
    rows = connection.execute(_QUERY.where(dares.c.game_id == table.id).order_by(dares.c.seat)).mappings()
    offered = {row["id"]: make_challenge(Dare, row, table=table) for row in rows}
    finished = attempts.c.challenge_id.in_(offered), attempts.c.finished_at.is_not(None)
    order = attempts.c.finished_at.desc(), attempts.c.user_id
    newest = connection.execute(select(attempts).where(*finished).order_by(*order).limit(MOST_SHOWN)).mappings()
    read = tuple(read_attempt(row, offered[row["challenge_id"]]) for row in newest)
    count = connection.scalar(select(func.count()).select_from(attempts).where(*finished)) or 0
    return Dares(table, tuple(offered.values()), read, count)


def find_message(connection: Connection, game_id: str) -> int | None:
    """Return the id of the message with the dares of a game, or None if there is none."""
    return connection.scalar(select(shared_messages.c.message_id).where(*_is_message_of([game_id])))


def replace_message(connection: Connection, table: Table, message_id: int, now: datetime) -> None:
    """Store the message with the dares of a game. Have the earlier one deleted."""
    earlier = find_message(connection, table.id)
    if earlier not in (None, message_id):
        forget_shared(connection, earlier)
        add_old_message(connection, table.id, table.channel_id, earlier, now)
    note_shared(connection, message_id, table.channel_id, table.id, Shared.DARES)


def redraw_dares(connection: Connection, game_ids: Sequence[str], at: datetime) -> None:
    redraw_at(connection, shared_messages, at, *_is_message_of(game_ids))


def forget_dares(connection: Connection, user_id: int, now: datetime) -> None:
    """Delete a person's dares with all attempts at them. Have the messages redrawn that show the person's own attempts.

    Call this before any row of ``shared_messages`` is locked, because a transaction that finishes an attempt locks such
    a row last.
    """
    games = select(dares.c.game_id).join(attempts, attempts.c.challenge_id == dares.c.challenge_id)
    taken = list(connection.scalars(games.where(attempts.c.user_id == user_id)))
    own = select(dares.c.challenge_id).where(dares.c.user_id == user_id)
    connection.execute(delete(challenges).where(challenges.c.id.in_(own)))
    redraw_dares(connection, taken, now)


def _is_message_of(game_ids: Sequence[str]) -> tuple[ColumnElement[bool], ...]:
    return shared_messages.c.game_id.in_(game_ids), shared_messages.c.what == Shared.DARES.value
