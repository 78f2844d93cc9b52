"""Messages that are redrawn when a name in them changes, and messages to delete.

A shared report, the dares of a game, and the lobby of a thread's table in the parent channel get a row when they are
sent. Standings get a row only when a player's data is deleted. Until then only the game's own row has the message's id.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import Connection, delete, select, update

from bot.domain.screens import OldMessage, Shared
from bot.domain.table import Status, Table
from bot.store.database import lock_games
from bot.store.models import IS_UNSHOWN, games, old_messages, shared_messages
from bot.store.rows import insert_or_ignore, redraw_at, to_row
from bot.store.table import load_table

REDRAW_DELAY = timedelta(seconds=3)
"""Changes of a lobby within this time are shown in its other messages by one edit."""


def note_shared(connection: Connection, message_id: int, channel_id: int, game_id: str, what: Shared) -> None:
    row = {"message_id": message_id, "channel_id": channel_id, "game_id": game_id, "what": what.value}
    connection.execute(insert_or_ignore(connection, shared_messages), row)


def redraw_shared(connection: Connection, game_ids: Sequence[str], now: datetime) -> None:
    """Have all messages of these games redrawn that contain names, because a player's data was deleted."""
    # A table whose end is not shown yet gets the new names with its next screen.
    standings = connection.execute(
        select(games.c.message_id, games.c.channel_id, games.c.id).where(
            games.c.id.in_(game_ids),
            games.c.status.in_((Status.FINISHED.value, Status.ABANDONED.value)),
            games.c.message_id.is_not(None),
            ~IS_UNSHOWN,
        )
    )
    for message_id, channel_id, game_id in standings.all():
        note_shared(connection, message_id, channel_id, game_id, Shared.STANDINGS)
    connection.execute(
        update(shared_messages).where(shared_messages.c.game_id.in_(game_ids)).values(post_at=now, post_until=None)
    )


def follow_lobby(connection: Connection, table_id: str, now: datetime) -> None:
    """Have the lobby of a thread's table in the parent channel redrawn soon, if the lobby is shown there."""
    lobby = shared_messages.c.game_id == table_id, shared_messages.c.what == Shared.THREAD.value
    redraw_at(connection, shared_messages, now + REDRAW_DELAY, *lobby)


def mark_lobby_shown(connection: Connection, message_id: int, channel_id: int, shown: Table, now: datetime) -> None:
    """Store which message shows a thread's lobby in the parent channel.

    Have this message redrawn if the lobby has changed since ``shown``. Do nothing if the table was deleted.
    """
    lock_games(connection, shown.id)
    if (newest := load_table(connection, shown.id)) is None:
        return
    note_shared(connection, message_id, channel_id, shown.id, Shared.THREAD)
    this = shared_messages.c.message_id == message_id
    if newest.lobby == shown.lobby:
        connection.execute(update(shared_messages).where(this).values(post_at=None))
    else:
        redraw_at(connection, shared_messages, now + REDRAW_DELAY, this)


def forget_shared(connection: Connection, message_id: int) -> None:
    connection.execute(delete(shared_messages).where(shared_messages.c.message_id == message_id))


def add_old_message(connection: Connection, table_id: str, channel_id: int, message_id: int, now: datetime) -> None:
    """Have a message deleted now, even if people whom it pings have not acted yet."""
    row = to_row(OldMessage(message_id, channel_id, table_id, now))
    connection.execute(insert_or_ignore(connection, old_messages), row)
    waiting = old_messages.c.message_id == message_id, old_messages.c.due_at.is_(None)
    connection.execute(update(old_messages).where(*waiting).values(due_at=now))


def forget_old_message(connection: Connection, message_id: int) -> None:
    connection.execute(delete(old_messages).where(old_messages.c.message_id == message_id))
