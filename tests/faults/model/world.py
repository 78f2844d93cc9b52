"""What the service is supposed to do, told a second time and plainly, for tests/faults/test_model.py to compare with.

Everything is a dictionary, a list or a small record in memory; nothing here calls the services, the database or
Discord. The rules of the game itself come from ``highscore``, the arithmetic of quiet hours from domain.quiet_hours,
which have tests of their own. A change is made on a copy of a table, so whatever raises in between has changed nothing.

This module holds the world, what a refusal is, and what every committed change has in common; what people may do is in
``tables``, what time does in ``clock``, and so on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from bot.domain.pace import Pace, PaceTimes
from bot.services.core import Person
from highscore.events import Event
from highscore.fairness import Source
from highscore.game import Game
from highscore.notation import format_event
from highscore.turn_order import TurnOrder
from tests.faults.model import books, clock
from tests.faults.model.log import Row, plainly

if TYPE_CHECKING:
    from tests.faults.model.dailies import Day

SETTINGS: Mapping[str, Any] = {
    "language": None,
    "pace": "day",
    "zone": "UTC",
    "quiet_from": None,
    "quiet_to": None,
    "channels": [],
    "opener_role": None,
    "player_role": None,
    "tables_per_channel": None,
    "remind_percent": 50,
    "pictures": True,
    "season": "quarter",
    "season_channel": None,
    "daily_channel": None,
    "daily_at": "09:00:00",
}
"""What holds in a server that has set nothing, as it is stored."""

REASONS: Mapping[str, tuple[str, str]] = {
    "no table": ("Refused", "This table does not exist any more"),
    "elsewhere": ("Refused", "On this server High Score is played in"),
    "no opener": ("Refused", "people with a certain role"),
    "no seat for the host": ("Refused", "There has to be a seat left for you"),
    "too many invited": ("Refused", "A table has five seats at most"),
    "kept for others": ("Refused", "kept for people who are invited"),
    "sit down to call": ("Refused", "Take a seat first; then you can call"),
    "called already": ("Refused", "Players can be called once per table"),
    "called lately": ("Refused", "Players were called on this server less than an hour ago"),
    "quiet": ("Refused", "quiet hours, in which nobody is called"),
    "enough tables": ("TableTaken", "an open table in this channel already"),
    "hosts enough": ("Refused", "open tables on this server, in"),
    "started": ("Stale", "This game has started already"),
    "closed": ("Stale", "This table is closed"),
    "sits already": ("Refused", "have a seat already"),
    "full": ("Refused", "All seats at this table are taken"),
    "sit down first": ("Refused", "Take a seat first"),
    "players only": ("Refused", "Only the players of a table"),
    "no house": ("Refused", "There is no house player"),
    "does not sit": ("Refused", "You are not sitting at this table"),
    "they do not sit": ("Refused", "That person is not sitting at this table"),
    "host only": ("Refused", "Only the host can start"),
    "too few": ("Refused", "at least two players"),
    "over already": ("Stale", "This game is over already"),
    "may not cancel": ("Refused", "can cancel the game"),
    "may not moderate": ("Refused", "manage messages here, can do that"),
    "not themselves": ("Refused", "To leave yourself"),
    "word too long": ("Refused", "at most 32 characters"),
    "not running": ("Refused", "The game has not started yet"),
    "being opened": ("Refused", "the game is just being opened"),
    "over": ("Stale", "This game is over."),
    "not at this table": ("Refused", "You are not sitting at this table"),
    "gone already": ("Refused", "You have left this game."),
    "they left already": ("Refused", "That person has left already"),
    "not away": ("Refused", "already playing for yourself"),
    "not absent": ("Refused", "You are not away."),
    "absent too long": ("Refused", "days from now on"),
    "spectator": ("Refused", "You are not playing at this table"),
    "left": ("Refused", "You have left this game; the house plays your seat"),
    "not started": ("Stale", "The game has not started."),
    "moved on": ("Stale", "A moment too late: the table has moved on"),
    "no hints": ("Refused", "There are no hints at this table"),
    "nothing to decide": ("Refused", "There is nothing to decide now"),
    "no runs yet": ("Refused", "The game has not started."),
    "same dice": ("Refused", "everybody plays with the same dice"),
    "left out": ("Refused", "You did not finish a card in time"),
    "time is up": ("Refused", "The time is up: the house plays what is left of your cards"),
    "their time is up": ("MovedOn", "The time is up: the house plays what is left of your cards"),
    "not their page": ("Refused", "This is somebody else's page"),
    "run over": ("Refused", "This game is over."),
    "not begun themselves": ("Refused", "Only those who have played can end the game early"),
    "still playing": ("Refused", "Somebody is still playing"),
    "reminded first": ("Refused", "The others get a reminder first"),
    "too early": ("Refused", "You can end the game from"),
    "not asked for": ("Refused", "The host does not want to cancel the game any more"),
    "nobody holds up": ("Refused", "nobody holds anybody up"),
    "only the host": ("Refused", "Only the host can cancel a game that everybody plays"),
    "not their turn": ("Refused", "It is not your turn."),
    "no rematch yet": ("Refused", "once the game is over"),
    "no rematch for them": ("Refused", "Only the players of this game can ask for a rematch"),
    "day played": ("Refused", "has played the challenge of"),
    "no such day": ("Refused", "This challenge does not exist any more"),
    "not begun": ("Refused", "You have not begun this challenge"),
    "all cards": ("MovedOn", "You have played all seven cards"),
    "not finished": ("Refused", "Play all seven cards first"),
    "shared already": ("Refused", "You have shared this one already"),
    "attempt moved on": ("MovedOn", "This is where you are now"),
    "seen before": ("PlayedElsewhere", ""),
}
"""Why something is not to happen: the kind of refusal, and words of the sentence that the person reads."""


REMEMBERED = timedelta(hours=1)
"""After so long an interaction without an event is forgotten, when the next table is opened."""


class No(Exception):
    """What somebody asks for is not to happen, and changes nothing. Its text is a key of ``REASONS``."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.kind, self.words = REASONS[reason]


@dataclass
class Seat:
    """Somebody at a table."""

    user_id: int | None
    name: str
    house: str | None = None
    lucky_word: str = ""
    left: bool = False
    misses: int = 0
    hints: int = 0
    newcomer: bool = False
    invited: bool = False
    """Reserved at a rematch, or kept for a while for somebody invited."""
    gives_up: bool = False
    """Agrees that the game is cancelled."""
    away_until: datetime | None = None
    """Until when they have said to be away, as far as the table was told."""
    pressed: int = 0
    """Turns that were over when they last pressed anything."""

    @property
    def present(self) -> bool:
        return self.user_id is not None and not self.left and not self.invited


@dataclass
class Table:
    """A table."""

    id: str
    guild_id: int
    channel_id: int
    host_id: int
    seed: bytes
    turn_order: TurnOrder
    max_seats: int
    locale: str
    pace: Pace
    allowed: int
    hold: int
    hints: bool
    pictures: bool
    seats: list[Seat]
    created_at: datetime
    may_call: bool
    """Whether a role may be called to it."""
    status: str = "lobby"
    version: int = 0
    game: Game | None = None
    words_digest: str | None = None
    opening_id: int | None = None
    """The message that opened the game."""
    message_id: int | None = None
    """Where people see it."""
    shown_version: int = -1
    shown_page: int = -1
    """What they have seen of it."""
    moments: dict[str, datetime] = field(default_factory=dict)
    reminded: bool = False
    """What is due when; what is not due is not there."""
    warnings: int = 0
    news: list[tuple[str, int] | tuple[str, int, int]] = field(default_factory=list)
    """What is to be told, and of which seat; a record also of which round."""
    called_at: datetime | None = None
    """When a role was called to it."""
    updated_at: datetime | None = None

    @property
    def open(self) -> bool:
        return self.status in ("lobby", "playing")

    @property
    def own_pace(self) -> bool:
        return self.turn_order is TurnOrder.OWN_PACE

    @property
    def public(self) -> Any:
        """What everybody may see of the game (R9.5)."""
        game = self.game
        if game is None or not self.own_pace:
            return game
        progress = [game.progress(at) for at in range(len(self.seats))]
        card = game.cards[0] if game.cards else None
        return progress, game.left_out, game.finished, card, game.start_seat, game.over

    @property
    def source(self) -> Source:
        return Source(
            self.seed, self.id, tuple(seat.lucky_word for seat in self.seats), self.words_digest, self.opening_id
        )

    @property
    def waits(self) -> bool:
        """Whether the message that opens the game is still to come."""
        return self.status == "playing" and self.opening_id is None

    @property
    def turns(self) -> int:
        """Turns that are over."""
        return 0 if self.game is None else sum(len(one.turns) for one in self.game.finished) + len(self.game.played)

    @property
    def page(self) -> int:
        """A page has each turn, in own pace all of them together; and so have lobby, opening, records and the end."""
        if self.game is None:
            return 0
        if self.waits:
            return 1
        if self.own_pace:
            return 4 if self.game.over else 2
        if self.game.over:
            return 2 + 7 * (self.game.players + 1)
        return 2 + self.turns + len(self.game.finished)

    @property
    def span(self) -> int:
        """What one reminder is for: a turn, in open order a round, in own pace the game."""
        if self.game is None or self.turn_order is not TurnOrder.OPEN:
            return self.page
        return -min(len(self.game.finished) + 1, 7)

    def seat_of(self, user: int) -> int | None:
        return next((at for at, seat in enumerate(self.seats) if seat.user_id == user), None)

    def sits(self, user: int) -> bool:
        return any(seat.user_id == user and not seat.invited for seat in self.seats)

    def copy(self) -> Table:
        return replace(
            self,
            seats=[replace(seat) for seat in self.seats],
            moments=dict(self.moments),
            news=list(self.news),
        )


@dataclass
class Reminder:
    """Somebody who is to be reminded, or was and has not answered yet."""

    game_id: str
    span: int
    due_at: datetime
    sent_at: datetime | None = None


@dataclass
class Absence:
    """Somebody who is away from a server."""

    until: datetime
    post_at: datetime
    """When their tables are told."""
    post_tries: int = 0


@dataclass
class World:
    """Everything there is."""

    now: datetime
    paces: Mapping[Pace, PaceTimes]
    limit: int
    """Open tables a channel may have where its server says nothing."""
    up_since: datetime
    hosted: int = 5
    """Open tables that somebody may host on a server."""
    tables: dict[str, Table] = field(default_factory=dict)
    logs: dict[str, list[Row]] = field(default_factory=dict)
    settings: dict[int, dict[str, Any]] = field(default_factory=dict)
    notify: dict[int, str] = field(default_factory=dict)
    reminders: dict[int, Reminder] = field(default_factory=dict)
    absences: dict[tuple[int, int], Absence] = field(default_factory=dict)
    """By server and person."""
    called: dict[str, tuple[int, datetime]] = field(default_factory=dict)
    """By table: the role that is to be called to it, and since when."""
    finished: dict[int, list[books.Finished]] = field(default_factory=dict)
    """By server, in the order in which they ended."""
    records: dict[tuple[int, str], int] = field(default_factory=dict)
    """The best result by server and card."""
    seasons: dict[tuple[int, str], books.Season] = field(default_factory=dict)
    days: dict[str, Day] = field(default_factory=dict)
    asked: dict[int, datetime] = field(default_factory=dict)
    """Interactions that changed something without an event, and when."""
    left: dict[int, datetime] = field(default_factory=dict)
    """Servers that removed the bot, and when."""
    gone: set[tuple[int, int]] = field(default_factory=set)
    """People who are no longer members of a server."""
    forbidden: set[int] = field(default_factory=set)
    """Channels in which the bot may not post."""
    touched: set[str] = field(default_factory=set)
    """Tables that may be other than they were; what is stored of all others may not have changed."""
    dirty: set[str] = field(default_factory=set)
    """The same for everything else, by the name of what is stored."""

    def settings_of(self, guild: int) -> Mapping[str, Any]:
        return self.settings.get(guild, SETTINGS)

    def find(self, table_id: str) -> Table:
        if (table := self.tables.get(table_id)) is None:
            raise No("no table")
        return table

    def in_channel(self, channel: int) -> list[Table]:
        return [table for table in self.tables.values() if table.open and table.channel_id == channel]

    def newcomer(self, user: int) -> bool:
        """Whether somebody has never finished a game, as far as anybody still knows."""
        return not any(
            seat.user_id == user and not seat.left
            for table in self.tables.values()
            if table.status == "finished"
            for seat in table.seats
        )

    def all_rows(self) -> Iterator[Row]:
        for log in self.logs.values():
            yield from log

    def add(self, table: Table) -> None:
        """A new table."""
        clock.plan(None, table, self.now, self.settings_of(table.guild_id))
        table.updated_at = self.now
        self.tables[table.id] = table
        self.logs[table.id] = []
        self.touched.add(table.id)
        self.asked = {asked: at for asked, at in self.asked.items() if self.now - at <= REMEMBERED}

    def once(self, by: Person | None, events: Sequence[Event] = ()) -> None:
        """What was delivered before is not done a second time."""
        if by is None or (interaction := by.interaction_id) is None:
            return
        if interaction in self.asked or any(row.interaction == interaction for row in self.all_rows()):
            raise No("seen before")
        if not events:
            self.asked[interaction] = self.now

    def commit(
        self,
        before: Table,
        after: Table,
        events: Sequence[Event] = (),
        *,
        news: Sequence[tuple[str, int] | tuple[str, int, int]] = (),
        by: Person | None = None,
        answered: bool = False,
        remind: Sequence[int] = (),
    ) -> None:
        """What every change has in common: version, moments, news, log, reminders, books."""
        if after == before and not events and not remind:
            return
        if by is not None:
            clock.press(after, by.user_id)
        self.once(by, events)
        same_page = before.page == after.page or before.waits
        after.news = [*(one for one in after.news if same_page or one[0] in STAYS), *news]
        if len(_rounds(after)) > len(_rounds(before)):
            after.news += books.round_ended(self, before, after)
        # What concerns only the clock shows nothing new, but for whether the table sleeps.
        visible = (bool(events) and not after.own_pace) or _looks(after) != _looks(before)
        clock.plan(before, after, self.now, self.settings_of(after.guild_id))
        slept = ("asleep_until" in before.moments) != ("asleep_until" in after.moments)
        after.version = before.version + (visible or slept)
        after.updated_at = self.now
        if events:
            log, lines = self.logs[after.id], tuple(plainly(format_event(event)) for event in events)
            user, asked = (None, None) if by is None else (by.user_id, by.interaction_id)
            log.append(Row(len(log) if after.own_pace else after.version, lines, user, asked, self.now))
        self._remind(before, after, by.user_id if by is not None and answered else None, remind)
        self.tables[after.id] = after
        self.touched.add(after.id)

    def _remind(self, before: Table, after: Table, answered: int | None, remind: Sequence[int]) -> None:
        slept = before.moments.get("asleep_until") != after.moments.get("asleep_until")
        over = after.span != before.span or not after.open or slept
        for user, pending in list(self.reminders.items()):
            if pending.game_id == after.id and (over or user == answered):
                del self.reminders[user]
                self.dirty.add("reminders")
        if over and after.id in self.called:
            del self.called[after.id]
            self.dirty.add("reminders")
        for user in remind:
            if user not in self.reminders:
                self.reminders[user] = Reminder(after.id, after.span, self.now)
                self.dirty.add("reminders")

    def delete_table(self, table_id: str) -> None:
        """A table goes, with everything that hangs on it."""
        del self.tables[table_id], self.logs[table_id]
        self.touched.add(table_id)
        self.dirty |= {"reminders"}
        self.called.pop(table_id, None)
        self.reminders = {user: one for user, one in self.reminders.items() if one.game_id != table_id}

    def touch_everything(self) -> None:
        """Whatever is stored is to be looked at."""
        self.touched |= set(self.tables)
        self.dirty |= EVERYTHING


STAYS = ("record", "ended", "left", "kicked", "gone")
"""News that are told on later pages, too."""
EVERYTHING = frozenset({"reminders", "absences", "settings", "notify", "days", "books", "left"})


def _looks(table: Table) -> object:
    """All that anybody might see of a table but its moments."""
    seats = [replace(seat, pressed=0) for seat in table.seats]
    return replace(table, seats=seats, moments={}, reminded=False, warnings=0, game=None), table.public


def _rounds(table: Table) -> tuple[Any, ...]:
    return () if table.game is None else table.game.finished
