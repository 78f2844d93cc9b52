"""Time that the bot takes to start: ``python -m benchmarks.start``.

* With 10,000 open tables beside none, on a simulated Discord (simcord) with real database files, in turns. Target: the
  median is at most 1.1 times.
* ``highscore-bot run`` as a process, from nothing until the gateway has it (READY), on the fake Discord over real
  sockets; beside a process of discord.py alone that opens the same database. Target: at most 1.2 times the processor's
  time, medians.
"""

import asyncio
import random
import sqlite3
from asyncio.subprocess import DEVNULL
from contextlib import closing
from pathlib import Path
from statistics import median

from simcord import Env

from benchmarks.clicking import begin, current, hurried_folder, remove, serving, settings_for, some_click
from benchmarks.games import GAME_TABLES, copy_game
from benchmarks.processes import BOT, on_fake, processor_seconds
from benchmarks.report import FOLDER, QUICK, Arguments, Report, clock, in_ms, run
from bot.app import HighScoreBot
from bot.cli.common import open_database, url_of
from bot.store.schema import migrate_database
from tests.bot.cli.process import environment
from tests.bot.server import SETTLE
from tests.discord.server import TOKEN, Discord
from tests.simulation import click

TARGET, READY_TARGET = 1.1, 1.2
OPEN_TABLES = 10_000
MOVES = 20
"""The moves of the game that all open tables are copies of."""


async def copy_tables(file: Path, count: int) -> None:
    """Add so many games in their middle to a database, each in a channel of its own."""
    rng = random.Random(count)
    async with serving(file, pictures=True) as server:
        table = await begin(server)
        for _ in range(MOVES):
            await click(server.env, server.channel, some_click(server, table, rng))
            table = await current(server, table)
    # The server that ``start`` makes: simcord numbers the first one alike every time.
    guild = Env(HighScoreBot(settings_for(file)), shard_count=1).create_guild()
    with closing(sqlite3.connect(file)) as connection, connection:
        moved = {name: f"{name} + :number * 1000000" for name in ("channel_id", "message_id", "interaction_id")}
        copy_game(connection, table.id, range(1, count + 1), guild_id=str(guild.id), **moved)
        for name, key in GAME_TABLES.items():
            connection.execute(f"DELETE FROM {name} WHERE {key} = ?", (table.id,))  # noqa: S608
        connection.execute("PRAGMA foreign_key_check")


async def start(file: Path) -> float:
    """Return the seconds from making the bot until it is ready."""
    began = clock()
    env = Env(HighScoreBot(settings_for(file)), shard_count=1, check_errors=False, settle_timeout=SETTLE)
    guild = env.create_guild()
    await env.start()
    await env.bot.wait_until_ready()
    taken = clock() - began
    with closing(sqlite3.connect(file)) as connection:
        elsewhere = "SELECT count(*) FROM games WHERE guild_id <> ?"
        assert connection.execute(elsewhere, (guild.id,)).fetchone() == (0,), "or their games would be closed now"
    await env.bot.close()
    await env.shutdown()
    return taken


def measure(folder: Path, times: int) -> dict[bool, list[float]]:
    """Return the seconds of starts with none (False) and with many (True), in turns; the first ones do not count."""
    found: dict[bool, list[float]] = {False: [], True: []}
    files = {False: folder / "none.sqlite3", True: folder / "many.sqlite3"}
    asyncio.run(copy_tables(files[True], OPEN_TABLES))
    asyncio.run(migrated(files[False]))
    with closing(sqlite3.connect(files[True])) as connection:
        query = "SELECT count(*) FROM games WHERE status = 'playing' AND shown_content_version = content_version"
        assert connection.execute(query).fetchone() == (OPEN_TABLES,)
    for count in range(times):
        for many in (False, True) if count % 2 else (True, False):
            taken = asyncio.run(start(files[many]))
            if count > 0:
                found[many].append(taken)
    remove(*files.values())
    return found


_ALONE = """
import os
import discord
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

class Alone(discord.AutoShardedClient):
    async def setup_hook(self):
        self.engine = create_async_engine(os.environ["DATABASE_URL"])
        async with self.engine.connect() as connection:
            await connection.execute(text("SELECT count(*) FROM games"))

Alone(intents=discord.Intents(guilds=True)).run(os.environ["DISCORD_TOKEN"], log_handler=None)
"""


async def until_ready(folder: Path, times: int) -> tuple[list[float], list[float]]:
    """Return the processor's seconds until READY of discord.py alone and of the bot, in turns, after a first start."""
    url = f"sqlite+aiosqlite:///{folder / 'ready.sqlite3'}"
    await migrated(folder / "ready.sqlite3")
    fake = Discord()
    fake.add_guild("Tavern", [fake.add_user("ada")], channels=1)
    settings = environment({"DISCORD_TOKEN": TOKEN, "DATABASE_URL": url, "EMOJI": "false", "LOG_LEVEL": "ERROR"})
    # Compiled once, like what is installed, whatever is set here.
    settings |= {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(folder / "compiled")}
    found: tuple[list[float], list[float]] = ([], [])
    async with fake.serving():
        for count in range(times):
            for command, busy in zip((on_fake(fake, _ALONE), on_fake(fake, BOT)), found, strict=True):
                process = await asyncio.create_subprocess_exec(*command, env=settings, cwd=folder, stdout=DEVNULL)
                await fake.until_connected(seconds=60)
                if count > 0:
                    busy.append(processor_seconds(process.pid))
                process.terminate()
                await process.wait()
                await fake.until(lambda: not fake.hub.connected, 60)
    return found


async def migrated(file: Path) -> None:
    """Make an empty database at this version's schema."""
    async with open_database(url_of(settings_for(file)), checkpoints=True) as database:
        await migrate_database(database)


def compare(options: Arguments, report: Report) -> None:
    """Compare starts with and without tables, then the times until READY."""
    with hurried_folder(options.folder) as folder:
        found = measure(folder, 6 if options.quick else 26)
        alone, whole = asyncio.run(until_ready(folder, 3 if options.quick else 10))
    print(f"{'':52} {'median, p99':>30}")
    report.line("start with no open table", in_ms(found[False]))
    report.line(f"start with {OPEN_TABLES:,} open tables", in_ms(found[True]))
    ratio, ready = median(found[True]) / median(found[False]), median(whole) / median(alone)
    report.line("start with tables, times as long", f"{ratio:.2f}", f"{TARGET:g}", ratio <= TARGET)
    report.line("READY, discord.py alone: processor", in_ms(alone))
    report.line("READY, highscore-bot run: processor", in_ms(whole))
    report.line("READY, times as long", f"{ready:.2f}", f"{READY_TARGET:g}", ready <= READY_TARGET)


if __name__ == "__main__":
    run(__doc__, compare, QUICK, FOLDER)
