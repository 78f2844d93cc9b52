"""The pace of a table, the times at which something happens by itself, and the news of what has happened."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum

from highscore.turn_order import TurnOrder


@dataclass(frozen=True, slots=True)
class Timing:
    """The times of one table, as aware UTC. None stands for a time that is not planned."""

    deadline: datetime | None = None
    """When the lobby closes or, during the game, when the time for the turn is up. In open order it is the time for the
    round, in own pace for the game."""
    hold_deadline: datetime | None = None
    """In open order: when the player who has the dice runs out of time."""
    seats_reserved_until: datetime | None = None
    """When reserved seats of invited people become free. None at a rematch, where seats are reserved until the game
    starts."""
    remind_at: datetime | None = None
    """When to remind the people whom the game is waiting for. None after the reminder, and if there is no reminder."""
    reminded: bool = False
    """True after the reminder. Each turn has one reminder; in open order each round has one, in own pace the game."""
    early_end_at: datetime | None = None
    """In own pace: from this time on, players who are done may end the game without players who have not begun."""
    house_plays_at: datetime | None = None
    paused_at: datetime | None = None
    """When the clock was stopped because the bot may not post. The clock continues when a message can be sent again."""
    retry_at: datetime | None = None
    """When to check again whether the bot may post."""
    pause_warnings: int = 0
    """The number of warnings sent to the host: the first says that the game is paused, the second that it will be
    closed."""
    asleep_until: datetime | None = None
    """When a sleeping table is closed, unless a player presses a button before. None if the table is not asleep."""
    turns_at_last_press: tuple[int, ...] = ()
    """For each seat, the number of finished turns in the game when its player last pressed a button. Seats beyond the
    end have 0."""
    cancel_asked_at_version: int = 0
    """The table's version when the host last asked to cancel. Buttons of older versions answer an earlier request."""

    @property
    def cannot_post(self) -> bool:
        return self.paused_at is not None

    @property
    def deadlines(self) -> tuple[datetime, ...]:
        """The times at which a person's time is up. A deadline that passes during an outage is postponed."""
        times = self.deadline, self.hold_deadline, self.seats_reserved_until
        return tuple(each for each in times if each is not None)

    @property
    def wake_at(self) -> datetime | None:
        if self.paused_at is not None:
            return self.retry_at
        times = *self.deadlines, self.remind_at, self.house_plays_at, self.asleep_until
        return min((each for each in times if each is not None), default=None)


NO_TIMING = Timing()


class NewsKind(Enum):
    """A kind of news, usually about the player of a seat."""

    LEFT = "left"
    KICKED = "kicked"
    GONE = "gone"
    """The player is no longer a member of the server."""
    BACK = "back"
    SKIPPED = "skipped"
    """The host or a moderator skipped the player's turn, so the house played it."""
    PLAYED = "played"
    """The house played the turn, because the player's time was up."""
    NEW_HOST = "new host"
    CHANGED = "changed"
    """The host changed pace or turn order in the lobby while somebody else had a seat."""
    ENDED = "ended"
    """The player ended the game early, without the players who had not begun. Shown with the standings."""
    CANCELLED = "cancelled"
    CANCELLED_BY_MODERATOR = "cancelled by a moderator"
    """A moderator cancelled the game. ``News.detail`` names the moderator, who need not have a seat."""
    RESUMED = "resumed"
    """The bot may post again, and the clock continues. This news is about no player: ``News.seat`` is 0."""
    RECORD = "record"
    """The player's result is better than any earlier one on this card on the server."""
    RARE = "rare"
    BADGE = "badge"
    COMEBACK = "comeback"
    LAST_ROLL = "last roll"
    """The player won with the last roll of the game."""
    FIRST_WIN = "first win"
    """The player won for the first time on the server. Unrated games count as well."""


@dataclass(frozen=True, slots=True)
class News:
    kind: NewsKind
    seat: int
    round: int | None = None
    """The round (1 to 7) of a record or a rare turn, or in which a player left; otherwise None."""
    detail: str = ""
    """The badge; the points and rounds of a comeback; what is rare about a turn; or the moderator."""
    at: int = field(default=0, compare=False)
    """When it happened, in seconds since 1970."""

    @property
    def stays(self) -> bool:
        """True if the table keeps the news until the end. Other news is dropped with the screen that shows it."""
        return self.round is not None or self.kind is NewsKind.ENDED


class Pace(Enum):
    LIVE = "live"
    DAY = "day"
    """By default, a game in own pace ends within a day."""
    RELAXED = "relaxed"
    """By default, players have a day for each turn, or in open order for each round."""

    @property
    def usual_order(self) -> TurnOrder:
        """The turn order that fits the pace: docs/async.md says why."""
        return {Pace.LIVE: TurnOrder.CLOCKWISE, Pace.DAY: TurnOrder.OWN_PACE, Pace.RELAXED: TurnOrder.OPEN}[self]


@dataclass(frozen=True, slots=True)
class PaceTimes:
    """The time limits of one pace, in seconds: ``turn`` in rulebook order, ``round`` and ``hold`` (see
    ``Options.hold_seconds``) in open order, and ``game`` in own pace."""

    turn: int
    round: int
    hold: int
    game: int

    def allowed(self, order: TurnOrder) -> int:
        """Return the seconds for a turn, for a round in open order, or for the game in own pace."""
        return {TurnOrder.CLOCKWISE: self.turn, TurnOrder.OPEN: self.round, TurnOrder.OWN_PACE: self.game}[order]
