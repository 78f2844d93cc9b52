"""What is reachable: no time runs out while Discord does not answer, and nobody pays for an outage afterwards.

Over real sockets, with a turned clock. The bot's connection is cut off, goes silent, or its machine sleeps.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from bot.app import utc_now
from bot.discord_api import gateway
from bot.domain.table import Status, Table
from bot.services.core import get_table
from bot.ui.buttons import Verb
from highscore.turn_order import TurnOrder
from tests.discord import Discord, bots, payloads, tables
from tests.sampling import sample

STEP = 10
"""The seconds by which the clock is turned at once: more looks as if the machine had slept."""
QUARTER = timedelta(seconds=60)
"""The time again after an outage: a quarter of three minutes, but at least one."""


@dataclass
class Turned:
    """A clock that goes on, and can be turned."""

    by: timedelta = field(default_factory=timedelta)

    def now(self) -> datetime:
        return utc_now() + self.by


@dataclass
class Cut(bots.Tavern):
    """A server whose connection to the bot fails."""

    clock: Turned

    async def turn(self, moment: datetime) -> None:
        """Turn the clock to a moment, and let everything be done that is due on the way."""
        while (left := (moment - self.clock.now()).total_seconds()) > 0:
            self.clock.by += timedelta(seconds=min(left, STEP))
            await self.settle()

    async def settle(self) -> None:
        self.bot.clock.note_due(self.clock.now())
        await asyncio.sleep(0.01)
        for worker in self.bot.workers:
            await worker.settle()

    async def table(self, table_id: str) -> Table:
        return await get_table(self.bot.core, table_id)

    async def reconnect(self) -> None:
        self.discord.hub.refusals, self.discord.hub.silent = 0, False
        if self.bot.guilds[0].unavailable:
            self.discord.hub.tell(self.guild, "GUILD_CREATE", payloads.guild(self.guild, self.discord.world))
            await self.discord.until(lambda: not self.bot.guilds[0].unavailable)
        await self.discord.until(lambda: bool(self.bot.connected_share.ids))
        await self.settle()


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[Cut]:
    clock = Turned()
    limits = dict.fromkeys(("live_turn_minutes", "live_round_minutes", "live_game_minutes", "hold_minutes"), 3)
    async with bots.a_tavern(folder, clock.now, **limits) as tavern:
        await tavern.discord.until(lambda: bool(tavern.bot.connected_share.ids))
        yield Cut(**vars(tavern), clock=clock)


@pytest.fixture
async def cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Cut]:
    monkeypatch.setattr(gateway, "ANSWER_SECONDS", 0.1)
    monkeypatch.setattr(gateway, "APART_SECONDS", 0.01)
    monkeypatch.setattr(gateway, "LONGEST_WAIT", 1.0)
    async with opened(tmp_path) as made:
        yield made


async def break_off(cut: Cut) -> None:
    cut.discord.hub.refusals = 10**6
    cut.discord.hub.break_off(cut.discord.hub.connected[0])
    await cut.discord.until(lambda: not cut.bot.connected_share.ids)


async def fall_silent(cut: Cut) -> None:
    cut.discord.hub.silent = True


async def lose_server(cut: Cut) -> None:
    """Let Discord itself lose the server, while the connection stays."""
    cut.discord.hub.tell(cut.guild, "GUILD_DELETE", {"id": str(cut.guild.id), "unavailable": True})
    await cut.discord.until(lambda: cut.bot.guilds[0].unavailable)


WAYS = [pytest.param(way, id=way.__name__) for way in (break_off, fall_silent, lose_server)]


async def lobby(cut: Cut) -> str:
    return (await cut.lobby_of_two()).table_id


async def begin(cut: Cut, order: TurnOrder) -> str:
    ada, ben, _cem = cut.people
    await ada.slash(cut.channel, "highscore new", order=order.value, pace="live")
    look = await cut.press(ben, Verb.JOIN)
    await ada.press(look.message, look.custom_id(Verb.START))

    # Nobody's time begins before the opening is in the channel.
    while (table := await cut.table(look.table_id)).status is Status.LOBBY or table.timing.deadline is None:  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    return look.table_id


async def clockwise(cut: Cut) -> str:
    return await begin(cut, TurnOrder.CLOCKWISE)


async def own_pace(cut: Cut) -> str:
    return await begin(cut, TurnOrder.OWN_PACE)


async def held_dice(cut: Cut) -> str:
    """Let somebody hold the dice whose time ends before that of the round."""
    table_id = await begin(cut, TurnOrder.OPEN)
    look = await tables.newest(cut.discord, cut.channel)
    await cut.people[0].press(look.message, look.custom_id(Verb.TAKE))
    table = await cut.table(table_id)
    assert table.timing.hold_deadline is not None
    return table_id


@pytest.mark.parametrize("fail", sample(WAYS, 3))
@pytest.mark.parametrize("what", sample([lobby, clockwise, own_pace, held_dice], 2), ids=lambda what: what.__name__)
async def test_no_time_runs_out_in_an_outage_and_there_is_a_quarter_more_after_it(
    cut: Cut, fail: Callable[[Cut], Awaitable[None]], what: Callable[[Cut], Awaitable[str]]
) -> None:
    table_id = await what(cut)
    before = await cut.table(table_id)
    ends = min(before.timing.deadlines)
    cut.clock.by += max(ends - cut.clock.now() - timedelta(minutes=2), timedelta())
    await cut.settle()
    await cut.turn(ends - timedelta(seconds=20))
    await fail(cut)
    await cut.turn(ends + timedelta(seconds=90))
    during = await cut.table(table_id)
    assert (during.status, during.game, during.seats) == (before.status, before.game, before.seats)
    await cut.reconnect()
    await cut.turn(cut.clock.now() + timedelta(seconds=STEP))
    after = await cut.table(table_id)
    assert (after.status, after.game, after.seats) == (before.status, before.game, before.seats)
    again = min(after.timing.deadlines)
    assert again >= ends + timedelta(seconds=90) + QUARTER
    if what is not lobby:
        await cut.turn(again + timedelta(seconds=STEP))
        over = await cut.table(table_id)
        assert (over.version, over.timing.asleep_until) != (after.version, None), "then it runs out like any other"


async def test_without_an_outage_a_time_runs_out_at_once(cut: Cut) -> None:
    table_id = await clockwise(cut)
    table = await cut.table(table_id)
    await cut.turn(min(table.timing.deadlines) + timedelta(seconds=1))
    assert (await cut.table(table_id)).version > table.version


@pytest.mark.parametrize("hours", [8, -8])
async def test_while_the_machine_sleeps_no_time_runs_out(cut: Cut, hours: int) -> None:
    """Not even one that ends so shortly before it wakes that it does not look late."""
    table_id = await clockwise(cut)
    table = await cut.table(table_id)
    (ends,) = table.timing.deadlines
    if hours > 0:
        cut.clock.by += ends - cut.clock.now() + timedelta(seconds=60)
    else:
        cut.clock.by += timedelta(hours=hours)
    await cut.settle()
    await cut.settle()
    after = await cut.table(table_id)
    assert (after.game, after.seats) == (table.game, table.seats)
    assert min(after.timing.deadlines) >= cut.clock.now() + timedelta(seconds=50)
    await cut.turn(cut.clock.now() + timedelta(seconds=70))
    assert ((await cut.table(table_id)).version > after.version) is (hours > 0)


async def test_only_the_shard_that_is_cut_off_waits(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gateway, "LONGEST_WAIT", 0.1)
    fake, clock = Discord(), Turned()
    guilds = [fake.add_guild(f"guild{number}", [], channels=1) for number in range(8)]
    by_shard = {guild.shard(2): guild for guild in guilds}
    assert by_shard.keys() == {0, 1}
    wanted = bots.settings(tmp_path, shard_count=2)
    async with fake.serving(), bots.connected(fake, wanted, now=clock.now) as bot:
        await fake.until(lambda: len(bot.connected_share.ids) == 2)
        begun = clock.now()
        fake.hub.refusals = 10**6
        fake.hub.break_off(next(session for session in fake.hub.connected if session.shard == 1))
        await fake.until(lambda: bot.connected_share.ids == {0})
        since = await bot.find_reachable_since(by_shard[0].id)
        assert since is not None
        assert since <= begun
        assert await bot.find_reachable_since(by_shard[1].id) is None
        clock.by += timedelta(seconds=STEP)
        assert list(bot.gateway.look_for_lost()) == [1]
        fake.hub.refusals = 0
        await fake.until(lambda: bot.connected_share.whole)
        again = await bot.find_reachable_since(by_shard[1].id)
        assert again is not None
        assert again >= begun + timedelta(seconds=STEP)
        assert await bot.find_reachable_since(by_shard[0].id) == since
        assert bot.gateway.look_for_lost() == {}
    (*_, tried) = [record for record in caplog.records if record.name == "discord.shard"]
    assert (tried.levelname, tried.exc_info) == ("WARNING", None)
    assert "Attempting a reconnect for shard ID 1" in tried.getMessage()


async def test_the_bot_connects_again_within_a_minute(tmp_path: Path) -> None:
    async with opened(tmp_path) as cut:
        shard = cut.bot.shards[0]._parent
        assert 30 < max(shard._backoff.delay() for _ in range(200)) <= 60
