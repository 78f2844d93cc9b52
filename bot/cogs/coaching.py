"""The button for the report of a finished game."""

from bot.cogs.answers import Private
from bot.cogs.common import drawn
from bot.cogs.context import Context
from bot.discord_api.replies import Interaction
from bot.domain.sharing import Shared
from bot.services.coaching import report
from bot.ui.buttons import Press
from bot.ui.coaching import report_page


async def show_report(context: Context, interaction: Interaction, press: Press) -> Private:
    async with context.core.helper.one_at_a_time(interaction.user.id):
        table, made = await report(context.core, press.table_id)
        return Private(await drawn(context, report_page(table, made, Shared, table.seat_of(interaction.user.id))))
