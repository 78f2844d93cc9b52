"""Tables whose people are not there together, on the services and workers of the bot with a turned clock."""

import heapq
import itertools
import math
import random
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from datetime import time as time_of_day
from functools import partial
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from benchmarks.clicking import settings_for
from benchmarks.day.counting import CountingDiscord, TurnedClock
from bot.cogs.redraw import redraw_table, show_table_here
from bot.domain.pace import Pace
from bot.domain.quiet_hours import QuietHours, add_awake
from bot.domain.run import seats_begun, waits_only_for_unbegun
from bot.domain.table import Table
from bot.services import results, run
from bot.services.absence import wake_table
from bot.services.core import Core, Person, get_table
from bot.services.lobby import NewTable, join_table, open_table, start_game
from bot.services.setup import change_settings
from bot.services.turn import decide_turn
from bot.store.database import Database, parse_url
from bot.store.schema import migrate_database
from bot.workers.deadlines import Deadlines
from bot.workers.delivery import Delivery
from bot.workers.reminders import Reminding
from highscore.events import Decision, TakeDice
from highscore.game import Game, list_decisions
from highscore.turn_order import TurnOrder

DAWN = datetime(2026, 6, 1, 8, tzinfo=UTC)
NIGHT = QuietHours(time_of_day(0), time_of_day(8), ZoneInfo("UTC"))
"""The hours in which people sleep; the servers have set no quiet hours."""
DAY = timedelta(hours=16)
TURN = timedelta(minutes=3)
SIGMA = 1.0
ABSENT = 0.1
PLAYS_ON = 2 / 3
SIZES = (2, 3, 4, 5)


@dataclass(frozen=True)
class Way:
    """A turn order with its pace."""

    name: str
    order: TurnOrder
    pace: Pace
    plays_on: float = 0.0
    """The chance that whoever has played a card goes on with the next one."""
    ends_early: bool = False
    """True if those who are done end a game without those who have not begun, as soon as they may and look again."""


WAYS = (
    Way("rulebook order, relaxed", TurnOrder.CLOCKWISE, Pace.RELAXED),
    Way("open order, relaxed", TurnOrder.OPEN, Pace.RELAXED),
    Way("open order, day", TurnOrder.OPEN, Pace.DAY),
    Way("own pace, plays on", TurnOrder.OWN_PACE, Pace.DAY, PLAYS_ON),
    Way("own pace, plays on, does not wait", TurnOrder.OWN_PACE, Pace.DAY, PLAYS_ON, ends_early=True),
    Way("own pace, one card a visit", TurnOrder.OWN_PACE, Pace.DAY),
)


@dataclass
class Playing:
    """A table as the people of this benchmark know it."""

    id: str
    people: tuple[int, ...]
    absent: frozenset[int]
    """Users who never come back."""
    rng: random.Random
    """Its own: what happens at one table does not depend on which of several is handled first."""
    coming: set[int] = field(default_factory=set)
    """Users who are on their way to it."""
    ending: set[int] = field(default_factory=set)
    """Users who will end it early."""
    pressed: dict[int, int] = field(default_factory=dict)
    """By seat: turns that were over when its player pressed something last."""
    turns: int = 0
    stand_ins: int = 0
    unawaited: int = 0
    """Stand-in turns that nobody waited for."""
    ended: datetime | None = None
    table: Table | None = None
    """The table as it was committed last."""

    @property
    def open(self) -> bool:
        return self.ended is None

    @property
    def game(self) -> Game:
        assert self.table is not None
        assert self.table.game is not None
        return self.table.game

    def committed(self, table: Table, now: datetime) -> None:
        """Note what has changed. Whether somebody waited for a stand-in's turn is decided by R9.3's words alone."""
        self.table = table
        if table.game is None:
            return
        log = [turn for done in table.game.finished for turn in done.turns] + list(table.game.played)
        if table.turn_order.shared:
            for at, turn in enumerate(log[self.turns :], self.turns):
                if turn.by_house:
                    since = max((one for one, before in enumerate(log[:at], 1) if before.seat == turn.seat), default=0)
                    waits = [seat for seat, last in self.pressed.items() if seat != turn.seat and last >= since]
                    self.unawaited += not waits
        self.turns = len(log)
        self.stand_ins = sum(turn.by_house for turn in log)
        if not table.status.open and self.ended is None:
            self.ended = now


@dataclass
class Day:
    """Some tables that begin together, and all that happens until the last of them is closed."""

    way: Way
    median: int
    some_absent: bool
    tables: int
    rng: random.Random
    now: datetime = DAWN
    playing: dict[str, Playing] = field(default_factory=dict)
    _visits: list[tuple[datetime, int, Callable[[], Coroutine[Any, Any, None]]]] = field(default_factory=list)
    _order: Iterator[int] = field(default_factory=itertools.count)

    async def play(self, file: Path) -> None:
        """Let all of it happen."""
        settings = settings_for(file)
        database = Database(parse_url(settings.database_url.get_secret_value()))
        self.core = Core(
            *(database, lambda: self.now, settings.load_deck(), settings.tables_per_channel, settings.paces),
            round_ended=results.book_round,
        )
        self.discord = CountingDiscord(lambda: self.now, DAWN)
        self.clock = TurnedClock(self.core.now)
        self._make_workers()
        await migrate_database(database)
        try:
            for number in range(self.tables):
                await self._sit_down(number, SIZES[number % len(SIZES)])
            while await self._go_on():
                await self._settled()
        finally:
            await self.delivery.close()
            await database.close()

    def _make_workers(self) -> None:
        self.delivery = Delivery(self.core, self.clock, self.discord)
        self.reminding = Reminding(self.core, self.clock, self.discord, self.delivery.offer)
        self.deadlines = Deadlines(self.core, self.clock, self.discord, self.delivery.request_redraw)
        self.core.committed += [self.delivery.committed, self.deadlines.committed, self._committed]

    def _committed(self, table: Table) -> None:
        if (playing := self.playing.get(table.id)) is not None:
            playing.committed(table, self.now)
            self._call(playing)

    async def _go_on(self) -> bool:
        """Turn to what comes next: somebody's visit, or something that the bot does by itself. False: nothing does."""
        due = self.clock.next_at
        if self._visits and (due is None or self._visits[0][0] < due):
            self.now, _order, visit = heapq.heappop(self._visits)
            await visit()
        elif due is not None and any(one.open for one in self.playing.values()):
            self.now = max(self.now, due)
            self.clock.ring()
        else:
            return False
        return True

    async def _settled(self) -> None:
        for worker in (self.deadlines, self.reminding, self.delivery, self.delivery.tidying):
            await worker.settle()

    # ------------------------------------------------------------------------------------------------------ people

    async def _sit_down(self, number: int, players: int) -> None:
        people = [Person(1000 * (number + 1) + seat, f"Player {seat}") for seat in range(players)]
        guild, channel = number + 1, number + 1
        await change_settings(self.core, guild, pictures=False)
        wishes = NewTable(pace=self.way.pace, order=self.way.order)
        table = await open_table(self.core, people[0], guild_id=guild, channel_id=channel, locale="en", wishes=wishes)
        users = tuple(person.user_id for person in people)
        absent = frozenset(user for user in users if self.some_absent and self.rng.random() < ABSENT)
        rng = random.Random(self.rng.random())
        playing = Playing(table.id, users, absent, rng, pressed=dict.fromkeys(range(players), 0))
        self.playing[table.id] = playing
        playing.committed(table, self.now)
        await show_table_here(self.discord.answer(channel), self.delivery, table)
        for person in people[1:]:
            await self._redrawn(await join_table(self.core, table.id, person))
        await self._redrawn(await start_game(self.core, table.id, people[0]))

    async def _redrawn(self, table: Table) -> None:
        now = self.delivery.current(table)
        await redraw_table(self.discord.answer(now.channel_id, now.message_id), self.delivery, now)
        await self._settled()

    def _call(self, playing: Playing) -> None:
        """Let everybody come who can do something at a table, or could if the dice were free, sooner or later."""
        table, game = playing.table, playing.table.game if playing.table else None
        if table is None or game is None or table.awaits_opening or game.over:
            return
        if self.way.ends_early and table.timing.early_at is not None and waits_only_for_unbegun(table):
            for seat in seats_begun(table):
                if (user := playing.people[seat]) not in playing.ending:
                    playing.ending.add(user)
                    self._later(self._answered(playing, table.timing.early_at), partial(self._end, playing, user))
        for seat in game.seats if _asleep(playing) else game.to_play if game.turn_order.shared else game.may_act:
            user = playing.people[seat]
            if user not in playing.coming | playing.absent:
                playing.coming.add(user)
                self._later(self._answered(playing, self.now), partial(self._visit, playing, seat))

    def _answered(self, playing: Playing, since: datetime) -> datetime:
        """Draw the moment at which somebody looks who can do something now, or from ``since`` on."""
        minutes = playing.rng.lognormvariate(math.log(self.median), SIGMA)
        return add_awake(max(self.now, since), 60 * minutes, NIGHT)

    def _later(self, moment: datetime, visit: Callable[[], Coroutine[Any, Any, None]]) -> None:
        heapq.heappush(self._visits, (moment, next(self._order), visit))

    async def _visit(self, playing: Playing, seat: int) -> None:
        """Let a person look at a table and take the dice, or wait for the dice if they are taken."""
        game, user = playing.game, playing.people[seat]
        if not game.turn_order.shared:
            await self._open(playing)
        if seat in game.may_act and game.find_run(seat).turn is None:
            await self._begin(playing, seat)
        elif _asleep(playing):
            table = await wake_table(self.core, playing.id, Person(user, ""))
            playing.pressed[seat] = playing.turns
            await self._redrawn(table)
            self._leave(playing, user)
        elif seat in game.to_play and game.turn_order is TurnOrder.OPEN:
            self._later(self.now + TURN, partial(self._visit, playing, seat))
        elif seat in game.may_act:
            # The house has begun this turn for them, or they have been away in the middle of it.
            await self._finish(playing, seat)
        else:
            self._leave(playing, user)

    async def _end(self, playing: Playing, user: int) -> None:
        """Let somebody who is done end the game, if it still waits only for those who have not begun."""
        playing.ending.discard(user)
        table = await get_table(self.core, playing.id)
        if playing.open and waits_only_for_unbegun(table):
            table = await run.end_runs_early(self.core, playing.id, Person(user, ""))
            self.discord.answers += 2  # It is asked first.
            self.delivery.request_redraw(table.id)

    async def _begin(self, playing: Playing, seat: int) -> None:
        await self._press(playing, seat, TakeDice())
        self._later(self.now + TURN, partial(self._finish, playing, seat))

    async def _open(self, playing: Playing) -> None:
        """Press *Play*; if the message that everybody sees is out of date, draw it again with the answer."""
        table = self.delivery.current(await get_table(self.core, playing.id))
        if table.owed and table.page == table.shown_page:
            await self._redrawn(table)
        else:
            self.discord.answers += 1

    async def _finish(self, playing: Playing, seat: int) -> None:
        """Play the turn to its end; then leave, or play the next card."""
        before = playing.game.count_finished(seat)
        while playing.game.count_finished(seat) == before and seat in playing.game.may_act:
            await self._press(playing, seat, playing.rng.choice(list_decisions(playing.game, seat)))
        user, game = playing.people[seat], playing.game
        if not game.turn_order.shared and seat in game.may_act and playing.rng.random() < self.way.plays_on:
            await self._begin(playing, seat)
        else:
            self._leave(playing, user)

    def _leave(self, playing: Playing, user: int) -> None:
        playing.coming.discard(user)
        self._call(playing)

    async def _press(self, playing: Playing, seat: int, decision: Decision) -> None:
        user = playing.people[seat]
        self.reminding.note_click(playing.id, user)
        if not self.way.order.shared:
            step = playing.game.find_run(seat).step.number
            table, _seat = await run.decide_run(self.core, playing.id, Person(user, ""), decision, step=step)
            self.discord.answers += 1
            if not table.status.open:
                self.delivery.request_redraw(table.id)
            return
        table = await get_table(self.core, playing.id)
        table = await decide_turn(self.core, playing.id, user, decision, version=table.version)
        playing.pressed[seat] = playing.turns
        await self._redrawn(table)


def _asleep(playing: Playing) -> bool:
    return playing.table is not None and playing.table.timing.asleep_until is not None
