"""The buttons of a turn at a table with shared dice: decisions, picking dice, and hints."""

from collections.abc import Callable, Mapping
from functools import partial

from bot.cogs.common import Picked, Private, Redraw, UserRequest
from bot.cogs.table import wake_by_press
from bot.domain.errors import Refused
from bot.locales import _
from bot.services.away import wake_table
from bot.services.coaching import give_hint
from bot.services.core import get_table
from bot.services.turn import check_turn, decide_turn
from bot.ui.buttons import DicePress, TurnPress, Verb, turn_press
from bot.ui.coaching import render_hint
from bot.ui.turn import require_game
from highscore.events import Decision, TakeDice
from highscore.turn import Roll, SetAside, Stop, Turn


async def play_turn(request: UserRequest, press: TurnPress) -> Redraw:
    table = await decide_turn(
        request.core,
        press.table_id,
        request.user_id,
        DECISION_OF[press.verb](press),
        version=press.version,
        interaction_id=request.interaction.id,
    )
    return Redraw(table)


async def pick_dice(request: UserRequest, press: TurnPress) -> Picked:
    """Show the picked dice, or ask whether the turn should really end with 0 or less. Picked dice are stored only in
    the buttons."""
    table = await get_table(request.core, press.table_id)
    check_turn(table, request.user_id, press.version)
    check_picked_dice(None if table.game is None else table.game.turn, press)
    if table.timing.asleep_until is not None:
        table = await wake_table(request.core, press.table_id, request.person)
    return Picked(table, press.dice, asking=press.verb is Verb.ASK)


async def show_hint(request: UserRequest, press: TurnPress) -> Private:
    async with request.one_at_a_time():
        table, advice = await give_hint(
            request.core, press.table_id, request.user_id, press.version, interaction_id=request.interaction.id
        )
    await wake_by_press(request, table)
    return Private(render_hint(require_game(table), advice, partial(turn_press, table)), instead_of=table.id)


DECISION_OF: Mapping[Verb, Callable[[DicePress], Decision]] = {
    Verb.TAKE: lambda _press: TakeDice(),
    Verb.STOP: lambda _press: Stop(),
    Verb.ROLL: lambda press: Roll(press.dice),
    Verb.SET_ASIDE: lambda press: SetAside(press.dice),
}


def check_picked_dice(turn: Turn | None, press: DicePress) -> None:
    """Raise Refused if a die in the press cannot be picked, or if no turn is running."""
    if turn is None or not set(press.dice) <= set(turn.free):
        raise Refused(_("That die cannot be picked now."))
