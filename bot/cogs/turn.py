"""The buttons of a turn: its decisions, picking dice for them, and a hint."""

from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

from bot.cogs.answers import Picked, Private, Redraw, Result
from bot.cogs.common import person_of
from bot.cogs.context import Context
from bot.cogs.redraw import wake_by_press
from bot.discord_api.replies import AnswerKind, Interaction
from bot.domain.errors import Refused
from bot.locales import _
from bot.services.away import wake_table
from bot.services.coaching import give_hint
from bot.services.core import get_table
from bot.services.turn import check_turn, decide_turn
from bot.ui.buttons import Action, Press, TurnPress, Verb, table_press
from bot.ui.coaching import render_hint
from bot.ui.turn import require_game
from highscore.events import Decision, TakeDice
from highscore.turn import Roll, SetAside, Stop, Turn

A = TypeVar("A", bound=Action)
Handler = Callable[[Context, Interaction, A], Awaitable[Result]]


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


@dataclass(frozen=True, slots=True)
class Route(Generic[A]):
    """The class, the handler and the kind of answer of a prefix's buttons."""

    action: type[A]
    handler: Handler[A]
    kind: AnswerKind = AnswerKind.UPDATE


DECISIONS: Mapping[Verb, Callable[[TurnPress], Decision]] = {
    Verb.TAKE: lambda _press: TakeDice(),
    Verb.STOP: lambda _press: Stop(),
    Verb.ROLL: lambda press: Roll(press.positions),
    Verb.SET_ASIDE: lambda press: SetAside(press.positions),
}


def decision_of(press: TurnPress) -> Decision:
    """Return the decision that a button stands for."""
    return DECISIONS[press.verb](press)


def check_picked_dice(turn: Turn | None, press: TurnPress) -> None:
    """Raise Refused unless the dice of a press can be picked in a turn."""
    if turn is None or not set(press.positions) <= set(turn.free):
        raise Refused(_("That die cannot be picked now."))


def make_turn_routes(
    kind: str,
    action: type[A],
    *,
    play: Handler[A],
    pick: Handler[A],
    explain: Handler[A],
    without: Collection[Verb] = (),
) -> Mapping[str, Route[A]]:
    """Make the routes of one kind of turn, except for the verbs that it is ``without``.

    ``play`` handles decisions; ``pick`` picked dice and the question before a keep of nothing, both of which only the
    message knows; ``explain`` the card.
    """
    handlers = {**dict.fromkeys(DECISIONS, play), **dict.fromkeys((Verb.TOGGLE, Verb.ASK), pick), Verb.CARD: explain}
    return {f"{kind}:{verb.value}": Route(action, handler) for verb, handler in handlers.items() if verb not in without}
