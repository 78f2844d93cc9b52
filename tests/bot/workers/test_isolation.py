"""One row that cannot be handled, or that waits for Discord, neither stops nor delays the others.

test_delivery.py and test_reviews.py have the same for tables that are to be shown, and for games to be reviewed.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from sqlalchemy import Executable, insert, update

from bot.domain.table import Table
from bot.services import challenge, daily, lobby
from bot.services.core import Core, get_table
from bot.services.deadlines import act_on_due
from bot.services.facts import TableChanged
from bot.services.privacy import note_guild_left
from bot.services.setup import change_settings
from bot.store.models import attempts, dailies, seasons
from bot.store.postgres import READERS, WRITERS
from bot.store.purges import load_left_guilds
from bot.store.reminders import owe_reminders
from bot.ui.message import Rendered
from bot.ui.reminders import reminder_text
from bot.workers.clock import Clock
from bot.workers.daily import DayPodiums, SeasonPosts, SharedLines
from bot.workers.deadlines import Deadlines
from bot.workers.purges import Purges
from bot.workers.reminders import Reminding
from bot.workers.worker import Worker
from highscore.events import TakeDice
from tests.bot.cores import ADA, BEN, CEM, DOT, GUILD, NOW, begun, on_turn, open_one
from tests.bot.workers.posting import Channels, run

pytestmark = pytest.mark.both_databases

TABLES = 80
"""The number of tables of a server that is purged."""
BROKEN, SOUND = 1, 2
"""The channels in which something cannot be done, and can."""


@pytest.fixture
def channels() -> Channels:
    return Channels()


async def games(core: Core) -> tuple[Table, Table]:
    """Return two running games of different people, the broken one first."""
    made = []
    for channel_id, people in ((BROKEN, (ADA, BEN)), (SOUND, (CEM, DOT))):
        table = await open_one(core, people[0], channel_id=channel_id)
        await lobby.join_table(core, table.id, people[1])
        made.append(await begun(core, table.id, people[0]))
    return made[0], made[1]


async def execute(core: Core, statement: Executable) -> None:
    await core.database.write(lambda connection: connection.execute(statement))


def raises(*_arguments: object) -> Any:
    raise ZeroDivisionError


def deadlines(core: Core, channels: Channels | None = None) -> Deadlines:
    return Deadlines(core, Clock(core.now), channels or Channels(), lambda _table_id: None)


async def test_a_deadline_that_raises(
    core: Core, monkeypatch: pytest.MonkeyPatch, error_log: list[logging.LogRecord]
) -> None:
    broken, sound = await games(core)

    async def act_or_raise(core: Core, table: Table, *more: Any) -> Table:
        return raises() if table.id == broken.id else await act_on_due(core, table, *more)

    monkeypatch.setattr("bot.workers.deadlines.act_on_due", act_or_raise)
    worker = deadlines(core)
    assert sound.timing.deadline is not None
    core.now = lambda: sound.timing.deadline or NOW
    await run(worker)
    after = await get_table(core, sound.id)
    assert after.version > sound.version
    assert (await get_table(core, broken.id)).version == broken.version
    assert len(error_log) == 1
    error_log.clear()


async def test_who_is_still_a_member_is_not_waited_for(core: Core, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither by other tables, whose deadlines and house moves come while Discord hangs, nor for long by its own."""
    monkeypatch.setattr("bot.workers.deadlines.ASKING_SECONDS", 0.5)
    hanging, other = await games(core)
    acted: list[str] = []

    class Hanging(Channels):
        async def is_member(self, guild_id: int, user_id: int) -> bool:
            if user_id in {ADA.user_id, BEN.user_id}:
                await asyncio.Event().wait()
            return True

    async def act_and_tell(core: Core, table: Table, *more: Any) -> Table:
        acted.append(table.id)
        return await act_on_due(core, table, *more)

    monkeypatch.setattr("bot.workers.deadlines.act_on_due", act_and_tell)
    worker = deadlines(core, Hanging())
    core.now = lambda: hanging.timing.deadline or NOW
    await run(worker)
    assert acted == [other.id, hanging.id]
    assert (await get_table(core, hanging.id)).version > hanging.version


def nothing(*_what: object, **_how: object) -> Rendered:
    """Return a message without anything in it."""
    return Rendered([])


def breaking(
    monkeypatch: pytest.MonkeyPatch, name: str, broken: Callable[[Any], bool], sound: Callable[..., Any]
) -> None:
    """Have the worker's handling of one of its rows raise."""

    def render(row: Any, *more: Any, **options: Any) -> Any:
        return raises() if broken(row) else sound(row, *more, **options)

    monkeypatch.setattr(f"bot.workers.{name}", render)


async def remind(core: Core, channels: Channels, monkeypatch: pytest.MonkeyPatch) -> Worker[Any]:
    """Begin two games in which somebody is to be reminded."""
    tables = await games(core)
    for table in tables:
        await core.database.write(
            partial(owe_reminders, table_id=table.id, deadline_scope=0, user_ids=[on_turn(table)], now=NOW)
        )
    breaking(monkeypatch, "reminders.reminder_text", lambda table: table.id == tables[0].id, reminder_text)
    return Reminding(core, Clock(core.now), channels, lambda *_: raises())


async def share(core: Core, channels: Channels, monkeypatch: pytest.MonkeyPatch) -> Worker[Any]:
    """Let two people share their day."""
    for person, channel_id in ((ADA, BROKEN), (BEN, SOUND)):
        await daily.begin_attempt(core, person, guild_id=GUILD, channel_id=channel_id, locale="en")
    await execute(core, update(attempts).values(post_at=NOW, shared_at=NOW))
    breaking(monkeypatch, "daily.render_shared_score", lambda one: one.user_id == ADA.user_id, nothing)
    return SharedLines(core, Clock(core.now), channels)


async def end_days(core: Core, channels: Channels, monkeypatch: pytest.MonkeyPatch) -> Worker[Any]:
    """End the days of two servers."""
    for guild_id, channel_id in ((GUILD, BROKEN), (GUILD + 1, SOUND)):
        begun = await daily.begin_attempt(core, ADA, guild_id=guild_id, channel_id=channel_id, locale="en")
        await challenge.decide_attempt(
            core, daily.DAYS, begun.challenge.id, ADA, TakeDice(), step=begun.step, channel_id=channel_id
        )
    await execute(core, update(dailies).values(post_at=NOW))
    breaking(monkeypatch, "daily.render_podium", lambda day: day.guild_id == GUILD, nothing)
    return DayPodiums(core, Clock(core.now), channels)


async def end_seasons(core: Core, channels: Channels, monkeypatch: pytest.MonkeyPatch) -> Worker[Any]:
    """End the seasons of two servers."""
    for guild_id, channel_id, season in ((GUILD, BROKEN, "2025-Q3"), (GUILD + 1, SOUND, "2025-Q4")):
        await change_settings(core, guild_id, season_channel=channel_id)
        row = {"guild_id": guild_id, "season": season, "locale": "en", "ends_at": NOW, "post_at": NOW}
        await execute(core, insert(seasons).values(row))

    async def leaderboard(*_arguments: object) -> SimpleNamespace:
        return SimpleNamespace(lines=[SimpleNamespace(place=1)], order=None)

    monkeypatch.setattr("bot.workers.daily.load_leaderboard", leaderboard)
    breaking(monkeypatch, "daily.podium_embed", lambda season: season == "2025-Q3", lambda *_: discord.Embed())
    return SeasonPosts(core, Clock(core.now), channels)


@pytest.mark.parametrize("prepare", [remind, share, end_days, end_seasons])
async def test_a_row_whose_text_raises(
    core: Core,
    channels: Channels,
    monkeypatch: pytest.MonkeyPatch,
    error_log: list[logging.LogRecord],
    prepare: Callable[..., Awaitable[Worker[Any]]],
) -> None:
    with monkeypatch.context() as broken:
        await run(await prepare(core, channels, broken))
    assert channels.sent == [SOUND]
    assert len(error_log) == 1
    error_log.clear()


async def test_a_deadline_comes_in_between_while_a_server_is_purged(
    core: Core, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.store.purges.AT_ONCE", 1)
    _broken, sound = await games(core)
    gone = GUILD + 1
    core.tables_per_host = TABLES
    for channel_id in range(10, 10 + TABLES):
        await lobby.open_table(core, ADA, guild_id=gone, channel_id=channel_id, locale="en")
    await note_guild_left(core, gone)
    # Nothing is due at the tables of that server.
    core.now = lambda: sound.timing.deadline or NOW
    purges = Purges(core, Clock(core.now), 0, connected=lambda: True, present=lambda _guild: False)
    order: list[str] = []
    core.facts.subscribe(TableChanged, lambda fact: order.append(fact.after.id))
    handle = purges.handle

    async def purge(guild_id: int) -> None:
        await handle(guild_id)
        order.append("purged")

    monkeypatch.setattr(purges, "handle", purge)
    # To connect takes as long as many a transaction.
    for work in (core.database.read, core.database.write):
        await asyncio.gather(*(work(load_left_guilds) for _connection in range(max(READERS, WRITERS))))
    purges.wake()
    await run(deadlines(core))
    assert sound.id in order
    assert order.index(sound.id) < TABLES, "transactions of the purge before it"
    await purges.settle()
    assert order.count("purged") == TABLES + 1
