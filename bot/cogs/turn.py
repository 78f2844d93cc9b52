"""The buttons of a turn: its decisions, picking dice for them, and a hint."""

from functools import partial

from bot.cogs.answers import Picked, Private, Redraw
from bot.cogs.common import person_of
from bot.cogs.context import Context
from bot.cogs.redraw import wake_by_press
from bot.cogs.turn_buttons import check_picked_dice, decision_of
from bot.discord_api.replies import Interaction
from bot.services.absence import wake_table
from bot.services.coaching import give_hint
from bot.services.core import get_table
from bot.services.turn import check_turn, decide_turn
from bot.ui.buttons import Press, Verb, table_press
from bot.ui.coaching import render_hint
from bot.ui.turn import require_game


async def play_turn(context: Context, interaction: Interaction, press: Press) -> Redraw:
    table = await decide_turn(
        context.core,
        press.table_id,
        interaction.user.id,
        decision_of(press),
        version=press.version,
        interaction_id=interaction.id,
    )
    return Redraw(table)


async def pick_dice(context: Context, interaction: Interaction, press: Press) -> Picked:
    """Pick a die or put it back, or ask about a small keep. Only the message's buttons know of it."""
    table = await get_table(context.core, press.table_id)
    check_turn(table, interaction.user.id, press.version)
    check_picked_dice(None if table.game is None else table.game.turn, press)
    if table.timing.asleep_until is not None:
        table = await wake_table(context.core, press.table_id, person_of(interaction))
    return Picked(table, press.positions, asking=press.verb is Verb.ASK)


async def show_hint(context: Context, interaction: Interaction, press: Press) -> Private:
    async with context.core.helper.one_at_a_time(interaction.user.id):
        table, advice = await give_hint(
            context.core, press.table_id, interaction.user.id, press.version, interaction_id=interaction.id
        )
    await wake_by_press(context, table, interaction.user.id)
    return Private(render_hint(require_game(table), advice, partial(table_press, table)), instead_of=table.id)
