"""The pages of a game, by number: a turn each, after the turns of a round its record, and one for the end.

Turns that need no message of their own share one. The record of a round stays in the channel; its message shows the
round's last turn before.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from highscore.deck import ROUNDS
from highscore.game import Game

LOBBY, OPENING, FIRST_TURN = range(3)
"""Pages before and after which there is a game; the lobby is page 0."""


@dataclass(frozen=True, slots=True)
class OldMessage:
    """A message that is to be deleted: a page that others have followed, a reminder of what is over."""

    message_id: int
    channel_id: int
    game_id: str
    due_at: datetime | None = None
    """Since when; None while somebody is called by it who has not acted since."""
    delete_until: datetime | None = None
    """Until when a process is deleting it."""


def page_of(game: Game) -> int:
    """The page of a game that has been opened. In own pace one page shows everybody's progress."""
    if game.over:
        return _end(game)
    return FIRST_TURN + (len(game.finished) * _pages(game) + len(game.played) if game.turn_order.shared else 0)


def round_of(game: Game, page: int) -> int | None:
    """The round, from 0 on, that a page shows, its record too; None for the other pages. Own pace has one for all."""
    return (page - FIRST_TURN) // _pages(game) if FIRST_TURN <= page < _end(game) else None


def record_of(game: Game, number: int) -> int:
    return FIRST_TURN + (number + 1) * _pages(game) - 1


def turn_of(game: Game, page: int) -> int:
    """Which turn of the game, counted from 0, a page shows."""
    return page - FIRST_TURN - (page - FIRST_TURN) // _pages(game)


def is_record(game: Game, page: int) -> bool:
    number = round_of(game, page)
    return number is not None and page == record_of(game, number)


def records_after(game: Game, page: int) -> Sequence[int]:
    """The records that follow a page: of rounds that are over, in own pace of the game."""
    over = len(game.finished) if game.turn_order.shared else int(game.over)
    return [record for record in (record_of(game, number) for number in range(over)) if record > page]


def _pages(game: Game) -> int:
    """The pages of a round: its turns and its record."""
    return (game.players if game.turn_order.shared else 1) + 1


def _end(game: Game) -> int:
    return FIRST_TURN + (ROUNDS if game.turn_order.shared else 1) * _pages(game)
