"""What every use case needs, and the two ways in: reading a table and changing one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.errors import Refused
from bot.locales import _
from bot.store import tables as store
from bot.store.database import Database
from bot.table import Table
from highscore.deck import Deck
from highscore.game import Event


@dataclass(frozen=True, slots=True)
class Core:
    """Handed to every use case."""

    database: Database
    now: Callable[[], datetime]
    """The one clock of the program: aware UTC. Tests turn it by hand."""
    deck: Deck
    """What new tables are played with."""
    tables_per_channel: int


@dataclass(frozen=True, slots=True)
class Person:
    """Who asks for something."""

    user_id: int
    name: str
    """As the server shows it; it is stored with the seat and cut to 100 characters."""


@dataclass(frozen=True, slots=True)
class Change:
    """A table after a change, and what is to be written of it."""

    table: Table
    events: Sequence[Event] = ()
    seats_changed: bool = False


async def load(core: Core, table_id: str) -> Table:
    """The table with this id as it was last committed. Raises Refused when there is none (any more)."""
    async with core.database.read() as connection:
        return _found(await store.load_table(connection, table_id))


async def latest(core: Core, channel_id: int) -> Table:
    """The channel's open table, or its last closed one. Raises Refused when there never was one."""
    async with core.database.read() as connection:
        there = await store.open_tables(connection, channel_id)
        table = there[-1] if there else await store.latest_table(connection, channel_id)
    if table is None:
        raise Refused(_("There is no table in this channel. `/highscore new` opens one."))
    return table


async def open_in(core: Core, channel_id: int, *, seated: int) -> Table:
    """The channel's open table; where there are several, the newest one this user sits at. Raises Refused."""
    async with core.database.read() as connection:
        there = await store.open_tables(connection, channel_id)
    if not there:
        raise Refused(_("There is no open table in this channel. `/highscore new` opens one."))
    return next((table for table in reversed(there) if table.seat_of(seated) is not None), there[-1])


async def change(
    core: Core,
    table_id: str,
    work: Callable[[Table], Change],
    *,
    user_id: int | None,
    interaction_id: int | None,
) -> Table:
    """Load a table, let ``work`` change it, store it: one transaction, all or nothing.

    ``work`` refuses by raising; then nothing is written. Its table needs no new version, it gets one here.
    """

    async def transaction(connection: AsyncConnection) -> Table:
        before = _found(await store.load_table(connection, table_id))
        wanted = work(before)
        if wanted.table == before and not wanted.events:
            return before
        after = replace(wanted.table, version=before.version + 1)
        now = core.now()
        await store.update_table(connection, after, before.version, now, seats_changed=wanted.seats_changed)
        if wanted.events:
            await store.append_events(
                connection, after, wanted.events, now, user_id=user_id, interaction_id=interaction_id
            )
        return after

    return await core.database.write(transaction)


def _found(table: Table | None) -> Table:
    if table is None:
        raise Refused(_("This table does not exist any more. `/highscore new` opens another one."))
    return table
