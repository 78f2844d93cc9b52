"""/highscore me and its buttons: how a person is pinged, and the export and deletion of the data about them.

The listener closes the games of deleted channels, threads and servers, and of servers that remove the bot. It also
continues paused games when the bot gets back a permission.
"""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import discord
from discord import app_commands
from discord.ext import commands

from bot.cogs.common import Answer, Context, Feature, Private, UserRequest, answers, choice_of
from bot.domain.errors import Refused
from bot.domain.notify import Notify
from bot.locales import _
from bot.observing.logs import set_log_fields, without_log_fields
from bot.services import privacy as service
from bot.services.away import close_table, set_wishes
from bot.services.core import get_open_tables
from bot.services.deadlines import find_ended_unseen
from bot.store.errors import DatabaseClosedError
from bot.ui.buttons import DataPress, Wish
from bot.ui.message import Rendered
from bot.ui.privacy import render_data, render_deletion_question, render_deletion_result
from bot.ui.text import forget_names

log = logging.getLogger(__name__)

_REMOVED = "the bot was removed from the server"


class PrivacyCommands(Feature):
    @app_commands.command(description="Your reminders and invitations, and what is stored about you")
    @app_commands.describe(
        reminders="How to remind you of your turn, if at all",
        invitations="Whether to ping you when somebody reserves a seat for you",
    )
    @app_commands.choices(
        reminders=[
            app_commands.Choice(name="mention me in the channel", value=Notify.CHANNEL.value),
            app_commands.Choice(name="by direct message", value=Notify.DIRECT.value),
            app_commands.Choice(name="not at all", value=Notify.NONE.value),
        ]
    )
    @answers()
    async def me(self, request: UserRequest, reminders: str | None = None, invitations: bool | None = None) -> Answer:
        user_id = request.user_id
        notify = None if reminders is None else choice_of(Notify, reminders)
        if notify is not None or invitations is not None:
            await set_wishes(request.core, user_id, notify, invitations=invitations)
        wishes, rows = await service.count_about(request.core, user_id)
        return Answer(render_data(user_id, wishes, rows, request.context.privacy_url))


async def answer_data_press(request: UserRequest, press: DataPress) -> Answer | Private:
    """Export a person's data, or delete it after two questions. Raise Refused if the data is another user's."""
    if press.user_id != request.user_id:
        raise Refused(_("This is somebody else's data. `/highscore me` shows yours."))
    match press.wish:
        case Wish.FILE:
            async with request.one_at_a_time():
                file = await service.export_person(request.core, request.user_id)
            return Private(Rendered(content=_("Here is everything that is stored about you."), document=file))
        case Wish.DELETE | Wish.SURE:
            return Answer(render_deletion_question(press.wish, press.user_id))
        case Wish.FOREVER:
            return await _forget_everything(request)
        case Wish.KEEP:
            return Answer(render_deletion_result(deleted=False))


async def _forget_everything(request: UserRequest) -> Answer:
    async with request.one_at_a_time():
        changed = await service.erase_person(request.core, request.person)
    forget_names()
    request.core.helper.forget()
    # The log line has no id of the user, because the data about them has just been deleted.
    with without_log_fields():
        log.info("a user has deleted their data")
    for table_id in changed:
        request.display.request_redraw(table_id)
    request.context.wake_at(request.core.now())
    return Answer(render_deletion_result(deleted=True))


class PurgeListener(commands.Cog):
    def __init__(self, client: discord.Client, context: Context) -> None:
        self._client = client
        self._context = context

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        await self._close("its channel was deleted", channel_id=channel.id)

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Close the games of a deleted thread. The raw event is also sent for threads that are not in the cache."""
        await self._close("its thread was deleted", channel_id=payload.thread_id)

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Close the games of a server that removed the bot or was deleted. An outage of Discord sends no such event."""
        await self._close(_REMOVED, guild_id=guild.id)
        with _log_errors("could not store that guild %s has removed the bot", guild.id):
            await service.note_guild_left(self._context.core, guild.id)
        self._context.wake_at(self._context.core.now())

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Note that the bot is on a server, perhaps again. If this fails, the server's data is safe all the same,
        because the purge spares servers that the bot is on."""
        with _log_errors("could not store that the bot is in guild %s again", guild.id):
            await service.note_guild_back(self._context.core, guild.id)

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Close the games of servers that removed the bot while it was disconnected, when it could not receive the
        events."""
        removed: Sequence[int] = ()
        with _log_errors("could not find out which servers have removed the bot"):
            removed = await service.compare_guilds(self._context.core, [guild.id for guild in self._client.guilds])
        for guild_id in removed:
            await self._close(_REMOVED, guild_id=guild_id)
        self._context.wake_at(self._context.core.now())

    @commands.Cog.listener()
    async def on_guild_channel_update(self, _before: object, after: discord.abc.GuildChannel) -> None:
        """Check the games of a channel and its threads, because the bot's permissions there may have changed."""
        threads = after.threads if isinstance(after, discord.TextChannel) else []
        for channel_id in (after.id, *(thread.id for thread in threads)):
            await self._look_again(channel_id=channel_id)

    @commands.Cog.listener()
    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        """Check the games of a server if the permissions of one of the bot's roles have changed."""
        if before.permissions != after.permissions and after in after.guild.me.roles:
            await self._look_again(guild_id=after.guild.id)

    @commands.Cog.listener()
    async def on_thread_join(self, thread: discord.Thread) -> None:
        """Check the games of a thread to which the bot was added, or that was opened again."""
        await self._look_again(channel_id=thread.id)

    @commands.Cog.listener()
    async def on_thread_update(self, _before: object, after: discord.Thread) -> None:
        """Check the games of a thread, because it may have been unlocked."""
        await self._look_again(channel_id=after.id)

    async def _look_again(self, *, guild_id: int | None = None, channel_id: int | None = None) -> None:
        """Try to show games that are paused because of a missing permission, and games whose end could not be shown.

        Without this, the clock would try later.
        """
        set_log_fields(guild=guild_id, channel=channel_id)
        core = self._context.core
        with _log_errors("could not check the paused games in guild %s, channel %s", guild_id, channel_id):
            tables = await get_open_tables(core, guild_id=guild_id, channel_id=channel_id)
            paused = [table.id for table in tables if table.timing.cannot_post]
            for table_id in [*paused, *await find_ended_unseen(core, guild_id=guild_id, channel_id=channel_id)]:
                self._context.display.request_redraw(table_id)

    async def _close(self, reason: str, *, guild_id: int | None = None, channel_id: int | None = None) -> None:
        set_log_fields(guild=guild_id, channel=channel_id)
        core = self._context.core
        with _log_errors("could not close the games in guild %s, channel %s", guild_id, channel_id):
            for table in await get_open_tables(core, guild_id=guild_id, channel_id=channel_id):
                await self._context.display.forget(await close_table(core, table.id, reason))


@contextmanager
def _log_errors(message: str, *about: object) -> Iterator[None]:
    """Log errors instead of raising them, because an event has nobody to answer.

    If the bot stops during the work, the next start does it.
    """
    try:
        yield
    except DatabaseClosedError:
        log.info("%s: the bot is stopping", message % about)
    except Exception:
        log.exception(message, *about)
