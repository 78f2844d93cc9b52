"""The settings of servers and of people."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import Connection, select, update

from bot.domain import cup
from bot.domain.notify import Notify, Wishes
from bot.domain.server_settings import ServerSettings
from bot.domain.table import Status
from bot.store.database import LockScope, lock_subjects
from bot.store.models import challenges, cups, dailies, games, guild_settings, player_settings, seasons
from bot.store.rows import SETTINGS, insert_or_replace


def load_server_settings(connection: Connection, guild_id: int) -> ServerSettings:
    """Return a server's settings, or the defaults if none are stored."""
    text = connection.scalar(select(guild_settings.c.settings).where(guild_settings.c.guild_id == guild_id))
    return ServerSettings() if text is None else SETTINGS.read(text)


def save_server_settings(connection: Connection, guild_id: int, settings: ServerSettings, now: datetime) -> None:
    row = {"guild_id": guild_id, "settings": SETTINGS.write(settings), "updated_at": now}
    connection.execute(insert_or_replace(connection, guild_settings), row)


def set_language_of_waiting(connection: Connection, guild_id: int, language: str) -> None:
    """Set the language of lobbies, of cups before their first leg, and of podiums that are still to be posted.

    The lobbies keep their versions, so each lobby's message changes with its next edit.
    """
    tables = games.c.guild_id == guild_id, games.c.status == Status.LOBBY.value
    connection.execute(update(games).where(*tables).values(locale=language))
    unposted = select(dailies.c.challenge_id).where(dailies.c.guild_id == guild_id, dailies.c.post_at.is_not(None))
    connection.execute(update(challenges).where(challenges.c.id.in_(unposted)).values(locale=language))
    entry = cups.c.guild_id == guild_id, cups.c.status == cup.Status.ENTRY.value
    connection.execute(update(cups).where(*entry).values(locale=language))
    connection.execute(update(seasons).where(seasons.c.guild_id == guild_id).values(locale=language))


def load_wishes(connection: Connection, user_ids: Collection[int]) -> dict[int, Wishes]:
    found = connection.execute(select(player_settings).where(player_settings.c.user_id.in_(user_ids)))
    stored = {row.user_id: Wishes(Notify(row.notify), row.invitations) for row in found}
    return {user_id: stored.get(user_id, Wishes()) for user_id in user_ids}


def save_wishes(
    connection: Connection, user_id: int, notify: Notify | None, invitations: bool | None, now: datetime
) -> Wishes:
    """Change a person's wishes. None leaves a wish as it is. Return all their wishes."""
    lock_subjects(connection, LockScope.PERSON, user_id)
    before = load_wishes(connection, [user_id])[user_id]
    after = Wishes(notify or before.notify, before.invitations if invitations is None else invitations)
    if after != before:
        row = {"user_id": user_id, "notify": after.notify.value, "invitations": after.invitations, "updated_at": now}
        connection.execute(insert_or_replace(connection, player_settings), row)
    return after
