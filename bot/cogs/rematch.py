"""The button for another game of the same people."""

from bot.cogs.answers import Private
from bot.cogs.common import check_may_post, parent_of, person_of
from bot.cogs.context import Context
from bot.discord_api.replies import Interaction
from bot.locales import _, language_for
from bot.services.core import get_closed_table
from bot.services.rematch import start_rematch
from bot.ui.buttons import Press
from bot.ui.lobby import render_seat_notice
from bot.ui.reminders import not_called_line


async def open_rematch(context: Context, interaction: Interaction, press: Press) -> Private:
    old = await get_closed_table(context.core, press.table_id)
    await check_may_post(interaction, old.channel_id)
    parent_id, own = parent_of(interaction), language_for(interaction.guild_locale)
    table = await start_rematch(context.core, press.table_id, person_of(interaction), parent_id=parent_id, locale=own)
    context.display.request_redraw(table.id)
    return Private(
        render_seat_notice(table, interaction.user.id, _("The table for the rematch is open."), not_called_line(table))
    )
