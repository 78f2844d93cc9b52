"""The buttons of a turn: the same at a table, on a private page, in the lesson and where a decision is tried again."""

from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from bot.cogs.answers import Result
from bot.cogs.context import Context
from bot.discord_api.replies import AnswerKind, Interaction
from bot.domain.errors import Refused
from bot.locales import _
from bot.ui.actions import Action
from bot.ui.buttons import TurnPress, Verb
from highscore.events import Decision, TakeDice
from highscore.turn import Roll, SetAside, Stop, Turn

A = TypeVar("A", bound=Action)
Handler = Callable[[Context, Interaction, A], Awaitable[Result]]


@dataclass(frozen=True, slots=True)
class Route(Generic[A]):
    """The codec, the handler and the kind of answer of a prefix's buttons."""

    codec: type[A]
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
    codec: type[A],
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
    return {f"{kind}:{verb.value}": Route(codec, handler) for verb, handler in handlers.items() if verb not in without}
