"""When something has to happen at a table by itself."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum


@dataclass(frozen=True, slots=True)
class LastPress:
    """A press of somebody at a table."""

    at: int
    """When: seconds since 1970."""
    over: int
    """How many turns of the game were over; in own pace how many rounds were complete."""


class PauseReason(Enum):
    """The reason why a table's clock stands still: it says who ends the pause."""

    CANNOT_POST = "cannot post"
    """The bot lacks a permission. Delivery ends the pause as soon as a message arrives; the host is warned."""


@dataclass(frozen=True, slots=True)
class Timing:
    """The moments of one table, aware UTC; None for what is not due."""

    deadline: datetime | None = None
    """When the lobby closes, the turn is played by the house, or (open order) the round."""
    hold_deadline: datetime | None = None
    """In open order: when whoever holds the dice has held them long enough."""
    kept_until: datetime | None = None
    """In the lobby: until when seats are kept for those who are invited. None at a rematch, whose seats are reserved
    until the game starts."""
    remind_at: datetime | None = None
    """When those who have not played are reminded; None when they were, or are not to be."""
    reminded: bool = False
    """Whether they were: once a turn, in open order once a round, in own pace once a game."""
    early_at: datetime | None = None
    """In own pace, some hours after that reminder: from when on those who are done may end the game without those who
    have not begun. Nothing happens then by itself."""
    house_at: datetime | None = None
    """When the house plays its next decision."""
    paused_at: datetime | None = None
    """The moment since which the clock stands still."""
    pause_reason: PauseReason = PauseReason.CANNOT_POST
    """While paused: the reason."""
    retry_at: datetime | None = None
    """While the bot cannot post: the moment to look again whether it can."""
    warnings: int = 0
    """While the bot cannot post: the warnings of the host so far. 1: the game stands still; 2: it will be closed."""
    asleep_until: datetime | None = None
    """While nobody waits for a turn: when the table is closed unless a player presses something."""
    pressed: tuple[int, ...] = ()
    """For each seat, how many turns of the game were over when its player last pressed anything at this table; a
    missing one is 0."""
    last_presses: tuple[LastPress, ...] = ()
    """For each seat, the last press of its player that changed anything, or else the beginning of the game."""
    agrees_at: tuple[datetime | None, ...] = ()
    """For each seat, from when on its player counts as agreeing to cancel the game: called to answer, and silent."""
    silence_at: datetime | None = None
    """When the clock looks again at that silence: if it comes later, the bot was down, and that does not count."""
    asked: int = 0
    """The version with which the host asked for that last: an older page asked something else."""

    @property
    def cannot_post(self) -> bool:
        """True while the table is paused because the bot may not post."""
        return self.paused_at is not None and self.pause_reason is PauseReason.CANNOT_POST

    @property
    def limits(self) -> tuple[datetime, ...]:
        """The moments that put an end to somebody's time; one that comes during an outage is put off."""
        moments = self.deadline, self.hold_deadline, self.kept_until
        return tuple(moment for moment in moments if moment is not None)

    @property
    def wake_at(self) -> datetime | None:
        if self.paused_at is not None:
            return self.retry_at
        moments = self.remind_at, self.house_at, self.asleep_until, self.silence_at, *self.agrees_at
        return min((*self.limits, *(moment for moment in moments if moment is not None)), default=None)


NO_TIMING = Timing()
"""Nothing is due."""


class NewsKind(Enum):
    """What happened to a seat that the others should know."""

    LEFT = "left"
    KICKED = "kicked"
    GONE = "gone"
    """No longer a member of the server."""
    KEPT = "kept"
    """Missed two turns in a row: the house has played this one, and keeps the seat."""
    BACK = "back"
    SKIPPED = "skipped"
    PLAYED = "played"
    """Ran out of time; the house played the turn."""
    NEW_HOST = "new host"
    CHANGED = "changed"
    """Has changed pace or turn order in the lobby."""
    ENDED = "ended"
    """Has ended the game without those who had not begun; told with the standings, before which the house may play."""
    CANCELLED = "cancelled"
    CANCELLED_BY_ALL = "cancelled by all"
    """Its host asked for that, and those who had a say agreed; the seat is the host's."""
    CANCELLED_BY_MODERATOR = "cancelled by a moderator"
    """By somebody who does not sit at the table; the seat says nothing."""
    RESUMED = "resumed"
    """The bot may post again, and the clock goes on; the seat says nothing."""
    RECORD = "record"
    """Has the best result ever on the card of the round that has just ended."""
    BADGE = "badge"
    """Has earned a badge."""
    COMEBACK = "comeback"
    """Has won after being far behind."""
    LAST_ROLL = "last roll"
    """Has won with the last roll of the game."""


@dataclass(frozen=True, slots=True)
class News:
    """One thing to tell at the table."""

    kind: NewsKind
    seat: int
    round: int | None = None
    """Of a record, and of who has gone for good: the round, which goes on telling of it; what else happened is told on
    one page."""
    detail: str = ""
    """Which badge; of a comeback the points, and after how many rounds; the moderator, as the log names people."""
    at: int = field(default=0, compare=False)
    """When it happened, in seconds since 1970."""

    @property
    def stays(self) -> bool:
        """Whether it is told on later pages, too: what belongs to a round, and how the game came to its end."""
        return self.round is not None or self.kind is NewsKind.ENDED
