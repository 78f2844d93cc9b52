"""The selects in the lobby for pace and turn order."""

from bot.cogs.answers import Redraw
from bot.cogs.common import chosen, person, picked
from bot.cogs.context import Context
from bot.discord_api.replies import Interaction
from bot.domain.pace import Pace
from bot.services.pace import choose_order, choose_pace
from bot.ui.buttons import Press
from highscore.turn_order import TurnOrder


async def pick_pace(context: Context, interaction: Interaction, press: Press) -> Redraw:
    core, pace = context.core, chosen(Pace, picked(interaction))
    return Redraw(await choose_pace(core, press.table_id, person(interaction), pace, core.paces))


async def pick_order(context: Context, interaction: Interaction, press: Press) -> Redraw:
    core, order = context.core, chosen(TurnOrder, picked(interaction))
    return Redraw(await choose_order(core, press.table_id, person(interaction), order, core.paces))
