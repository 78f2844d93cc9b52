"""The buttons of a turn: the same at a table, on a private page, in the lesson and where a decision is tried again."""

from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from bot.cogs.answers import Result
from bot.cogs.context import Context
from bot.discord_api.replies import AnswerKind, Interaction
from bot.ui.actions import Action
from highscore.events import Decision, TakeDice
from highscore.turn import Roll, SetAside, Stop


class TurnAction(Protocol):
    """A press with a set of dice."""

    @property
    def positions(self) -> tuple[int, ...]:
        """The dice, as positions 0 to 6."""


A = TypeVar("A", bound=Action)
T = TypeVar("T", bound=TurnAction)
Handler = Callable[[Context, Interaction, T], Awaitable[Result]]


@dataclass(frozen=True, slots=True)
class Route(Generic[A]):
    """What is done with the buttons of a prefix."""

    codec: type[A]
    handler: Callable[[Context, Interaction, A], Awaitable[Result]]
    kind: AnswerKind = AnswerKind.UPDATE


DECISIONS: Mapping[str, Callable[[TurnAction], Decision]] = {
    "take": lambda _press: TakeDice(),
    "stop": lambda _press: Stop(),
    "roll": lambda press: Roll(press.positions),
    "set": lambda press: SetAside(press.positions),
}
"""The decision that a button stands for, by its verb."""


def turn_routes(
    kind: str,
    codec: type[Any],
    *,
    plays: Callable[[Callable[[TurnAction], Decision]], Handler[Any]],
    picks: Handler[Any],
    explains: Handler[Any],
    without: Collection[str] = (),
) -> Mapping[str, Route[Any]]:
    """The routes of one kind of turn, except for the verbs that it is ``without``.

    ``plays`` makes the handler of a decision; ``picks`` handles dice that are picked and the question before a keep of
    nothing, both of which only the message knows; ``explains`` handles the card.
    """
    handlers = {
        **{verb: plays(decision) for verb, decision in DECISIONS.items()},
        **dict.fromkeys(("die", "ask"), picks),
        "card": explains,
    }
    return {f"{kind}:{verb}": Route(codec, handler) for verb, handler in handlers.items() if verb not in without}
