"""The buttons that post a game's report or standings for others."""

import discord

from bot.cogs.common import Answer, Context, check_may_post, draw_first
from bot.discord_api.messages import post_quietly
from bot.discord_api.permissions import may_write
from bot.discord_api.replies import Interaction
from bot.domain.errors import Refused
from bot.domain.screens import Shared
from bot.locales import _, speaking_in
from bot.services.sharing import save_shared, share_report
from bot.ui.buttons import SharePress, Verb
from bot.ui.coaching import render_report
from bot.ui.table import render_standings


async def check_may_share(interaction: Interaction) -> None:
    """Raise Refused where the person may not write themselves, or the bot may not."""
    if not may_write(interaction):
        raise Refused(_("You may not write in this channel, so I do not post anything here for you."))
    await check_may_post(interaction)


async def share_game(context: Context, interaction: Interaction, press: SharePress) -> Answer:
    """Post the report or the standings, once a press, and take that button away."""
    await check_may_share(interaction)
    channel = interaction.channel
    if not isinstance(channel, discord.abc.Messageable):
        raise Refused(_("This button opens no form."))
    what, other = Shared.REPORT, Shared.STANDINGS
    if press.verb is Verb.SHARE_FINAL:
        what, other = other, what
    async with context.core.helper.one_at_a_time(interaction.user.id):
        table, made = await share_report(context.core, press.table_id, interaction.id)
        with speaking_in(table.locale):
            rendered = render_report(table, made) if what is Shared.REPORT else render_standings(table)
        fields = await (await draw_first(context, rendered)).sending()
        # Two presses at once post once: Discord knows the key for some minutes.
        key = f"share:{table.id}:{what.value}:{interaction.user.id}:{interaction.channel_id}"
        message = await post_quietly(channel, key, **fields)
        await save_shared(context.core, table, what, message.channel.id, message.id)
        left = [] if press.is_last else [other]
        return Answer(await draw_first(context, render_report(table, made, left, table.seat_of(interaction.user.id))))
