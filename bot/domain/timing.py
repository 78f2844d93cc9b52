"""The moments at which something happens at a table by itself, and the news of what happened."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum


@dataclass(frozen=True, slots=True)
class Timing:
    """The moments of one table, aware UTC; None for a moment that will not come."""

    deadline: datetime | None = None
    """The moment at which the lobby closes, or the house plays the turn, in open order the round."""
    hold_deadline: datetime | None = None
    """The moment in open order at which a player has held the dice long enough."""
    kept_until: datetime | None = None
    """The moment until which the lobby keeps seats for invited people; None at a rematch, whose start ends that."""
    remind_at: datetime | None = None
    """The moment of the reminder of people who have not played; None after the reminder, and without one."""
    reminded: bool = False
    """True after the reminder: once a turn, in open order once a round, in own pace once a game."""
    early_at: datetime | None = None
    """The moment in own pace from which players who are done may end the game without players who have not begun."""
    house_at: datetime | None = None
    """The moment of the house's next decision."""
    paused_at: datetime | None = None
    """The moment since which the clock stands still because the bot may not post. Delivery ends that with a message."""
    retry_at: datetime | None = None
    """The moment of the next look whether the bot can post again."""
    warnings: int = 0
    """The warnings to the host while the bot cannot post. 1: the game stands still; 2: it will be closed."""
    asleep_until: datetime | None = None
    """The moment at which a table that nobody plays at is closed, unless a player presses something."""
    pressed: tuple[int, ...] = ()
    """For each seat, the number of turns that were over at the last press of its player at this table; 0 if missing."""
    asked: int = 0
    """The version with which the host last asked to cancel: an older page asked for another request."""

    @property
    def cannot_post(self) -> bool:
        """True while the table is paused because the bot may not post."""
        return self.paused_at is not None

    @property
    def limits(self) -> tuple[datetime, ...]:
        """The moments at which somebody's time ends. A limit that comes during an outage is postponed."""
        moments = self.deadline, self.hold_deadline, self.kept_until
        return tuple(moment for moment in moments if moment is not None)

    @property
    def wake_at(self) -> datetime | None:
        if self.paused_at is not None:
            return self.retry_at
        moments = self.remind_at, self.house_at, self.asleep_until
        return min((*self.limits, *(moment for moment in moments if moment is not None)), default=None)


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
    """Has ended a turn in a rare way."""
    BADGE = "badge"
    """Has earned a badge."""
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
    """The round of a record, a rare turn, or who has gone: all its pages show the news. Other news is on one page."""
    detail: str = ""
    """The badge; points and rounds of a comeback; what is rare about a turn; the moderator, as the log names people."""
    at: int = field(default=0, compare=False)
    """The moment of the news, in seconds since 1970."""

    @property
    def stays(self) -> bool:
        """True if later pages show the news, too: news of a round, and the end of the game."""
        return self.round is not None or self.kind is NewsKind.ENDED
