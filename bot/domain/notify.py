"""Whom a table calls to their turn, and how a person wants to be told."""

from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from bot.domain.cancelling import seats_yet_to_answer, seats_yet_to_call
from bot.domain.deadlines import seats_waited_for
from bot.domain.pages import FIRST_TURN, OPENING
from bot.domain.table import Status, Table
from highscore.game import Game
from highscore.turn_order import TurnOrder


class Notify(Enum):
    """How a person wants to be told of their turn."""

    CHANNEL = "channel"
    DIRECT = "dm"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Wishes:
    """How a person wants to be called."""

    notify: Notify = Notify.CHANNEL
    invitations: bool = True
    """Whether to seats that are kept for them, too."""

    @property
    def invited(self) -> bool:
        return self.invitations and self.notify is not Notify.NONE


class CallKind(Enum):
    """How somebody is called."""

    PAGE = "page"
    """By the table's page, when it was sent."""
    MESSAGE = "message"
    """By a message of its own: a direct one, or after quiet hours."""
    REMINDER = "reminder"
    PLAYERS = "players"
    """By a message to a role, while there are seats free."""
    CANCEL = "cancel"
    """To say whether they agree that the game is cancelled; stands until they have."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call of somebody that is to be sent, or that stands until they have acted."""

    user_id: int
    """Who is called; of kind ``PLAYERS`` a role, whose ids are no user's."""
    game_id: str
    kind: str
    """A ``CallKind``."""
    span: int
    """What it is for, see ``Table.span``."""
    due_at: datetime
    sent_at: datetime | None = None
    send_until: datetime | None = None
    """Until when a process is sending it."""
    message_id: int | None = None
    """The message that calls, once it was sent."""


def users_called(table: Table) -> tuple[int, ...]:
    """The users whom the page that a table is on calls, once, when it is sent.

    When a game begins, everybody. Then in the rulebook's order whoever's turn it is, from the second turn on; in open
    order all when a round begins, and the last one who is left. When the game is over, everybody but the one whose
    press has ended it: in own pace that was done in private, so there everybody. Nobody who is away.
    """
    return tuple(user_id for user_id in _concerned(table) if not table.away(user_id))


def _concerned(table: Table) -> tuple[int, ...]:
    game = table.game
    if game is None:
        invited = table.invited if table.status is Status.LOBBY else ()
        return tuple(user_id for user_id in invited if user_id not in table.uncalled)
    if table.opening:
        return table.people if table.turn_order is TurnOrder.CLOCKWISE else ()
    if not table.turn_order.shared:
        return table.people
    if table.status is not Status.PLAYING:
        return _not_looking(table, game) if table.status is Status.FINISHED else ()
    if table.turn_order is TurnOrder.CLOCKWISE and table.page == FIRST_TURN:
        return ()
    if table.turn_order is TurnOrder.OPEN and game.played and len(game.to_play) > 1:
        return ()
    users = (table.seats[seat].user_id for seat in seats_waited_for(table))
    return tuple(user_id for user_id in users if user_id is not None)


def _not_looking(table: Table, game: Game) -> tuple[int, ...]:
    """The people who do not see the end of a game by themselves: all but who has played the last turn, also where
    house players, who wait for nothing, came after them."""
    last = next(turn for turn in reversed(game.finished[-1].turns) if table.seats[turn.seat].user_id is not None)
    return tuple(user for user in table.people if last.by_house or user != table.seats[last.seat].user_id)


def is_still_called(table: Table, call: Call) -> bool:
    """Whether a call that is to be sent is still true."""
    if call.kind == CallKind.PLAYERS.value:
        return table.status is Status.LOBBY and table.free_seats > 0
    at = table.seat_of(call.user_id)
    if table.away(call.user_id):
        return False
    if call.kind == CallKind.CANCEL.value:
        return at in seats_yet_to_answer(table)
    if at is None or table.game is None or not table.status.open:
        return call.user_id in users_called(table) and call.span == table.span
    if call.span == OPENING:
        return table.seats[at].present
    return at in seats_waited_for(table)


def calls_to_answer(before: Table, after: Table, now: datetime) -> tuple[Call, ...]:
    """The calls of those who have to say from now on whether they agree that the game is cancelled (R9.7)."""
    users = (after.seats[at].user_id for at in seats_yet_to_call(after) if at not in seats_yet_to_call(before))
    return tuple(Call(user, after.id, CallKind.CANCEL.value, after.span, now) for user in users if user is not None)


def does_page_call(table: Table) -> bool:
    """Whether a table's page itself calls people. Not to a lobby with invitations, which is the answer to a command,
    and such an answer notifies nobody."""
    return table.timing.kept_until is None


def continues_page(table: Table) -> bool:
    """Whether the message of the turn before shows the table's turn, too: in the same round, where nobody is called."""
    return table.status is Status.PLAYING and table.shows_round(table.page) and not users_called(table)
