"""A cup as it is stored: its settings, entrants, legs and posts (R9.8)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from enum import Enum, IntEnum
from typing import Any

from bot.domain.calendar import day_of, moment_at
from bot.domain.challenge import Challenge
from bot.domain.cup_leg import Contest, Format, Leg, Line, list_remaining, lock_cup, make_table
from bot.domain.server_settings import ServerSettings
from highscore.deck import Deck
from highscore.fairness import Source, version_of

FEWEST = {Format.KNOCKOUT: 4, Format.LEAGUE: 3}
"""A cup needs at least this many entrants to begin."""
MOST_ENTRANTS = range(4, 129)
"""The maximum number of entrants, which the host chooses, is in this range."""
LEG_DAYS = range(1, 4)
USUAL_LEGS = 7
USUAL_DAYS = {Format.KNOCKOUT: 2, Format.LEAGUE: 1}
MOST_DAYS = 28
"""All legs of a cup together may take at most this many days."""
MOST_IN_CHANNEL, MOST_IN_SERVER = 1, 2
"""The most cups that may run at the same time."""
LONGEST_NAME = 40
SHORTENED = timedelta(hours=6)
"""A leg that opens late may be shorter than planned by at most this much. Otherwise it ends a morning later."""
LATE = timedelta(hours=1)
"""If the bot acts on a cup later than this after the due time, it is assumed to have been down."""
HELD = timedelta(days=3)
"""If the post that starts the cup or a leg cannot be sent for this long, the cup ends."""
PROLONGED = timedelta(hours=24)
"""A moderator can prolong a leg by this much, once."""
REMIND_AT, REMIND_BEFORE = time(18), timedelta(hours=4)
"""The reminder is sent at this time on the last evening. If the leg ends long after that, for example in the afternoon,
the reminder is sent this long before the end."""
REMIND_LEAST = timedelta(hours=3)
"""A reminder that would leave less time than this is not sent."""


class Status(Enum):
    ENTRY = "entry"
    STARTING = "starting"
    """Nobody can enter any more. The post that starts the cup has not been sent, or the first leg has not been
    drawn."""
    PLAYING = "playing"
    OVER = "over"
    """The last leg is closed."""
    ENDED = "ended"
    """The cup ended early, without a winner (``Ending``)."""

    @property
    def running(self) -> bool:
        return self in (Status.ENTRY, Status.STARTING, Status.PLAYING)


class Ending(IntEnum):
    TOO_FEW = 0
    """Too few people had entered, or too many of them left before the first leg."""
    MODERATOR = 1
    NO_POST = 2
    """The post that starts the cup or a leg could not be sent for three days."""


class CupPost(Enum):
    ENTRY = "entry"
    """The sign-up, which is updated with every entry."""
    WAITS = "waits"
    """Too few people have entered, so the cup begins a day later."""
    START = "start"
    """The lock with the entrants, and their names. The id of this message is an input of the draws."""
    LEG = "leg"
    """The results of the previous leg, and the next leg, which begins when this post is sent."""
    REMINDER = "reminder"
    """Pings the entrants who have not finished."""
    REMOVED = "removed"
    """A moderator has removed an entrant. The post's ``argument`` is the entrant's number."""
    PROLONGED = "prolonged"
    ENDED = "ended"
    """The cup has ended without a winner. The post's ``argument`` is an ``Ending``."""
    OVER = "over"
    """The results of the last leg, and the winner."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A person who has entered a cup. An entrant's number is the index in ``Cup.entrants``, and never changes."""

    user_id: int | None
    """None after the person's data was deleted."""
    name: str
    """The name on the server when the person entered; empty after their data was deleted."""
    left: int | None = None
    """None for an entrant who has not left. Otherwise the number of the first leg that they no longer play. 0 if they
    withdrew before the entries were closed: then they are in no draw."""
    removed: bool = False
    """True if a moderator has removed the entrant. They cannot enter again."""
    won: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Cup:
    id: str
    guild_id: int
    channel_id: int
    host_id: int
    """The user who opened the cup; negative after their data was deleted."""
    name: str
    format: Format
    length: int
    """The number of legs of a league. 0 for a knockout, whose number of legs depends on the number of entrants."""
    days: int
    """The number of days of each leg."""
    most: int
    """The maximum number of entrants."""
    begins_at: datetime
    """The morning on which the first leg opens."""
    waited: bool = False
    """True if the cup was put off by a day because too few people had entered. This happens once at most."""
    status: Status = Status.ENTRY
    locale: str
    deck: Deck
    seed: bytes = field(repr=False)
    """The secret from which the draws are derived, sealed at sign-up. It is revealed when the cup is over."""
    published_lock: str | None
    """The lock, which is replaced by the lock with the entrants when the cup starts. In an earlier version's cup, None
    and then a digest of the entrants' ids."""
    opening: int | None = None
    """The message id of the post that starts the cup; None until it is sent."""
    leg: int = 0
    """The number of the newest leg that was opened; 0 before the first."""
    finished_at: datetime | None = None
    """When the status became OVER or ENDED."""
    wake_at: datetime | None = None
    """When the bot has to look at the cup next."""
    entrants: tuple[Entrant, ...] = ()

    @property
    def lock(self) -> str:
        """The code that is shown at sign-up."""
        source = Source(self.seed, self.id, version=version_of(self.published_lock))
        return lock_cup(source, self.format, self.length, self.deck)

    @property
    def contest(self) -> Contest:
        """The inputs of the draws. Raises ValueError until the post that starts the cup is sent."""
        if self.published_lock is None or self.opening is None:
            raise ValueError("a cup that has not started has no draws")
        return Contest(
            self.id, self.format, self.drawn_entrants, self.seed, self.published_lock, self.opening, self.length
        )

    @property
    def drawn_entrants(self) -> tuple[int, ...]:
        """The numbers of all entrants except those who withdrew before the entries were closed."""
        return tuple(number for number, each in enumerate(self.entrants) if each.left != 0)

    @property
    def left(self) -> frozenset[int]:
        """The numbers of the entrants who withdrew, were removed, or had their data deleted."""
        return frozenset(number for number, each in enumerate(self.entrants) if each.left is not None)

    @property
    def present(self) -> tuple[int, ...]:
        """The numbers of the entrants who have not left, including those who are out of a knockout."""
        return tuple(number for number, each in enumerate(self.entrants) if each.left is None)

    @property
    def winners(self) -> tuple[int, ...]:
        """The numbers of the winners. Empty until the cup is over, and if nobody has won."""
        return tuple(number for number, each in enumerate(self.entrants) if each.won)

    def with_entrant(self, number: int, **changes: Any) -> Cup:
        entrants = list(self.entrants)
        entrants[number] = replace(entrants[number], **changes)
        return replace(self, entrants=tuple(entrants))

    def number_of(self, user_id: int) -> int | None:
        """Return the number of an entrant, including those who have left. None for a user who has not entered."""
        return next((number for number, each in enumerate(self.entrants) if each.user_id == user_id), None)


@dataclass(frozen=True, slots=True)
class CupLeg:
    """A leg as it is stored, with its times."""

    number: int
    began_at: datetime | None
    """When its post was sent; None until then."""
    ends_at: datetime
    """A morning, or 24 hours later if a moderator has prolonged the leg. Planned again whenever the bot
    is about to send the leg's post."""
    closed_at: datetime | None
    averages: tuple[float, ...]
    leg: Leg
    """The groups and attempts. Until the leg is closed it contains no attempts, because they are secret."""
    prolonged: bool = False
    moved: bool = False
    """True if the end was moved to the next morning because the bot was down when the leg was due to end."""


@dataclass(frozen=True, slots=True)
class CupView:
    cup: Cup
    legs: tuple[CupLeg, ...]
    """In order. All are closed, except perhaps the last one."""
    table: tuple[Line, ...] = ()
    """The league's table if it was computed in advance, outside of the event loop; otherwise empty."""

    @property
    def closed(self) -> tuple[Leg, ...]:
        return tuple(each.leg for each in self.legs if each.closed_at is not None)

    @property
    def league_table(self) -> tuple[Line, ...]:
        return self.table or make_table(self.cup.contest, self.closed)

    @property
    def drawn_leg(self) -> CupLeg | None:
        """The leg that is drawn but not closed, or None. Its post may not have been sent yet."""
        return self.legs[-1] if self.legs and self.legs[-1].closed_at is None else None

    @property
    def open_leg(self) -> CupLeg | None:
        leg = self.drawn_leg
        return None if leg is None or leg.began_at is None else leg

    @property
    def planned_end(self) -> datetime:
        """When the cup ends if no leg is prolonged. In a knockout, each leg halves the entrants who have not left."""
        legs, leg = self.cup.length or (max(2, len(self.cup.present)) - 1).bit_length(), self.drawn_leg
        since, left = (self.cup.begins_at, legs) if leg is None else (leg.ends_at, max(0, legs - leg.number))
        return since + timedelta(days=left * self.cup.days)

    @property
    def awaits_draw(self) -> bool:
        """True if the next leg can be drawn: the post that starts the cup was sent, or the newest leg is closed."""
        started = self.cup.status is Status.STARTING and self.cup.opening is not None
        return started or (self.cup.status is Status.PLAYING and self.drawn_leg is None)

    @property
    def held_until(self) -> datetime | None:
        """When the bot ends the cup if it still could not send the post that starts the cup or its next leg.

        None if no such post is due.
        """
        if not self.cup.status.running or self.cup.status is Status.ENTRY or self.awaits_draw or self.open_leg:
            return None
        since = self.legs[-2].closed_at if len(self.legs) > 1 else None
        return (since or self.cup.begins_at) + HELD

    @property
    def next_left(self) -> int:
        """The value of ``Entrant.left`` for an entrant who leaves now. Closed legs are not affected (R9.8)."""
        return 0 if self.cup.status is Status.ENTRY else len(self.closed) + 1

    def next_look(self, now: datetime) -> datetime | None:
        """Return when the bot has to look at the cup next; None if the cup is over."""
        if not self.cup.status.running:
            return None
        if self.cup.status is Status.ENTRY:
            return self.cup.begins_at
        if (held_until := self.held_until) is not None:
            return held_until if held_until > now else now + LATE
        return now if self.open_leg is None else self.open_leg.ends_at

    @property
    def remaining(self) -> tuple[int, ...]:
        """The entrants who have not left, and in a knockout are not out."""
        return list_remaining(self.cup.contest, self.closed, self.cup.left)

    @property
    def winners(self) -> tuple[int, ...]:
        """The numbers of the winners. Empty if the view ends with an open leg, as it does to redraw an older post."""
        return self.cup.winners if self.drawn_leg is None else ()


@dataclass(frozen=True, slots=True)
class LegChallenge(Challenge):
    """The cards and dice of a group, or of a single entrant. Entrants who are out or have a bye may play alone."""

    cup_id: str
    cup_name: str
    leg: int
    entrants: tuple[int, ...]
    """The numbers of the group's entrants."""

    @property
    def alone(self) -> bool:
        """True for a single entrant, whose attempt is not compared with any other."""
        return len(self.entrants) == 1


def morning_of(day: date, settings: ServerSettings) -> datetime:
    return moment_at(day, settings.daily_at, settings.zone)


def next_morning(now: datetime, settings: ServerSettings) -> datetime:
    day = day_of(now, settings.zone)
    today = morning_of(day, settings)
    return today if now < today else morning_of(day + timedelta(days=1), settings)


def plan_end(opened: datetime, days: int, settings: ServerSettings) -> datetime:
    """Return the morning on which a leg ends: ``days`` days after it opened, or one more if that is too short."""
    day = day_of(opened, settings.zone) + timedelta(days=days)
    least = timedelta(days=days) - SHORTENED
    end = morning_of(day, settings)
    return end if end - opened >= least else morning_of(day + timedelta(days=1), settings)


def find_reminder(ends_at: datetime, settings: ServerSettings) -> datetime:
    """Return when to remind the entrants of a leg.

    This is at 18:00 on the day of its end if three hours are left then, otherwise on the day before. If 18:00 is 18
    hours or more before the end, the reminder is four hours before the end.
    """
    day = day_of(ends_at, settings.zone)
    at = moment_at(day, REMIND_AT, settings.zone)
    evening = at if at <= ends_at - REMIND_LEAST else moment_at(day - timedelta(days=1), REMIND_AT, settings.zone)
    return evening if ends_at - evening < timedelta(days=1) - SHORTENED else ends_at - REMIND_BEFORE
