"""The pace of a table, the times at which something happens at it by itself, and the news of what happened."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum

from highscore.turn_order import TurnOrder


@dataclass(frozen=True, slots=True)
class Timing:
    """The times of one table, aware UTC; None for what will not happen."""

    deadline: datetime | None = None
    """When the lobby closes, or the house plays for the people who are late: this turn, or in open order this round."""
    hold_deadline: datetime | None = None
    """When, in open order, the player who holds the dice runs out of time."""
    seats_reserved_until: datetime | None = None
    """The end of seat reservations for invited people; None at a rematch, which reserves them until it starts."""
    remind_at: datetime | None = None
    """When people who have not played are reminded; None after the reminder, and without one."""
    reminded: bool = False
    """True after the reminder: one per turn, in open order one per round, in own pace one per game."""
    early_end_at: datetime | None = None
    """From when, in own pace, players who are done may end the game without players who have not begun."""
    house_plays_at: datetime | None = None
    """When the house makes its next decision."""
    paused_at: datetime | None = None
    """When the clock was stopped because the bot may not post. It goes on after the next message that can be sent."""
    retry_at: datetime | None = None
    """When to check again whether the bot may post."""
    pause_warnings: int = 0
    """The warnings the host got while the bot cannot post. 1: the game is paused; 2: it will be closed."""
    asleep_until: datetime | None = None
    """When a sleeping table is closed, unless a player presses something before; None if it does not sleep."""
    turns_at_last_press: tuple[int, ...] = ()
    """For each seat, how many turns of the game were over when its player last pressed a button; 0 if missing."""
    cancel_asked_at_version: int = 0
    """The table's version when the host last asked to cancel. Buttons of older versions answer an earlier request."""

    @property
    def cannot_post(self) -> bool:
        """True while the table is paused because the bot may not post."""
        return self.paused_at is not None

    @property
    def deadlines(self) -> tuple[datetime, ...]:
        """When somebody's time ends. A deadline that passes during an outage is postponed."""
        times = self.deadline, self.hold_deadline, self.seats_reserved_until
        return tuple(each for each in times if each is not None)

    @property
    def wake_at(self) -> datetime | None:
        if self.paused_at is not None:
            return self.retry_at
        times = self.remind_at, self.house_plays_at, self.asleep_until
        return min((*self.deadlines, *(each for each in times if each is not None)), default=None)


NO_TIMING = Timing()


class NewsKind(Enum):
    """A kind of news of a seat. The docstrings go on after the name of the seat's player."""

    LEFT = "left"
    KICKED = "kicked"
    GONE = "gone"
    """Is no longer a member of the server."""
    BACK = "back"
    SKIPPED = "skipped"
    PLAYED = "played"
    """Has run out of time; the house played the turn."""
    NEW_HOST = "new host"
    CHANGED = "changed"
    """Has changed pace or turn order in the lobby, at which somebody else sat; the lobby marks it."""
    ENDED = "ended"
    """Has ended the game without players who had not begun; shown with the standings, which may come later."""
    CANCELLED = "cancelled"
    CANCELLED_BY_MODERATOR = "cancelled by a moderator"
    """A moderator has cancelled the game; the seat says nothing."""
    RESUMED = "resumed"
    """The bot may post again, and the clock goes on; the seat says nothing."""
    RECORD = "record"
    """Has the best result ever on the card of the round that has just ended."""
    RARE = "rare"
    BADGE = "badge"
    COMEBACK = "comeback"
    """Has won after being far behind."""
    LAST_ROLL = "last roll"
    """Has won with the last roll of the game."""
    FIRST_WIN = "first win"
    """Has won for the first time on the server, rated or not."""


@dataclass(frozen=True, slots=True)
class News:
    """An item of news that the table shows."""

    kind: NewsKind
    seat: int
    round: int | None = None
    """The round of a record, a rare turn, or who has gone: all its screens show it. Other news is on one screen."""
    detail: str = ""
    """The badge; points and rounds of a comeback; what is rare about a turn; the moderator, as the log names people."""
    at: int = field(default=0, compare=False)
    """When it happened, in seconds since 1970."""

    @property
    def stays(self) -> bool:
        """True if later screens show the news, too: news of a round, and the end of the game."""
        return self.round is not None or self.kind is NewsKind.ENDED


class Pace(Enum):
    LIVE = "live"
    """Everybody is there."""
    DAY = "day"
    """The game ends within a day."""
    RELAXED = "relaxed"
    """A day for every turn."""

    @property
    def usual_order(self) -> TurnOrder:
        """The turn order that fits the pace: docs/async.md says why."""
        return {Pace.LIVE: TurnOrder.CLOCKWISE, Pace.DAY: TurnOrder.OWN_PACE, Pace.RELAXED: TurnOrder.OPEN}[self]


@dataclass(frozen=True, slots=True)
class PaceTimes:
    """The seconds of one pace: for a turn in rulebook order, for a round and for holding the dice in open order, for
    the game in own pace."""

    turn: int
    round: int
    hold: int
    game: int

    def allowed(self, order: TurnOrder) -> int:
        """Return the time after which the house plays: of a turn, of a round in open order, or of the game."""
        return {TurnOrder.CLOCKWISE: self.turn, TurnOrder.OPEN: self.round, TurnOrder.OWN_PACE: self.game}[order]
