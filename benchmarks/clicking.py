"""Clicks on the bot that serves a simulated Discord (simcord), with a real database file, and their times."""

import logging
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from pydantic import SecretStr

from bot.config import Settings
from bot.domain.table import Table
from bot.services.core import Person, Place, get_table
from bot.services.lobby import NewTable, join_table, open_table, start_game
from bot.services.setup import change_settings
from bot.ui.buttons import TurnPress, Verb
from highscore.events import Decision, TakeDice
from highscore.game import list_decisions
from highscore.turn import Roll, SetAside
from highscore.turn_order import TurnOrder
from tests import simulation
from tests.bot.server import Server, serve
from tests.simulation import Click

PLAYERS = 3
TABLES = 20
"""The most tables that a channel may have."""


@asynccontextmanager
async def serving(file: Path, *, pictures: bool) -> AsyncIterator[Server]:
    async with serve(settings_for(file)) as server:
        await change_settings(server.bot.core, server.guild.id, pictures=pictures)
        yield server


def settings_for(file: Path) -> Settings:
    """Return the default settings, whatever the environment says, with a database in this file."""
    defaults = {name: one.default for name, one in Settings.model_fields.items()}
    return Settings(
        **{
            **defaults,
            "database_url": SecretStr(f"sqlite+aiosqlite:///{file.as_posix()}"),
            "tables_per_channel": TABLES,
            # A simulated player presses faster than anybody.
            "press_limit": 0,
            "command_limit": 0,
        }
    )


async def begin(server: Server) -> Table:
    """Open a table, start the game and show it."""
    core = server.bot.core
    core.tables_per_host = core.tables_per_channel
    host, *others = (Person(member.id, f"Player {at}") for at, member in enumerate(server.members[:PLAYERS]))
    table = await open_table(
        core, host, Place(server.guild.id, server.channel.id, "en"), NewTable(order=TurnOrder.OPEN)
    )
    for other in others:
        await join_table(core, table.id, other)
    await start_game(core, table.id, host)
    server.bot.delivery.request_redraw(table.id)
    await server.bot.delivery.settle()
    return await current(server, table)


async def current(server: Server, table: Table) -> Table:
    """Load the table as it is now, with the message that shows it."""
    return server.bot.delivery.current(await get_table(server.bot.core, table.id))


def some_click(server: Server, table: Table, rng: random.Random) -> Click:
    """Return a legal decision of a player whose turn it is, drawn by lot, as the press of a button."""
    assert table.game is not None
    assert table.message_id is not None
    seat = rng.choice(table.game.may_act)
    member = server.member(table.seats[seat].user_id)
    press = as_press(table, rng.choice(list_decisions(table.game, seat)))
    return Click(member, table.message_id, press.custom_id)


def as_press(table: Table, decision: Decision) -> TurnPress:
    match decision:
        case TakeDice():
            return TurnPress(Verb.TAKE, table.id, table.version)
        case Roll():
            return TurnPress(Verb.ROLL, table.id, table.version, decision.positions)
        case SetAside():
            return TurnPress(Verb.SET_ASIDE, table.id, table.version, decision.positions)
        case _:
            return TurnPress(Verb.STOP, table.id, table.version)


def remove(*files: Path) -> None:
    """Delete databases with what SQLite keeps beside them."""
    for file in files:
        for suffix in ("", "-wal", "-shm"):
            file.with_name(file.name + suffix).unlink(missing_ok=True)


@contextmanager
def hurried_folder(inside: Path | None) -> Iterator[Path]:
    """Make a folder for databases, with only errors in the log, and actions that end as soon as the bot is idle."""
    logged = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        with simulation.hurried(), TemporaryDirectory(dir=inside) as folder:
            yield Path(folder)
    finally:
        logging.disable(logged)
