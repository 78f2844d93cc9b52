"""The use cases without Discord: a core on a database file, and people."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from bot.config import Settings
from bot.domain.table import Table
from bot.services import lobby
from bot.services.core import Change, Core, Person, Place, change_table
from bot.services.lobby import NewTable
from highscore import Game, TurnOrder
from tests.bot.databases import open_database

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
LATER = timedelta(minutes=1)
ADA, BEN, CEM, DOT, EVE = PEOPLE = tuple(
    Person(number, name) for number, name in enumerate(("Ada", "Ben", "Cem", "Dot", "Eve"), start=1001)
)
MOD = Person(9001, "Mod", moderator=True, manages_server=True)
"""Sits nowhere."""
GUILD, CHANNEL = 2001, 3001
OPENING_ID = 1424242424242424242


@asynccontextmanager
async def opened(settings: Settings, *, checkpoints: bool = True) -> AsyncIterator[Core]:
    """Open a core on the settings' migrated database, and close it in the end. Its clock stands still."""
    async with open_database(settings, checkpoints=checkpoints) as database:
        yield Core(database, lambda: NOW, settings.load_deck(), settings.tables_per_channel, settings.paces)


async def open_one(
    core: Core, host: Person = ADA, *, channel_id: int = CHANNEL, guild_id: int = GUILD, **wishes: Any
) -> Table:
    """Open a lobby of one person, with the wishes of a ``NewTable``."""
    return await lobby.open_table(core, host, Place(guild_id, channel_id, "en"), NewTable(**wishes))


async def seated(
    core: Core, players: int, order: TurnOrder = TurnOrder.CLOCKWISE, channel_id: int = CHANNEL, house: int = 0
) -> Table:
    table = await open_one(core, channel_id=channel_id, order=order, house=house)
    for person in PEOPLE[1:players]:
        table = await lobby.join_table(core, table.id, person)
    return table


async def started(core: Core, players: int = 2, order: TurnOrder = TurnOrder.CLOCKWISE) -> Table:
    return await begun(core, (await seated(core, players, order)).id)


async def begun(core: Core, table_id: str, host: Person = ADA) -> Table:
    """Start a lobby's game as its host, after the message that opens the game is in the channel."""
    await lobby.start_game(core, table_id, host)
    return await lobby.begin_game(core, table_id, OPENING_ID)


async def retell(core: Core, table_id: str) -> Table:
    """Move a moment that a table tells, which makes no button stale."""

    def later(table: Table) -> Change:
        assert table.timing.deadline is not None
        return Change(replace(table, timing=replace(table.timing, deadline=table.timing.deadline + LATER)))

    return await change_table(core, table_id, later)


def game_of(table: Table) -> Game:
    assert table.game is not None
    return table.game


def on_turn(table: Table) -> int:
    user_id = table.seats[game_of(table).may_act[0]].user_id
    assert user_id is not None
    return user_id
