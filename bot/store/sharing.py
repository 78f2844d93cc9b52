"""Messages that are redrawn when a name in them changes, and messages to delete. In the caller's transaction.

A shared report, and the lobby of a thread's table in the parent channel, are stored when they are sent. Standings are
stored only when a player has their data deleted; until then the game's own row has the id of their message.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Connection, delete, or_, select, update

from bot.domain.screens import OldMessage, Shared
from bot.domain.table import Status, Table
from bot.store.database import lock_games
from bot.store.models import IS_UNSHOWN, games, old_messages, shared_messages
from bot.store.rows import insert_or_ignore, to_row
from bot.store.table import load_table

TOGETHER = timedelta(seconds=3)
"""Changes of a lobby within this time are shown in its other messages by one edit."""


def note_shared(connection: Connection, message_id: int, channel_id: int, game_id: str, what: Shared) -> None:
    connection.execute(
        insert_or_ignore(connection, shared_messages), [_make_row(message_id, channel_id, game_id, what)]
    )


def redraw_shared(connection: Connection, game_ids: Sequence[str], now: datetime) -> None:
    """Redraw all messages of these games that contain names, because a player's data was deleted."""
    # A table that is not up to date gets the new names with its next screen.
    standings = connection.execute(
        select(games.c.message_id, games.c.channel_id, games.c.id).where(
            games.c.id.in_(game_ids),
            games.c.status.in_((Status.FINISHED.value, Status.ABANDONED.value)),
            games.c.message_id.is_not(None),
            ~IS_UNSHOWN,
        )
    )
    if rows := [_make_row(*found, Shared.STANDINGS) for found in standings]:
        connection.execute(insert_or_ignore(connection, shared_messages), rows)
    connection.execute(
        update(shared_messages).where(shared_messages.c.game_id.in_(game_ids)).values(post_at=now, post_until=None)
    )


def follow_lobby(connection: Connection, table_id: str, now: datetime) -> None:
    """Redraw the lobby of a thread's table in the parent channel soon, if it is shown there."""
    lobby = shared_messages.c.game_id == table_id, shared_messages.c.what == Shared.THREAD.value
    draw_soon(connection, now + TOGETHER, *lobby)


def mark_lobby_shown(connection: Connection, message_id: int, channel_id: int, shown: Table, now: datetime) -> None:
    """Store which message shows a thread's lobby in the parent channel.

    Redraw that message unless ``shown`` is the newest lobby.
    """
    lock_games(connection, shown.id)
    if (newest := load_table(connection, shown.id)) is None:
        return
    note_shared(connection, message_id, channel_id, shown.id, Shared.THREAD)
    this = shared_messages.c.message_id == message_id
    if newest.lobby == shown.lobby:
        connection.execute(update(shared_messages).where(this).values(post_at=None))
    else:
        draw_soon(connection, now + TOGETHER, this)


def draw_soon(connection: Connection, at: datetime, *which: ColumnElement[bool]) -> None:
    """Redraw messages at a time. Messages that are due and unclaimed keep their time, so that frequent changes do not
    delay them.
    """
    free = or_(shared_messages.c.post_at.is_(None), shared_messages.c.post_until.is_not(None))
    connection.execute(update(shared_messages).where(*which, free).values(post_at=at, post_until=None))


def forget_shared(connection: Connection, message_id: int) -> None:
    connection.execute(delete(shared_messages).where(shared_messages.c.message_id == message_id))


def _make_row(message_id: int, channel_id: int, game_id: str, what: Shared) -> dict[str, object]:
    return {"message_id": message_id, "channel_id": channel_id, "game_id": game_id, "what": what.value}


def add_old_message(connection: Connection, table_id: str, channel_id: int, message_id: int, now: datetime) -> None:
    """Have a message deleted now, even if it was to stay until the people it pings have acted."""
    row = to_row(OldMessage(message_id, channel_id, table_id, now))
    connection.execute(insert_or_ignore(connection, old_messages), row)
    waiting = old_messages.c.message_id == message_id, old_messages.c.due_at.is_(None)
    connection.execute(update(old_messages).where(*waiting).values(due_at=now))


def forget_old_message(connection: Connection, message_id: int) -> None:
    connection.execute(delete(old_messages).where(old_messages.c.message_id == message_id))
