"""The screens of a game, by number: what the table's message shows. One is for each turn, for the record of each round,
and for the end.

Turns that need no message of their own share a message. The record of a round stays in the channel, on the message that
showed the round's last turn. Also the other messages about a game.
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
    """A screen that shows a turn; in own pace the progress of all seats."""

    round: int
    """The number of the round, from 0 on."""
    turn: int
    """The number of the turn in the whole game, from 0 on."""


@dataclass(frozen=True, slots=True)
class RecordScreen:
    """A screen that shows the record of a round; in own pace the one record of the game."""

    round: int


def screen_of(game: Game) -> int:
    """Return the number of the screen of a game that has been opened."""
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
    """Return the number of the screen of a round's record, which follows the turns of the round."""
    return _first_of_round(game, number) + _turns_a_round(game)


def records_after(game: Game, screen: int) -> Sequence[int]:
    """Return the screens of records after a screen: one for each round that is over, in own pace one for the game."""
    over = len(game.finished) if game.turn_order.shared else int(game.over)
    return [record for record in (record_of(game, number) for number in range(over)) if record > screen]


def _first_of_round(game: Game, number: int) -> int:
    return FIRST_TURN + number * (_turns_a_round(game) + 1)


def _turns_a_round(game: Game) -> int:
    """Return the number of screens with turns in a round: in own pace one screen shows the whole game."""
    return game.players if game.turn_order.shared else 1


@dataclass(frozen=True, slots=True)
class OldMessage:
    """A message to be deleted: it shows an earlier screen, or calls somebody to a turn that is over."""

    message_id: int
    channel_id: int
    game_id: str
    due_at: datetime | None = None
    """The moment from which the message may be deleted; None while it calls somebody who has not acted since."""
    delete_until: datetime | None = None
    """The end of a process's lease on deleting the message."""


class Shared(Enum):
    """A message apart from the table's own whose picture or words have names."""

    STANDINGS = "final"
    REPORT = "report"
    THREAD = "thread"
    """The lobby of a table in a thread, shown in the channel of the thread, too."""
