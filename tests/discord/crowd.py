"""People who play at many tables at once, and look no further than what Discord shows them."""

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from bot.domain.errors import Refused
from bot.domain.table import Table
from bot.services.core import Core, get_table
from bot.ui.buttons import Verb
from highscore.turn_order import TurnOrder
from tests.discord import ledger, server, tables
from tests.discord.people import Person
from tests.discord.state import Channel, Guild

PATIENCE = 0.5
"""Seconds people wait for an answer before they do the next thing."""
HALF, OFTEN, SOMETIMES, RARELY = 0.5, 0.3, 0.1, 0.03
ASIDE = (Verb.HINT, Verb.REPORT, Verb.PROOF)
"""Buttons that are answered privately."""


@dataclass
class Place:
    guild: Guild
    channel: Channel
    people: list[Person]
    pace: str = "relaxed"
    threads: bool = False
    """True if they sometimes play in a thread of the channel."""
    absent_seconds: float = 0.0
    """The seconds people stay away who let their turn pass; 0 if nobody does."""
    house: int = 0
    """House players that sit with them."""
    thread: Channel | None = None
    games: int = 0

    @property
    def where(self) -> Channel:
        return self.thread or self.channel


@dataclass
class Crowd:
    discord: server.Discord
    core: Core
    """The bot's core, with the tables as they were committed."""
    chance: random.Random
    patience: float = PATIENCE
    thinking: float = 0.0
    """Seconds people look at a table before they do something."""
    over: Callable[[], bool] = lambda: False
    """Returns True when there is nothing to wait for any more: the bot is gone."""
    presses: list[ledger.Pressed] = field(default_factory=list)

    @property
    def moved(self) -> int:
        return sum(each.acknowledged and each.press.verb in ledger.MOVES for each in self.presses)

    async def play_in(self, place: Place, enough: Callable[[], bool]) -> None:
        while not enough():
            if place.where.id not in self.discord.world.channels:
                place.thread = None
            if place.channel.id not in self.discord.world.channels:
                place.channel = self.discord.add_channel(place.guild, f"{place.channel.name}-again")
            look = next(iter(reversed(tables.shown_in(place.where))), None)
            if look is None or look.press(Verb.REMATCH) is not None:
                await self._open(place, look)
            else:
                if self.thinking:
                    await asyncio.sleep(self.thinking)
                await self._act(place, look)

    async def _open(self, place: Place, ended: tables.Seen | None) -> None:
        """Open a table; or have it shown, where there is one that nobody can see."""
        if ended is not None and self.chance.random() < SOMETIMES:
            await self._press(self.chance.choice(place.people), ended, self.chance.choice(ended.presses))
        options: dict[str, Any] = {
            "pace": place.pace,
            "order": self.chance.choice([order.value for order in TurnOrder]),
            "seats": len(place.people) + place.house,
        }
        if place.house:
            options["house"] = place.house
        host = self.chance.choice(place.people)
        threads = len(place.guild.threads)
        if place.threads and self.chance.random() < HALF:
            options["thread"] = True
        command = host.begin_slash(place.channel, "highscore new", **options)
        await self._until(lambda: command.acknowledged)
        if "thread" in options:
            await self._until(lambda: len(place.guild.threads) > threads)
            place.thread = next((each for each in place.guild.threads[threads:] if each.parent is place.channel), None)
        if await self._shown_after(place, ended):
            place.games += 1
        elif command.private or self.chance.random() < OFTEN:
            shown = host.begin_slash(place.where, "highscore show")
            await self._until(lambda: shown.acknowledged)
            await self._shown_after(place, ended)

    async def _shown_after(self, place: Place, ended: tables.Seen | None) -> bool:
        """Return whether another table than the one that has ended can be seen soon."""

        def another() -> bool:
            looks = tables.shown_in(place.where)
            return bool(looks) and (ended is None or looks[-1].table_id != ended.table_id)

        return await self._until(another)

    async def _until(self, condition: Callable[[], bool]) -> bool:
        """Wait as long as people do; whether it came true."""
        try:
            return await self.discord.until(lambda: condition() or self.over(), self.patience) and condition()
        except AssertionError:
            return False

    async def _act(self, place: Place, look: tables.Seen) -> None:
        """Let somebody do something at the table that can be seen."""
        try:
            table = await get_table(self.core, look.table_id)
        except Refused:
            return
        if look.own_pace:
            await self._play_alone(place, table, look)
            return
        if look.version < table.version and self.chance.random() < 1 - SOMETIMES:
            # They see a picture that is about to change; few press on it all the same.
            await self._change(place, look)
            return
        if place.absent_seconds and self.chance.random() < SOMETIMES:
            await self._be_absent(place)
            return
        chosen = self._lobby(place, table, look) if table.game is None else self._turn(place, table, look)
        if chosen is None:
            await self._change(place, look)
            return
        await self._press(chosen[0], look, chosen[1])

    async def _play_alone(self, place: Place, table: Table, look: tables.Seen) -> None:
        """Let somebody open their page of a table in own pace, or go on there, sometimes on an older copy of it."""
        game, play = table.game, look.press(Verb.PLAY)
        seats = [] if game is None or game.over else [at for at in game.may_act if table.seats[at].house is None]
        if place.absent_seconds and self.chance.random() < RARELY:
            await self._be_absent(place)
            return
        if play is None or not seats:
            await self._change(place, look)
            return
        user_id = table.seats[self.chance.choice(seats)].user_id
        person = next((each for each in place.people if each.id == user_id), None)
        if person is None:
            await self._change(place, look)
            return
        older = self.chance.random() < SOMETIMES
        page = tables.page_of(place.where, person.user, table.id, older=older)
        if page is None or self.chance.random() < RARELY:
            await self._press(person, look, play)
            await self._until(lambda: tables.page_of(place.where, person.user, table.id) not in (None, page))
        else:
            await self._press(person, page, self._choice(page) or page.presses[0])

    async def _be_absent(self, place: Place) -> None:
        """Have nobody play for a while; half of the time somebody is not even on the server."""
        leaving = self.chance.choice(place.people)
        if self.chance.random() < HALF:
            self.discord.remove_member(place.guild, leaving.user)
        await asyncio.sleep(place.absent_seconds)
        place.guild.members[leaving.id] = leaving.user

    async def _change(self, place: Place, look: tables.Seen) -> None:
        await self._until(lambda: look not in tables.shown_in(place.where)[-1:])

    def _lobby(self, place: Place, table: Table, look: tables.Seen) -> tuple[Person, tables.Press] | None:
        # A person whose seat is only kept, as at a rematch, has to press Join like anybody else.
        sitting = {seat.user_id for seat in table.seats if not seat.invited}
        standing = [person for person in place.people if person.id not in sitting]
        if standing:
            press = look.press(Verb.JOIN)
            return None if press is None else (standing[0], press)
        host = next((person for person in place.people if person.id == table.host_id), place.people[0])
        press = look.press(Verb.START)
        return None if press is None else (host, press)

    def _turn(self, place: Place, table: Table, look: tables.Seen) -> tuple[Person, tables.Press] | None:
        assert table.game is not None
        if (wake := look.press(Verb.WAKE)) is not None:
            # The table sleeps: nobody is waited for until somebody goes on.
            return self.chance.choice(place.people), wake
        if not table.game.may_act:
            return None
        user_id = table.seats[self.chance.choice(table.game.may_act)].user_id
        person = next((each for each in place.people if each.id == user_id), None)
        if person is None:
            return None
        chosen = self._choice(look)
        return None if chosen is None else (person, chosen)

    def _choice(self, look: tables.Seen) -> tables.Press | None:
        aside = [press for press in look.presses if press.verb in ASIDE]
        if aside and self.chance.random() < RARELY:
            return self.chance.choice(aside)
        back = look.press(Verb.BACK)
        if back is not None and self.chance.random() < OFTEN:
            return back
        toggles = [press for press in look.presses if press.verb is Verb.TOGGLE]
        moves = [press for press in look.presses if press.verb in (*ledger.MOVES, Verb.ASK)]
        if toggles and (not moves or self.chance.random() < OFTEN):
            return self.chance.choice(toggles)
        return self.chance.choice(moves) if moves else None

    async def _press(self, person: Person, look: tables.Seen, press: tables.Press) -> None:
        interaction = person.begin_press(look.message, press.custom_id)
        self.presses.append(ledger.Pressed(person, press, interaction))
        if self.chance.random() < RARELY:
            # A finger that twitches.
            twice = person.begin_press(look.message, press.custom_id)
            self.presses.append(ledger.Pressed(person, press, twice))
        await self._until(lambda: interaction.acknowledged)
