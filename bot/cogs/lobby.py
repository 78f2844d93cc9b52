"""The buttons, selects and dialogs of the lobby, also of the one outside of a table's thread, and of a rematch."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial

import discord

from bot.cogs.answers import Context, OpenModal, Page, Private, Redraw
from bot.cogs.common import chosen, name_of, parent_of, person, picked, place, typed
from bot.discord_api.permissions import FOR_THREADS, MENTIONING, SENDING, lacking, permission_names
from bot.discord_api.replies import PATIENCE, Interaction
from bot.domain.errors import Refused, Stale
from bot.domain.pace import Pace
from bot.domain.table import Table
from bot.locales import _, language_for, speaking
from bot.services.core import Core, Person, load, server_settings
from bot.services.invitations import call_players, check_may_call
from bot.services.lobby import join
from bot.services.rematch import rematch
from bot.services.sharing import lobby_is_at
from bot.services.table_options import check_lucky_word, choose_order, choose_pace, set_lucky_word
from bot.ui.buttons import Press
from bot.ui.lobby import seat_note, way_in
from bot.ui.lucky_words import WORD_FIELD, WordDialog, WordModal
from bot.ui.message import Rendered
from bot.ui.names import link_to
from bot.ui.text import bare
from highscore.turn_order import TurnOrder


def changed_by(
    service: Callable[[Core, str, Person], Awaitable[Table]],
    note: Callable[[Table, int], Rendered | None] | None = None,
) -> Callable[[Context, Interaction, Press], Awaitable[Redraw]]:
    """The handler of a button that stands for a use case that needs to know nothing but who asks for it.

    ``note`` is what whoever presses it is told in private besides, if anything.
    """

    async def handler(context: Context, interaction: Interaction, press: Press) -> Redraw:
        table = await service(context.core, press.table_id, person(interaction))
        return Redraw(table, None if note is None else note(table, interaction.user.id))

    return handler


async def open_rematch(context: Context, interaction: Interaction, press: Press) -> Private:
    """Open a table for the same people."""
    table = await rematch(context.core, press.table_id, person(interaction), parent_id=parent_of(interaction))
    context.display.request_redraw(table.id)
    return Private(seat_note(table, interaction.user.id, _("The table for the rematch is open.")))


async def pick_pace(context: Context, interaction: Interaction, press: Press) -> Redraw:
    """Give the table the pace that was picked."""
    core, pace = context.core, chosen(Pace, picked(interaction))
    return Redraw(await choose_pace(core, press.table_id, person(interaction), pace, core.paces))


async def pick_order(context: Context, interaction: Interaction, press: Press) -> Redraw:
    """Give the table the turn order that was picked."""
    core, order = context.core, chosen(TurnOrder, picked(interaction))
    return Redraw(await choose_order(core, press.table_id, person(interaction), order, core.paces))


async def ask_word(context: Context, interaction: Interaction, press: Press) -> OpenModal:
    """Open the dialog with the word that is there. It cannot be put off: where looking up is slow, it opens empty."""
    word = ""
    with suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE):
            table = await load(context.core, press.table_id)
            word = table.seats[check_lucky_word(table, interaction.user.id)].lucky_word
    return OpenModal(WordModal(press.table_id, word))


async def take_word(context: Context, interaction: Interaction, dialog: WordDialog) -> Redraw:
    """Take what was typed."""
    word = typed(interaction, WORD_FIELD)
    return Redraw(await set_lucky_word(context.core, dialog.game_id, person(interaction), word))


async def call_role(context: Context, interaction: Interaction, press: Press) -> Redraw:
    """Call the role that the server has set now, once a table, unless the bot may not mention it."""
    check_may_call(await load(context.core, press.table_id), person(interaction))
    settings, guild = await server_settings(context.core, place(interaction)[0]), interaction.guild
    role = None if guild is None or settings.player_role is None else guild.get_role(settings.player_role)
    if role is None or role.is_default():
        raise Refused(_("There is no role on this server any more that may be called."))
    if not role.mentionable and (missing := lacking(interaction.app_permissions, MENTIONING)):
        text = _("I may not mention {role}: anybody has to be allowed to, or I need the permission {permissions}.")
        raise Refused(text.format(role=role.mention, permissions=permission_names(missing)))
    return Redraw(await call_players(context.core, press.table_id, person(interaction), role.id))


async def join_thread(context: Context, interaction: Interaction, press: Press) -> Page:
    """Sit down at a table in a thread, from the lobby in its channel."""
    channel_id = place(interaction)[1]
    try:
        table = await join(context.core, press.table_id, person(interaction))
    except Stale as stale:
        return lobby_outside(context, stale.table, channel_id)
    context.display.request_redraw(table.id)
    return lobby_outside(context, table, channel_id, seat_note(table, interaction.user.id, below=link_to(table)))


def lobby_outside(context: Context, table: Table, channel_id: int, note: Rendered | None = None) -> Page:
    """The lobby in the channel of a thread, which follows the table from then on."""
    return Page(way_in(table), note, partial(lobby_is_at, context.core, table, channel_id))


async def open_thread(context: Context, interaction: Interaction) -> discord.Thread:
    """A thread of this channel for one table, for somebody who could open it themselves.

    Announcement channels have threads of their own type:
    https://discord.com/developers/docs/topics/threads#public--private-threads
    """
    channel = interaction.channel
    if not isinstance(channel, discord.TextChannel):
        raise Refused(_("A thread can be opened only in a text channel. Leave the option out to play right here."))
    if missing := lacking(interaction.permissions, FOR_THREADS | SENDING):
        text = _("To open a thread you need the permission {permissions} in this channel.")
        raise Refused(text.format(permissions=permission_names(missing)))
    if missing := lacking(interaction.app_permissions, FOR_THREADS):
        raise _lacking_for_threads(missing)
    settings = await server_settings(context.core, channel.guild.id)
    with speaking(settings.language or language_for(interaction.guild_locale)):
        name = _("High Score with {player}").format(player=bare(name_of(interaction.user)))
    kind = discord.ChannelType.news_thread if channel.is_news() else discord.ChannelType.public_thread
    try:
        return await channel.create_thread(name=name, type=kind)
    except discord.Forbidden as error:
        raise _lacking_for_threads(lacking(discord.Permissions.none(), FOR_THREADS)) from error


def _lacking_for_threads(permissions: Sequence[str]) -> Refused:
    text = _("To open a thread I need the permission {permissions} in this channel.")
    return Refused(text.format(permissions=permission_names(permissions)))
