"""The buttons of the coach: a hint, and the report of a game."""

from functools import partial

from bot.cogs.answers import Private
from bot.cogs.common import drawn
from bot.cogs.context import Context
from bot.cogs.redraw import wake_by_press
from bot.discord_api.replies import Interaction
from bot.domain.sharing import Shared
from bot.services.coaching import give_hint, report
from bot.ui.buttons import Press, press_of
from bot.ui.coaching import do_this, hint_embed, report_page
from bot.ui.message import Rendered


async def show_hint(context: Context, interaction: Interaction, press: Press) -> Private:
    """Advise the player whose choice it is."""
    async with context.core.helper.one_at_a_time(interaction.user.id):
        table, advice = await give_hint(
            context.core, press.table_id, interaction.user.id, press.version, interaction_id=interaction.id
        )
    await wake_by_press(context, table, interaction.user.id)
    choice = do_this(advice, partial(press_of, table))
    return Private(Rendered([hint_embed(table, advice)], buttons=[choice]), instead_of=table.id)


async def show_report(context: Context, interaction: Interaction, press: Press) -> Private:
    """Show who was lucky and who played well."""
    async with context.core.helper.one_at_a_time(interaction.user.id):
        table, made = await report(context.core, press.table_id)
        return Private(await drawn(context, report_page(table, made, Shared, table.seat_of(interaction.user.id))))
