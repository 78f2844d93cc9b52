"""Whom a table pings, what these people want, and how often they may be pinged. A *call* is a ping."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum

from bot.domain.cancelling import seats_to_call, seats_yet_to_answer
from bot.domain.deadlines import seats_waited_for
from bot.domain.screens import FIRST_TURN, OPENING
from bot.domain.table import Status, Table
from highscore.game import Game
from highscore.turn_order import TurnOrder


class Notify(Enum):
    CHANNEL = "channel"
    DIRECT = "dm"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Wishes:
    notify: Notify = Notify.CHANNEL
    invitations: bool = True
    """True if the person also wants to be pinged when somebody reserves a seat for them."""

    @property
    def invited(self) -> bool:
        return self.invitations and self.notify is not Notify.NONE


class CallKind(Enum):
    SCREEN = "screen"
    """The table's screen mentions the user when it is sent."""
    MESSAGE = "message"
    """A separate message mentions the user: a direct one, one after quiet hours, or one for a reserved seat."""
    REMINDER = "reminder"
    PLAYERS = "players"
    """A message mentions the server's player role, because seats are free."""
    CANCEL = "cancel"
    """A message asks a player whether they agree to cancel the game (R9.7)."""


@dataclass(frozen=True, slots=True)
class Call:
    """A ping that still has to be sent, or whose message stays in the channel until the person has acted."""

    user_id: int
    """The id of the user, or of the role if the kind is ``PLAYERS``. Discord's ids of users and roles never collide."""
    game_id: str
    kind: str
    """The value of a ``CallKind``."""
    deadline_scope: int
    """The turn, round or game to which the user is called (``Table.deadline_scope``)."""
    due_at: datetime
    sent_at: datetime | None = None
    send_until: datetime | None = None
    """The end of a process's lease on sending the call."""
    message_id: int | None = None


def users_called(table: Table) -> tuple[int, ...]:
    """Return the users whom the table's current screen pings when it is sent. People who are away are left out.

    - A lobby pings the people it invites.
    - In rulebook order, the opening pings everybody, and each turn from the second on pings its player.
    - In open order, the start of a round pings everybody, and later the last player who has not played is pinged.
    - In own pace, all screens after the opening ping everybody.
    - The end of a game pings everybody. With shared dice, it leaves out the last person to play, who has seen the end,
      unless the house played that turn for them.
    - The end of a cancelled game pings nobody.
    """
    return tuple(user_id for user_id in _users_concerned(table) if not table.is_away(user_id))


def _users_concerned(table: Table) -> tuple[int, ...]:
    game = table.game
    if game is None:
        invited = table.invited if table.status is Status.LOBBY else ()
        return tuple(user_id for user_id in invited if user_id not in table.uncalled)
    if table.awaits_opening:
        return table.people if table.turn_order.in_seat_order else ()
    if table.status is Status.ABANDONED:
        return ()
    if not table.turn_order.shared:
        return table.people
    if table.status is Status.FINISHED:
        return _not_looking(table, game)
    if table.turn_order.in_seat_order and table.screen == FIRST_TURN:
        return ()
    if table.turn_order is TurnOrder.OPEN and game.played and len(game.to_play) > 1:
        return ()
    users = (table.seats[seat].user_id for seat in seats_waited_for(table))
    return tuple(user_id for user_id in users if user_id is not None)


def _not_looking(table: Table, game: Game) -> tuple[int, ...]:
    """Return the people who may not have seen the end of a game.

    The last person to play has seen it, unless the house played that turn for them.
    """
    last = next(turn for turn in reversed(game.finished[-1].turns) if table.seats[turn.seat].user_id is not None)
    return tuple(user for user in table.people if last.by_house or user != table.seats[last.seat].user_id)


def is_still_called(table: Table, call: Call) -> bool:
    """Return whether a call is still needed: the person (or for a role, anybody) has not acted on it, and is not
    away."""
    if call.kind == CallKind.PLAYERS.value:
        return table.status is Status.LOBBY and table.free_seats > 0
    at = table.seat_of(call.user_id)
    if table.is_away(call.user_id):
        return False
    if call.kind == CallKind.CANCEL.value:
        return at in seats_yet_to_answer(table)
    if at is None or table.game is None or not table.status.open:
        return call.user_id in users_called(table) and call.deadline_scope == table.deadline_scope
    if call.deadline_scope == OPENING:
        return table.seats[at].present
    return at in seats_waited_for(table)


def calls_to_answer(before: Table, after: Table, now: datetime) -> tuple[Call, ...]:
    """Return the calls of the users who, after this change, have to say whether they agree to cancel the game
    (R9.7)."""
    users = (after.seats[at].user_id for at in seats_to_call(after) if at not in seats_to_call(before))
    return tuple(
        Call(user, after.id, CallKind.CANCEL.value, after.deadline_scope, now) for user in users if user is not None
    )


def calls_to_seats(before: Table, after: Table, now: datetime) -> tuple[Call, ...]:
    """Return the calls of the users for whom this change of a lobby reserves a seat. They get a separate message,
    because an edit of the lobby pings nobody."""
    users = () if after.game is not None else (one for one in users_called(after) if one not in before.invited)
    return tuple(Call(user, after.id, CallKind.MESSAGE.value, after.deadline_scope, now) for user in users)


def does_screen_call(table: Table) -> bool:
    """Return whether the screen of a table pings people itself.

    A lobby with invitations does not, because it is shown by the answer to a command or by an edit, and these ping
    nobody.
    """
    return table.timing.seats_reserved_until is None


def continues_message(table: Table) -> bool:
    """Return whether the live message, which shows an earlier turn, can also show the current screen.

    It can if both are in the same round and the current screen pings nobody.
    """
    return table.status is Status.PLAYING and table.shows_round(table.screen) and not users_called(table)


DAY = timedelta(days=1)
JUST_PLAYED = timedelta(minutes=30)
"""A player whose last move at a table is no longer ago than this may be pinged for its rematch beyond the limits."""

Limits = tuple[tuple[int, timedelta], ...]
"""Pairs of a number and a time: at most this number of calls within this time."""
BY_ALL: Limits = ((6, DAY),)
BY_ONE: Limits = ((1, timedelta(hours=6)), (3, DAY))
OF_ROLE: Limits = (*BY_ALL, (1, timedelta(hours=1)))
"""The limits for pings of a server's role, by all users together."""
AT_REMATCH: Limits = ((1, DAY),)
"""The limits for pings of people who have just played, to the rematch of one table, in addition to the others."""


def next_call_at(calls: Sequence[datetime], limits: Limits, now: datetime) -> datetime:
    """Return when the next call may be made. ``calls`` are the times of the earlier ones, oldest first.

    >>> next_call_at([datetime(2026, 6, 1, 8)], BY_ONE, datetime(2026, 6, 1, 9))
    datetime.datetime(2026, 6, 1, 14, 0)
    """
    return max([now, *(calls[-most] + time for most, time in limits if len(calls) >= most)])
