"""The screens of a game: what the table's message shows. They are numbered in the order in which they are shown.

The lobby, the opening, each turn, the record of each round, and the end are one screen each. Turns that ping nobody
share a message. The record of a round replaces the round's last turn in its message, and stays in the channel.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from highscore.deck import ROUNDS
from highscore.game import Game

LOBBY, OPENING, FIRST_TURN = range(3)


@dataclass(frozen=True, slots=True)
class TurnScreen:
    """A screen that shows a turn; in own pace, the progress of all seats."""

    round: int
    """Counted from 0."""
    turn: int
    """The number of the turn in the whole game, counted from 0."""


@dataclass(frozen=True, slots=True)
class RecordScreen:
    """A screen that shows the record of a round; in own pace, the only record of the game."""

    round: int
    """Counted from 0."""


def screen_of(game: Game) -> int:
    """Return the number of the current screen of a game whose opening is in the channel."""
    if game.over:
        return _first_of_round(game, ROUNDS if game.turn_order.shared else 1)
    if not game.turn_order.shared:
        return FIRST_TURN
    return _first_of_round(game, len(game.finished)) + len(game.played)


def read_screen(game: Game, screen: int) -> TurnScreen | RecordScreen | None:
    """Return the turn or record that a screen shows; None for the lobby, the opening and the end.

    >>> from highscore.turn_order import TurnOrder
    >>> read_screen(Game(2, TurnOrder.CLOCKWISE), FIRST_TURN + 2), read_screen(Game(2, TurnOrder.CLOCKWISE), OPENING)
    (RecordScreen(round=0), None)
    """
    turns = _turns_a_round(game)
    number, at = divmod(screen - FIRST_TURN, turns + 1)
    if screen < FIRST_TURN or number >= (ROUNDS if game.turn_order.shared else 1):
        return None
    return RecordScreen(number) if at == turns else TurnScreen(number, number * turns + at)


def record_of(game: Game, number: int) -> int:
    """Return the screen with the record of round ``number``, counted from 0."""
    return _first_of_round(game, number) + _turns_a_round(game)


def records_after(game: Game, screen: int) -> Sequence[int]:
    """Return the screens after ``screen`` that are records of finished rounds.

    In own pace only a finished game has a record, one for all rounds.
    """
    over = len(game.finished) if game.turn_order.shared else int(game.over)
    return [record for record in (record_of(game, number) for number in range(over)) if record > screen]


def _first_of_round(game: Game, number: int) -> int:
    return FIRST_TURN + number * (_turns_a_round(game) + 1)


def _turns_a_round(game: Game) -> int:
    """Return how many screens of a round show turns. In own pace one screen shows the whole game."""
    return game.players if game.turn_order.shared else 1


@dataclass(frozen=True, slots=True)
class OldMessage:
    """A message to delete, because a newer one has replaced it, or because it pings somebody for a turn that is
    over."""

    message_id: int
    channel_id: int
    game_id: str
    due_at: datetime | None = None
    """When to delete the message. None while it pings somebody who has not acted since."""
    delete_until: datetime | None = None
    """The end of a process's lease on deleting the message."""


class Shared(Enum):
    """The kinds of messages about a table that are outside of the table's own sequence."""

    STANDINGS = "final"
    REPORT = "report"
    THREAD = "thread"
    """A copy, in the parent channel, of the lobby of a table in a thread."""
    DARES = "dares"
