"""The selects in the options of a lobby for pace and turn order."""

from bot.cogs.answers import Redraw
from bot.cogs.common import choice_of, person_of, picked_value
from bot.cogs.context import Context
from bot.discord_api.replies import Interaction
from bot.domain.pace import Pace
from bot.services.pace import choose_order, choose_pace
from bot.ui.buttons import Press
from highscore.turn_order import TurnOrder


async def pick_pace(context: Context, interaction: Interaction, press: Press) -> Redraw:
    core, pace = context.core, choice_of(Pace, picked_value(interaction))
    return Redraw(await choose_pace(core, press.table_id, person_of(interaction), pace, core.paces))


async def pick_order(context: Context, interaction: Interaction, press: Press) -> Redraw:
    core, order = context.core, choice_of(TurnOrder, picked_value(interaction))
    return Redraw(await choose_order(core, press.table_id, person_of(interaction), order, core.paces))
