"""The buttons of a turn: its decisions, and picking dice for them."""

from collections.abc import Awaitable, Callable

from bot.cogs.answers import Picked, Redraw
from bot.cogs.common import person
from bot.cogs.context import Context
from bot.discord_api.replies import Interaction
from bot.domain.errors import Refused
from bot.locales import _
from bot.services.absence import wake
from bot.services.core import load
from bot.services.turn import check_turn, decide
from bot.ui.buttons import Press, Verb
from highscore.events import Decision


def play(decision: Callable[[Press], Decision]) -> Callable[[Context, Interaction, Press], Awaitable[Redraw]]:
    """The handler of the buttons that stand for a decision."""

    async def handler(context: Context, interaction: Interaction, press: Press) -> Redraw:
        table = await decide(
            context.core,
            press.table_id,
            interaction.user.id,
            decision(press),
            version=press.version,
            interaction_id=interaction.id,
        )
        return Redraw(table)

    return handler


async def pick(context: Context, interaction: Interaction, press: Press) -> Picked:
    """Pick a die or put it back, or be asked. Both live in the message's buttons; nothing is written."""
    table = await load(context.core, press.table_id)
    check_turn(table, interaction.user.id, press.version)
    turn = None if table.game is None else table.game.turn
    if turn is None or not set(press.positions) <= set(turn.free):
        raise Refused(_("That die cannot be picked now."))
    if table.timing.asleep_until is not None:
        table = await wake(context.core, press.table_id, person(interaction))
    return Picked(table, press.positions, asking=press.verb is Verb.ASK)
