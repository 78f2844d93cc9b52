from collections.abc import Collection
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import Connection, select

from bot.domain import notify, screens
from bot.services import away, cancelling, daily, dare, lobby, privacy, setup
from bot.services.core import Core, Place
from bot.store import reminders, sharing
from bot.store.models import guilds_left, metadata
from bot.store.privacy import delete_some_of_guild, find_known_guilds, load_left_guilds
from bot.workers.privacy import Purges
from bot.workers.worker import Clock
from highscore import TurnOrder
from tests.bot import attempts
from tests.bot.cores import ADA, BEN, CEM, MOD, NOW, begun, open_one
from tests.bot.played import play_on
from tests.bot.services.clocked import Clocked

pytestmark = pytest.mark.both_databases

LEFT, STAYS, THIRD = 555_000_111, 666_000_222, 777_000_333
CUPS = {table.name for table in metadata.sorted_tables if table.name.startswith("cup")}
OF_NO_SERVER = {"player_settings", "interactions"}
"""Tables of people, wherever they play, and of the bot itself."""


async def _used(core: Core, guild_id: int, moves: int | None = 1) -> None:
    """Leave traces of a server in every table there is; in those of results with games played to the end (None).

    Of messages there is what their workers note.
    """
    for number in range(2):
        table = await open_one(core, channel_id=guild_id + number, guild_id=guild_id, order=TurnOrder.OPEN)
        await lobby.join_table(core, table.id, BEN)
        table = await begun(core, table.id)
        await play_on(core, table, moves)
        if moves is None:
            await dare.offer_dare(core, table.id, ADA)
        else:
            await cancelling.cancel_table(core, table.id, MOD)
    await core.database.write(_note_messages, table.id, guild_id)
    table = await open_one(core, channel_id=guild_id, guild_id=guild_id)
    await lobby.join_table(core, table.id, CEM)
    await cancelling.cancel_table(core, table.id, ADA)
    await setup.change_settings(core, guild_id, zone="Europe/Berlin")
    await away.begin_absence(core, guild_id, CEM.user_id, days=3, until=None)
    attempt = await daily.begin_attempt(core, ADA, Place(guild_id, guild_id, "en"))
    await attempts.decide(core, daily.DAYS, attempt)


def _note_messages(connection: Connection, table_id: str, number: int) -> None:
    """Store a message to be deleted, one with names in its picture, and one that calls somebody."""
    sharing.add_old_message(connection, table_id, number, number, NOW)
    sharing.note_shared(connection, number + 1, number, table_id, screens.Shared.STANDINGS)
    reminders.save_calls(connection, [notify.Call(BEN.user_id, table_id, notify.CallKind.MESSAGE.value, 1, NOW)])


def _purges(core: Core, present: Collection[int] = (), *, connected: bool = True) -> Purges:
    client: Any = SimpleNamespace(
        is_ready=lambda: connected, get_guild=lambda guild_id: guild_id if guild_id in present else None
    )
    return Purges(core, Clock(core.now), client, 30)


async def _purge(core: Core, *, present: Collection[int] = (), connected: bool = True) -> None:
    purges = _purges(core, present, connected=connected)
    purges.wake()
    await purges.settle()


async def _first_left(core: Core) -> datetime | None:
    return await core.database.read(lambda connection: connection.scalar(select(guilds_left.c.left_at)))


async def _counts(core: Core) -> dict[str, int]:
    async with core.database.reading() as connection:
        return {table.name: len((await connection.execute(select(table))).all()) for table in metadata.sorted_tables}


def test_every_table_belongs_to_a_server_or_to_what_does() -> None:
    covered = {table.name for table in metadata.sorted_tables if "guild_id" in table.c}
    for table in metadata.sorted_tables:
        cascading = {key.column.table.name for key in table.foreign_keys if key.ondelete == "CASCADE"}
        if cascading & covered:
            covered.add(table.name)
    assert {table.name for table in metadata.sorted_tables} - covered == OF_NO_SERVER


async def test_everything_of_a_server_goes_and_nothing_of_another(core: Core, play: Clocked) -> None:
    await _used(core, STAYS, moves=None)
    before = await _counts(core)
    await _used(core, LEFT, moves=None)
    doubled = await _counts(core)
    unused = {*OF_NO_SERVER, *CUPS, "guilds_left"}
    assert [name for name in before if name not in unused and doubled[name] <= before[name]] == []
    await privacy.note_guild_left(core, LEFT)
    play.now += timedelta(days=31)
    await _purge(core)
    if not core.database.shared:
        file = Path(str(core.database.url.database))
        assert file.with_name(f"{file.name}-wal").stat().st_size == 0, "nothing can be read there of what was deleted"
    assert await _counts(core) == before
    assert await core.database.read(find_known_guilds) == {STAYS}
    assert LEFT not in core.guilds


async def test_nothing_goes_before_its_time_which_begins_with_the_first_removal_that_was_noticed(
    core: Core, play: Clocked
) -> None:
    await _used(core, LEFT)
    before = await _counts(core)
    for wait in (timedelta(), timedelta(days=10)):
        play.now += wait
        await privacy.note_guild_left(core, LEFT)
        assert await _first_left(core) == NOW
    assert await core.database.read(_purges(core).next_moment, play.now) == NOW + timedelta(days=30)
    play.now += timedelta(days=19, hours=23)
    await _purge(core)
    assert await _counts(core) == {**before, "guilds_left": 1}


async def test_a_server_that_has_not_left_or_comes_back_keeps_everything(core: Core, play: Clocked) -> None:
    await _used(core, LEFT)
    before = await _counts(core)
    assert await core.database.write(partial(delete_some_of_guild, guild_id=LEFT)), "it is not noted as gone"
    assert await _counts(core) == before
    await privacy.note_guild_left(core, LEFT)
    play.now += timedelta(days=20)
    await privacy.note_guild_back(core, LEFT)
    assert await _first_left(core) is None
    play.now += timedelta(days=20)
    await _purge(core)
    assert await _counts(core) == before
    await privacy.note_guild_left(core, LEFT)
    play.now += timedelta(days=40)
    await _purge(core, present={LEFT})
    assert await _counts(core) == before


async def test_who_left_and_who_came_back_is_found_out_at_the_start(core: Core) -> None:
    for guild_id in (LEFT, STAYS, THIRD):
        await setup.change_settings(core, guild_id, zone="Europe/Berlin")
    assert await privacy.compare_guilds(core, [STAYS, THIRD, 1]) == [LEFT]
    assert await privacy.compare_guilds(core, [STAYS, 1]) == [THIRD]
    assert await privacy.compare_guilds(core, [LEFT, STAYS]) == []
    assert await core.database.read(load_left_guilds) == {THIRD}


@pytest.mark.parametrize("connected", [True, False])
async def test_nothing_is_deleted_until_it_is_known_which_servers_there_are(
    core: Core, play: Clocked, connected: bool
) -> None:
    await _used(core, LEFT)
    await privacy.note_guild_left(core, LEFT)
    await _purge(core, connected=connected)
    assert (await _counts(core))["games"] == 3
    play.now += timedelta(days=31)
    await _purge(core, connected=connected)
    assert ((await _counts(core))["games"] == 0) is connected
