"""The button for the report of a finished game."""

from bot.cogs.answers import Private
from bot.cogs.common import draw_first
from bot.cogs.context import Context
from bot.discord_api.replies import Interaction
from bot.domain.screens import Shared
from bot.services.coaching import report_game
from bot.ui.buttons import TablePress
from bot.ui.coaching import render_report


async def show_report(context: Context, interaction: Interaction, press: TablePress) -> Private:
    async with context.core.helper.one_at_a_time(interaction.user.id):
        table, made = await report_game(context.core, press.table_id)
        return Private(
            await draw_first(context, render_report(table, made, Shared, table.seat_of(interaction.user.id)))
        )
