"""Many people who click at once, and each of them several times: every set of duplicates counts once.

First the use cases by themselves, hundreds at a time and also with the same interaction delivered several times, to two
processes; then the real bot, where besides everybody has to get an answer. Large: 10,000 clicks each.
"""

from __future__ import annotations

import asyncio
import os
import random
from collections import Counter
from collections.abc import Awaitable, Iterable, Sequence
from dataclasses import dataclass, field, replace

import pytest
from simcord import InteractionResult, MemberActor

from bot.config import Settings
from bot.domain.errors import PlayedElsewhere, Refused, Stale
from bot.domain.table import MAX_SEATS, Status, Table
from bot.services import lobby
from bot.services import turn as playing
from bot.services.core import Core, Person, latest, load
from bot.services.lobby import NewTable
from bot.services.settings import SettingsChange, change_settings
from bot.store import table as store
from bot.ui.buttons import Press, Verb
from highscore.errors import IllegalChoice
from highscore.game import Decision, TurnOrder, legal_decisions, replay
from highscore.turn import Stop
from tests import simulation
from tests.bot.cores import GUILD, opened
from tests.bot.databases import rows
from tests.bot.server import Server, private, serve
from tests.faults.people import choose
from tests.simulation import Click

LARGE = os.environ.get("HIGHSCORE_LARGE") == "1"
CLICKS = 10_000 if LARGE else 200
TABLES = 3
CROWD = 12
AT_ONCE = 50 if LARGE else 20
"""Clicks on the bot that are on their way at once; simcord looks at all of them whenever one of them moves."""
HUNDREDS = 400 if LARGE else 60
"""Uses of the services that are on their way at once."""

PEOPLE = [Person(7_000_001 + at, f"Guest {at}") for at in range(CROWD)]


# ------------------------------------------------------------------------------------------------------- the use cases


@dataclass
class Hall:
    """Several tables that are played by everybody at once, without Discord, in two processes."""

    cores: tuple[Core, Core]
    settings: Settings
    chance: random.Random
    tables: list[Table] = field(default_factory=list)
    clicks: int = 0
    told: Counter[str] = field(default_factory=Counter)
    games: int = 0
    moves: int = 0

    async def open(self, at: int) -> Table:
        """A lobby into which everybody wants at once, several times; then many start it at once."""
        order = (TurnOrder.CLOCKWISE, TurnOrder.OPEN)[at % 2]
        host = self.chance.choice(PEOPLE)
        wishes, asked = NewTable(order=order), self._new()
        # Allowed to have more tables: it is for the interaction alone that there is one.
        opening = [
            lobby.open_table(
                self._core(),
                replace(host, interaction_id=asked),
                guild_id=GUILD,
                channel_id=100 + at,
                locale="en",
                wishes=wishes,
            )
            for _delivery in range(4)
        ]
        assert await self._at_once(opening) == 1
        table = await latest(self._core(), 100 + at)
        guests = [self.chance.choice(PEOPLE) for _press in range(2 * CROWD)] + PEOPLE
        presses = [(one, self._new()) for one in guests]
        presses += [self.chance.choice(presses) for _again in range(CROWD)]
        self.chance.shuffle(presses)
        await self._at_once(
            lobby.join(self._core(), table.id, replace(one, interaction_id=number)) for one, number in presses
        )
        table = await load(self._core(), table.id)
        sitting = [seat.user_id for seat in table.seats]
        assert len(sitting) == len(set(sitting)) == MAX_SEATS == table.version + 1
        people = [host] * 10 + PEOPLE
        starts = [lobby.start(self._core(), table.id, replace(one, interaction_id=self._new())) for one in people]
        assert await self._at_once(starts) == 1
        self.games += 1
        return await load(self._core(), table.id)

    def _core(self) -> Core:
        return self.chance.choice(self.cores)

    async def wave(self, size: int) -> None:
        """At every table the right press several times, the same interaction again, wrong and late ones, all mixed."""
        share, presses = size // len(self.tables), list[Awaitable[Table]]()
        rights: list[set[int]] = []
        for table in self.tables:
            assert table.game is not None
            seats = list(table.game.may_act)
            decisions = {seat: self._decision(table, seat) for seat in seats}
            # In open order several people reach for the dice at once, and each of them often.
            asked = [(self.chance.choice(seats), self._new()) for _press in range(share // 3)]
            asked += [self.chance.choice(asked) for _again in range(share // 3)]
            presses += [self._decide(table, seat, decisions[seat], number) for seat, number in asked]
            rights.append({number for _seat, number in asked})
            presses += [self._wrong(table, decisions) for _press in range(share - len(asked))]
        self.chance.shuffle(presses)
        await self._at_once(presses)
        for at, table in enumerate(self.tables):
            after = await load(self._core(), table.id)
            assert after.version == table.version + 1, "one press of all of them counts"
            sql = "select interaction_id from events where game_id = ? and seq > ?"
            ((counted,),) = rows(self.settings, sql, table.id, table.version)
            assert counted in rights[at]
            self.moves += 1
            self.tables[at] = after if after.status is Status.PLAYING else await self._again(at, after)

    async def _again(self, at: int, over: Table) -> Table:
        assert over.status is Status.FINISHED
        await check(self._core(), over)
        return await self.open(at)

    def _decision(self, table: Table, seat: int) -> Decision:
        assert table.game is not None
        options = legal_decisions(table.game, seat)
        stops = [option for option in options if isinstance(option, Stop)]
        return self.chance.choice(stops or [options[-1]] if self.chance.random() < 0.6 else options)

    def _decide(self, table: Table, seat: int, decision: Decision, number: int) -> Awaitable[Table]:
        user_id = table.seats[seat].user_id
        assert user_id is not None
        return playing.decide(self._core(), table.id, user_id, decision, version=table.version, interaction_id=number)

    def _wrong(self, table: Table, decisions: dict[int, Decision]) -> Awaitable[Table]:
        """A press of an older picture, or of somebody who may not."""
        decision = self.chance.choice(list(decisions.values()))
        on = [table.seats[seat].user_id for seat in decisions]
        back = self.chance.choice((0, 1, 1, 2))
        user_id = self.chance.choice([one.user_id for one in PEOPLE if back or one.user_id not in on])
        return playing.decide(
            self._core(), table.id, user_id, decision, version=table.version - back, interaction_id=self._new()
        )

    def _new(self) -> int:
        self.clicks += 1
        return self.clicks

    async def _at_once(self, work: Iterable[Awaitable[Table]]) -> int:
        """Wait for all of it; everybody is told what became of it. Returns how many counted."""
        counted = 0
        for result in await asyncio.gather(*work, return_exceptions=True):
            match result:
                case Table():
                    counted += 1
                    self.told["counted"] += 1
                case PlayedElsewhere() | Stale() | Refused() | IllegalChoice():
                    self.told[type(result).__name__] += 1
                case _:
                    raise AssertionError(f"an error, not an answer: {result!r}")
        return counted


async def check(core: Core, table: Table) -> None:
    """What is stored is what the log leads to."""
    async with core.database.read() as connection:
        events = await store.load_events(connection, table.id)
    assert replay(len(table.seats), table.turn_order, events) == table.game


async def test_of_hundreds_of_uses_at_once_each_set_of_duplicates_counts_once(settings: Settings) -> None:
    several = settings.model_copy(update={"tables_per_channel": 3})
    async with opened(several) as core, opened(several) as other:
        hall = Hall((core, other), settings, random.Random(CLICKS))
        hall.tables = [await hall.open(at) for at in range(TABLES)]
        while hall.clicks < CLICKS:
            await hall.wave(HUNDREDS)
        for table in hall.tables:
            await check(core, table)
        print(f"{hall.told.total()} uses at {hall.games} tables, {hall.moves} moves: {dict(hall.told)}")
    numbers = [number for (number,) in rows(settings, "select interaction_id from events") if number is not None]
    assert len(numbers) == len(set(numbers))


# ------------------------------------------------------------------------------------------------------------- the bot


@dataclass
class Crowd:
    """Several tables in one channel, and everybody clicks."""

    server: Server
    chance: random.Random
    table_ids: list[str] = field(default_factory=list)
    clicks: int = 0
    answers: Counter[str] = field(default_factory=Counter)

    async def open(self) -> None:
        """A game of four."""
        before = {table_id for (table_id,) in self.server.rows("select id from games")}
        # No time passes here, so no table is the newest.
        await self.server.slash(self.server.members[0], "new", order="open", pace="relaxed")
        ((table_id,),) = [row for row in self.server.rows("select id from games") if row[0] not in before]
        people = self.server.members[:4]
        for verb, who in ((Verb.JOIN, people[1:]), (Verb.START, people[:1])):
            table = await self.server.table(table_id)
            await self._together([self._click(one, table, Press(verb, table.id, table.version)) for one in who])
        self.table_ids.append(table_id)

    async def wave(self) -> None:
        """At every table the right button several times, by others too, and older buttons, all mixed."""
        before = [await self.server.table(table_id) for table_id in self.table_ids]
        presses: list[Click] = []
        for table in before:
            user_id, press = choose(self.chance, table)
            player = self.server.member(user_id)
            others = [one for one in self.server.members if one is not player]
            share = AT_ONCE // len(before)
            presses += [self._click(player, table, press)] * (share // 2)
            presses += [self._click(self.chance.choice(others), table, press) for _press in range(share // 4)]
            old = replace(press, version=max(table.version - self.chance.randint(1, 3), 0))
            presses += [self._click(self.chance.choice(others), table, old) for _press in range(share // 4)]
        self.chance.shuffle(presses)
        await self._together(presses)
        for table in before:
            await self._check_move(table)

    async def _check_move(self, before: Table) -> None:
        after = await self.server.table(before.id)
        assert after.version == before.version + 1, "one press of all of them counts"
        sql = "select count(*) from events where game_id = ? and seq > ?"
        assert self.server.rows(sql, before.id, before.version) == [(1,)]
        shown = self.server.bot.delivery.current(after)
        assert not shown.owed
        assert shown.message_id is not None
        if after.status is Status.FINISHED:
            await check(self.server.bot.core, after)
            self.table_ids.remove(after.id)
            await self.open()
            return
        buttons = self.server.buttons(message=self.server.message(shown.message_id))
        versions = {int(str(button.custom_id).split(":")[3]) for button in buttons}
        assert versions == {after.version}, "the newest version is what people see"

    def _click(self, member: MemberActor, table: Table, press: Press) -> Click:
        message_id = self.server.bot.delivery.current(table).message_id
        assert message_id is not None
        return Click(member, message_id, press.custom_id)

    async def _together(self, presses: Sequence[Click]) -> None:
        self.clicks += len(presses)
        for result in await simulation.click_together(self.server.env, self.server.channel, presses):
            self.answers[_answer(result)] += 1


def _answer(result: InteractionResult) -> str:
    """How a click was answered, in a word; everybody is answered, and nobody hears of an error."""
    assert result.acknowledged
    if result.response is None or not result.response.ephemeral:
        return "shown the table"
    text = private(result)
    assert "went wrong" not in text, text
    return "told why not"


@pytest.mark.only_sqlite("on both databases the use cases are pressed by themselves")
async def test_of_many_clicks_at_once_each_set_of_duplicates_counts_once_and_all_are_answered(
    settings: Settings,
) -> None:
    async with serve(settings.model_copy(update={"tables_per_channel": TABLES}), members=CROWD) as server:
        await change_settings(server.bot.core, server.guild.id, SettingsChange(pictures=False))
        everybody = Crowd(server, random.Random(CLICKS))
        for _table in range(TABLES):
            await everybody.open()
        while everybody.clicks < CLICKS:
            await everybody.wave()
        assert everybody.answers.total() == everybody.clicks
        for table_id in everybody.table_ids:
            await check(server.bot.core, await server.table(table_id))
        numbers = [number for (number,) in server.rows("select interaction_id from events") if number is not None]
        assert len(numbers) == len(set(numbers))
        print(f"{everybody.clicks} clicks: {dict(everybody.answers)}, {len(numbers)} moves")
