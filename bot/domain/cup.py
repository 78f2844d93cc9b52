"""A cup as it is stored: its settings, its entrants, where it is, and what is posted about it (R9.8)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from enum import Enum, IntEnum
from typing import Any

from bot.domain.calendar import day_of, moment_at
from bot.domain.challenge import Challenge
from bot.domain.cup_leg import Contest, Format, Leg, Line, list_remaining, make_table
from bot.domain.server_settings import ServerSettings
from highscore.deck import Deck
from highscore.fairness import Source

FEWEST = {Format.KNOCKOUT: 4, Format.LEAGUE: 3}
"""The entrants without whom a cup does not begin."""
MOST_ENTRANTS = range(4, 129)
"""The numbers of entrants to which a cup can be limited."""
LEG_DAYS = range(1, 4)
USUAL_LEGS = 7
USUAL_DAYS = {Format.KNOCKOUT: 2, Format.LEAGUE: 1}
MOST_DAYS = 28
"""The most days that all legs of a cup have together."""
MOST_IN_CHANNEL, MOST_IN_SERVER = 1, 2
"""The most cups that run at the same time."""
LONGEST_NAME = 40
SHORTENED = timedelta(hours=6)
"""The time by which a leg that opens late may be shorter than its days; otherwise it ends a morning later."""
LATE = timedelta(hours=1)
"""The bot was down if it does something for a cup later than this after the moment when it was due."""
HELD = timedelta(days=3)
"""The time for which a cup waits until the post that starts it or a leg can be sent; after that it ends."""
PROLONGED = timedelta(hours=24)
"""The time by which a moderator can prolong a leg, once."""
REMIND_AT, REMIND_BEFORE = time(18), timedelta(hours=4)
"""The time of the reminder, on the evening before the end; or else how long before the end it comes."""
REMIND_LEAST = timedelta(hours=3)
"""The least time that a reminder leaves for the leg; one that would be sent later is not sent."""


class Status(Enum):
    ENTRY = "entry"
    """Everybody can enter."""
    STARTING = "starting"
    """Nobody can enter any more, and the post that starts the cup is still to be sent, or the first leg to be drawn."""
    PLAYING = "playing"
    OVER = "over"
    """The last leg is closed."""
    ENDED = "ended"
    """It ended early (``Ending``): nobody wins."""

    @property
    def running(self) -> bool:
        return self in (Status.ENTRY, Status.STARTING, Status.PLAYING)


class Ending(IntEnum):
    TOO_FEW = 0
    """Too few had entered, or are left before the first leg."""
    MODERATOR = 1
    NO_POST = 2
    """A post that it needs could not be sent."""


class CupPost(Enum):
    ENTRY = "entry"
    """The sign-up, which is drawn anew with every entry."""
    WAITS = "waits"
    """Too few have entered: the cup waits for a day."""
    START = "start"
    """The digest of the entrants and their names. The draws follow from this message's id, too."""
    LEG = "leg"
    """A leg, which begins when this is sent, and the results of the one before."""
    REMINDER = "reminder"
    """A mention of those who have not finished; ``argument`` is unused."""
    REMOVED = "removed"
    """A moderator has removed an entrant, whose number is the argument."""
    PROLONGED = "prolonged"
    ENDED = "ended"
    """The cup is over without a winner. The argument is an ``Ending``."""
    OVER = "over"
    """The last leg's results, and who has won."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """Somebody who has entered. Their number is their place in ``Cup.entrants``."""

    user_id: int | None
    """None once their data is deleted."""
    name: str
    """The name as the server showed it when they entered; empty once their data is deleted."""
    left: int | None = None
    """The first leg that they do not play any more; 0 if they withdrew before the entries were closed, so that they
    are in no draw. None while they are there. Their number stays."""
    removed: bool = False
    """True if a moderator has removed them: they cannot enter again."""
    won: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Cup:
    id: str
    guild_id: int
    channel_id: int
    host_id: int
    """The user who has opened it; negative once their data is deleted."""
    name: str
    format: Format
    length: int
    """The legs of a league; of a knockout 0, as it follows from the entrants."""
    days: int
    most: int
    begins_at: datetime
    """The morning on which the first leg opens."""
    waited: bool = False
    """True if the beginning was put off once, as too few had entered."""
    status: Status = Status.ENTRY
    locale: str
    """The language of what everybody sees."""
    deck: Deck
    seed: bytes = field(repr=False)
    """The secret that the draws follow from, sealed at sign-up. It is revealed when the cup is over."""
    digest: str | None = None
    """The digest of the user ids of ``drawn`` in their order; None before the entries are closed."""
    opening: int | None = None
    """The id of the post that starts the cup."""
    leg: int = 0
    """The number of the present leg, or of the last one that was opened; 0 before the first."""
    finished_at: datetime | None = None
    """The moment at which it was over or ended."""
    wake_at: datetime | None = None
    """The moment of the clock's next look at it."""
    entrants: tuple[Entrant, ...] = ()

    @property
    def seal(self) -> str:
        return Source(self.seed, self.id).seal

    @property
    def contest(self) -> Contest:
        """The facts that the draws follow from. Raises ValueError before the start."""
        if self.digest is None or self.opening is None:
            raise ValueError("a cup that has not started has no draws")
        return Contest(self.id, self.format, self.drawn, self.seed, self.digest, self.opening, self.length)

    @property
    def drawn(self) -> tuple[int, ...]:
        """The numbers of the entrants, without those who withdrew before the entries were closed."""
        return tuple(number for number, each in enumerate(self.entrants) if each.left != 0)

    @property
    def gone(self) -> frozenset[int]:
        """The numbers of the entrants who have left."""
        return frozenset(number for number, each in enumerate(self.entrants) if each.left is not None)

    @property
    def there(self) -> tuple[int, ...]:
        """The numbers of the entrants who have not left, also of those who are out."""
        return tuple(number for number, each in enumerate(self.entrants) if each.left is None)

    @property
    def winners(self) -> tuple[int, ...]:
        """The numbers of those who have won; empty while it runs, and where nobody has."""
        return tuple(number for number, each in enumerate(self.entrants) if each.won)

    def with_entrant(self, number: int, **changes: Any) -> Cup:
        entrants = list(self.entrants)
        entrants[number] = replace(entrants[number], **changes)
        return replace(self, entrants=tuple(entrants))

    def number_of(self, user_id: int) -> int | None:
        """Return the number of an entrant, also of one who has left; None for everybody else."""
        return next((number for number, each in enumerate(self.entrants) if each.user_id == user_id), None)


@dataclass(frozen=True, slots=True)
class CupLeg:
    """A leg as it was opened; ``leg`` has what was played, which nobody sees before the leg is closed."""

    number: int
    began_at: datetime | None
    """The moment at which its post was sent; None before."""
    ends_at: datetime
    """A morning, or a day after one if a moderator has prolonged it. Planned again until its post is sent."""
    closed_at: datetime | None
    averages: tuple[float, ...]
    """The points that best play expects of each card."""
    leg: Leg
    """While the leg is open, nobody has played in it."""
    prolonged: bool = False
    moved: bool = False
    """True if it ends a morning later because the bot was down at its end."""


@dataclass(frozen=True, slots=True)
class CupView:
    cup: Cup
    legs: tuple[CupLeg, ...]
    """In order; the last one may be open."""
    table: tuple[Line, ...] = ()
    """The table of a league if it was computed beside the event loop."""

    @property
    def closed(self) -> tuple[Leg, ...]:
        """The legs that are closed, with what was played in them."""
        return tuple(each.leg for each in self.legs if each.closed_at is not None)

    @property
    def standing(self) -> tuple[Line, ...]:
        return self.table or make_table(self.cup.contest, self.closed)

    @property
    def drawn_leg(self) -> CupLeg | None:
        """The leg that is drawn and not closed, whether or not its post is sent."""
        return self.legs[-1] if self.legs and self.legs[-1].closed_at is None else None

    @property
    def open_leg(self) -> CupLeg | None:
        leg = self.drawn_leg
        return None if leg is None or leg.began_at is None else leg

    @property
    def awaits_draw(self) -> bool:
        """True if the next leg can be drawn: the last one is closed, or the post that starts the cup is there."""
        started = self.cup.status is Status.STARTING and self.cup.opening is not None
        return started or (self.cup.status is Status.PLAYING and self.drawn_leg is None)

    @property
    def held_until(self) -> datetime | None:
        """The moment until which it waits for the post that starts it or a leg; None if it needs none now."""
        if not self.cup.status.running or self.cup.status is Status.ENTRY or self.awaits_draw or self.open_leg:
            return None
        since = self.legs[-2].closed_at if len(self.legs) > 1 else None
        return (since or self.cup.begins_at) + HELD

    @property
    def next_left(self) -> int:
        """The value of ``Entrant.left`` for somebody who leaves now: a leg that is closed stays as it is."""
        return 0 if self.cup.status is Status.ENTRY else len(self.closed) + 1

    def next_look(self, now: datetime) -> datetime | None:
        """Return the next moment at which the clock looks at the cup; None if nothing will be due."""
        if not self.cup.status.running:
            return None
        if self.cup.status is Status.ENTRY:
            return self.cup.begins_at
        if (held_until := self.held_until) is not None:
            return held_until if held_until > now else now + LATE
        return now if self.open_leg is None else self.open_leg.ends_at

    @property
    def remaining(self) -> tuple[int, ...]:
        """The entrants who are still there, in a knockout without those who are out."""
        return list_remaining(self.cup.contest, self.closed, self.cup.gone)

    @property
    def winners(self) -> tuple[int, ...]:
        """The numbers of those who have won; empty while a leg is drawn: a post may be drawn anew as it was."""
        return self.cup.winners if self.drawn_leg is None else ()


@dataclass(frozen=True, slots=True)
class LegChallenge(Challenge):
    """The cards and dice of a group of a leg, or of one who is out or has a bye and plays for the account alone."""

    cup_id: str
    cup_name: str
    leg: int
    entrants: tuple[int, ...]
    """The numbers of the group's entrants."""

    @property
    def alone(self) -> bool:
        """True if it is compared with nobody: a group that is drawn has two people at least."""
        return len(self.entrants) == 1


def morning_of(day: date, settings: ServerSettings) -> datetime:
    """Return the moment of a server's morning post on a day."""
    return moment_at(day, settings.daily_at, settings.zone)


def next_morning(now: datetime, settings: ServerSettings) -> datetime:
    """Return the moment of a server's next morning post."""
    day = day_of(now, settings.zone)
    today = morning_of(day, settings)
    return today if now < today else morning_of(day + timedelta(days=1), settings)


def plan_end(opened: datetime, days: int, settings: ServerSettings) -> datetime:
    """Return the morning on which a leg ends that opens at a moment: ``days`` later, or one more if it opens late."""
    day = day_of(opened, settings.zone) + timedelta(days=days)
    least = timedelta(days=days) - SHORTENED
    end = morning_of(day, settings)
    return end if end - opened >= least else morning_of(day + timedelta(days=1), settings)


def find_reminder(ends_at: datetime, settings: ServerSettings) -> datetime:
    """Return the last 18:00 before the end of a leg, or some hours before the end where the leg could begin later."""
    day = day_of(ends_at, settings.zone)
    at = moment_at(day, REMIND_AT, settings.zone)
    evening = at if at <= ends_at - REMIND_LEAST else moment_at(day - timedelta(days=1), REMIND_AT, settings.zone)
    return evening if ends_at - evening < timedelta(days=1) - SHORTENED else ends_at - REMIND_BEFORE
