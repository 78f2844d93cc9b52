"""The buttons that post a game's report or standings for others, or give a result as text."""

import discord

from bot.cogs.common import Answer, Private, UserRequest
from bot.discord_api.messages import post_quietly
from bot.discord_api.permissions import may_write
from bot.domain.errors import Refused
from bot.domain.screens import Shared
from bot.locales import _, speaking_in
from bot.services.coaching import save_shared, share_report
from bot.services.core import get_closed_table
from bot.ui.buttons import SharePress, TablePress, Verb
from bot.ui.coaching import render_report
from bot.ui.table import game_text, render_standings


async def check_may_share(request: UserRequest) -> None:
    """Raise Refused if the user, or the bot, may not write in the channel."""
    if not may_write(request.interaction):
        raise Refused(_("You're not allowed to write in this channel, so I can't post here for you."))
    await request.check_may_post()


async def share_game(request: UserRequest, press: SharePress) -> Answer:
    """Post the report or the standings, and remove the button."""
    await check_may_share(request)
    channel = request.interaction.channel
    if not isinstance(channel, discord.abc.Messageable):
        raise Refused(_("This button doesn't work here."))
    what, other = Shared.REPORT, Shared.STANDINGS
    if press.verb is Verb.SHARE_FINAL:
        what, other = other, what
    async with request.one_at_a_time():
        table, made = await share_report(request.core, press.table_id, request.interaction.id)
        with speaking_in(table.locale):
            rendered = render_report(table, made) if what is Shared.REPORT else render_standings(table)
        fields = await (await request.draw_first(rendered)).prepare_message()
        # A double click posts only one message, because both posts have the same key.
        key = f"share:{table.id}:{what.value}:{request.user_id}:{request.interaction.channel_id}"
        message = await post_quietly(channel, key, **fields)
        await save_shared(request.core, table, what, message.channel.id, message.id)
        left = [] if press.is_last else [other]
        return Answer(render_report(table, made, left, table.seat_of(request.user_id)))


async def show_text(request: UserRequest, press: TablePress) -> Private:
    table = await get_closed_table(request.core, press.table_id)
    text = game_text(table, table.seat_of(request.user_id))
    if text is None:
        raise Refused(_("This button doesn't work here."))
    return Private(text, instead_of=press.custom_id)
