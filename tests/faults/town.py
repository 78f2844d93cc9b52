"""A small town that plays: people with lives, tables in channels and threads, and everything that goes wrong."""

from __future__ import annotations

import dataclasses
import random
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import discord
from simcord import MemberActor
from simcord.backend.models import Overwrite

from bot.domain.table import Status, Table
from bot.ui.buttons import Verb
from tests import simulation
from tests.bot.server import Server
from tests.faults.people import choose
from tests.faults.weather import Weather

STEP = timedelta(minutes=20)
PARTS = 10
CALM, STORM = 0.03, 0.3
"""Of the bot's calls, how many fail on an ordinary day and in a storm."""
WAYS = ("channel", "dm", "none")


@dataclass
class Place:
    """A table and where it is."""

    server: Server
    table_id: str
    deleted: int = 0
    """Messages that somebody deleted."""
    gone: bool = False
    forbidden_until: datetime | None = None


@dataclass
class Town:
    """Everybody and everything."""

    server: Server
    weather: Weather
    chance: random.Random
    happened: Counter[str] = field(default_factory=Counter)
    places: list[Place] = field(default_factory=list)
    away: dict[int, datetime] = field(default_factory=dict)
    left: set[int] = field(default_factory=set)
    to_open: list[tuple[datetime, str]] = field(default_factory=list)

    async def settle_in(self, tables: int, paces: tuple[str, ...], span: timedelta) -> None:
        """Everybody chooses how to be reminded; plan to open tables over a while."""
        for member in self.server.members:
            await self.server.slash(member, "reminders", way=self.chance.choice(WAYS))
        begin = self.server.env.now()
        moments = sorted(begin + span * self.chance.random() for _table in range(tables))
        self.to_open = [(moment, self.chance.choice(paces)) for moment in moments]

    async def _open_what_is_due(self) -> None:
        self.weather.rate = 0.0
        while self.to_open and self.to_open[0][0] <= self.server.env.now():
            await self._open(self.to_open.pop(0)[1])

    async def _open(self, pace: str) -> None:
        """Open a table and, mostly, start the game."""
        channel = self.server.guild.create_text_channel(f"table-{len(self.places)}")
        here = [member for member in self.server.members if member.id not in self.left]
        people = self.chance.sample(here, self.chance.randint(2, 4))
        options: dict[str, Any] = {"pace": pace, "order": self.chance.choice(("open", "clockwise"))}
        if self.chance.random() < 0.3:
            options["house"] = 1
        there = dataclasses.replace(self.server, channel=channel, members=people)
        if self.chance.random() < 0.25:
            await there.slash(people[0], "new", thread=True, **options)
            there = dataclasses.replace(there, channel=channel.threads[0])
        else:
            await there.slash(people[0], "new", **options)
        for member in people[1:]:
            await there.press(member, Verb.JOIN)
        if self.chance.random() < 0.95:
            await there.press(people[0], Verb.START)
        self.places.append(Place(there, (await there.table()).id))

    async def tables(self) -> list[Table]:
        return [await self.server.table(place.table_id) for place in self.places]

    async def live(self, span: timedelta) -> None:
        """A while in which people play, and things happen."""
        end = self.server.env.now() + span
        while self.server.env.now() < end:
            await self._open_what_is_due()
            self.weather.rate = STORM if self.chance.random() < 0.04 else CALM
            for place in self.places:
                await self._visit(place)
            await self._mishaps()
            await self._pass(STEP)

    async def _pass(self, span: timedelta) -> None:
        """Let time pass, in small parts: an action of simcord may take only so many real seconds."""
        for _part in range(PARTS):
            await self.server.env.advance_time(span.total_seconds() / PARTS)

    async def rest(self, longest: timedelta) -> None:
        """Nobody plays any more, nothing goes wrong any more, until everything is over."""
        self.weather.rate = 0.0
        for place in self.places:
            self._permit(place)
        end = self.server.env.now() + longest
        while self.server.env.now() < end and any(table.status.open for table in await self.tables()):
            await self._pass(STEP)
        await self._pass(timedelta(hours=1))

    # ------------------------------------------------------------------ people

    def _may_be_there(self, member: MemberActor) -> bool:
        now = self.server.env.now()
        if member.id in self.left:
            return False
        if (until := self.away.get(member.id)) is not None and now < until:
            return False
        if self.chance.random() < 0.005:
            self.happened["absences"] += 1
            self.away[member.id] = now + timedelta(hours=self.chance.uniform(4, 60))
            return False
        # Few people play at night.
        return self.chance.random() < (0.02 if now.hour < 6 else 0.4)

    async def _visit(self, place: Place) -> None:
        """Whoever has time looks at a table, and plays the whole turn."""
        if place.gone:
            return
        for member in place.server.members:
            table = await place.server.table(place.table_id)
            seat = table.seat_of(member.id)
            if table.status is not Status.PLAYING or table.game is None or seat is None:
                continue
            if table.seats[seat].left or not self._may_be_there(member):
                continue
            for _press in range(8):
                if not _waits_for(table, seat) or not self._visible(place, table):
                    break
                await self._press(place, member, table, seat)
                table = await place.server.table(place.table_id)
            if not self._visible(place, table) and self.chance.random() < 0.2 and place.forbidden_until is None:
                self.happened["shows"] += 1
                await member.slash(place.server.channel, "highscore show")

    async def _press(self, place: Place, member: MemberActor, table: Table, seat: int) -> None:
        self.happened["presses"] += 1
        _user, press = choose(self.chance, table, seat)
        click = simulation.Click(member, table.message_id or 0, press.custom_id)
        before = table.version
        await simulation.click(self.server.env, place.server.channel, click)
        after = (await place.server.table(place.table_id)).version
        assert after == before + 1

    def _visible(self, place: Place, table: Table) -> bool:
        current = place.server.bot.delivery.current(table)
        return current.message_id in {message.id for message in place.server.messages}

    # ------------------------------------------------------------------ mishaps

    async def _mishaps(self) -> None:
        if self.chance.random() < 0.02:
            self.happened["restarts"] += 1
            await self.server.restart()
        if self.chance.random() < 0.002 and len(self.left) < len(self.server.members) // 5:
            member = self.chance.choice([each for each in self.server.members if each.id not in self.left])
            self.happened["people off the server"] += 1
            self.left.add(member.id)
            self.server.guild.remove_member(member)
        for place in self.places:
            if not place.gone and (await self.server.table(place.table_id)).status.open:
                await self._mishap(place)

    async def _mishap(self, place: Place) -> None:
        now = self.server.env.now()
        if place.forbidden_until is not None and now >= place.forbidden_until:
            self._permit(place)
        kind = self.chance.random()
        if kind < 0.006:
            messages = [message for message in place.server.messages if message.components]
            if messages:
                self.happened["deleted messages"] += 1
                place.deleted += 1
                simulation.delete_message(self.server.env, place.server.channel, messages[-1].id)
        elif kind < 0.009 and place.forbidden_until is None:
            self.happened["lost permissions"] += 1
            place.forbidden_until = now + timedelta(hours=self.chance.uniform(0.5, 20))
            self._overwrite(place, discord.Permissions(send_messages=True, send_messages_in_threads=True).value)
        elif kind < 0.0094:
            self.happened["deleted channels"] += 1
            place.gone = True
            simulation.delete_channel(self.server.env, place.server.channel)
            await self.server.env.settle()

    def _permit(self, place: Place) -> None:
        if place.forbidden_until is not None and not place.gone:
            place.forbidden_until = None
            self._overwrite(place, 0)

    def _overwrite(self, place: Place, denied: int) -> None:
        assert self.server.bot.user is not None
        stored = self.server.env.backend.get_channel(place.server.channel.id)
        channel_id = stored.parent_id or stored.id if stored.is_thread else stored.id
        overwrite = Overwrite(self.server.bot.user.id, 1, 0, denied)  # type: ignore[arg-type]
        self.server.env.backend.set_overwrite(channel_id, overwrite)


def _waits_for(table: Table, seat: int) -> bool:
    return table.game is not None and seat in table.game.may_act
