"""How long the bot takes to start: ``python -m benchmarks.start``.

* A start with 10,000 open tables is compared with one without any, on a simulated Discord (simcord) and real database
  files. Target: at most 1.1 times as long.
* The processor time that ``highscore-bot run`` takes until it is connected to a fake Discord over real sockets (READY)
  is compared with a process that has only discord.py and opens the same database. Target: at most 1.2 times as much.

Ratios are those of the medians. The benchmark takes about three minutes, with ``--quick`` one.
"""

import asyncio
import random
import sqlite3
from contextlib import closing
from pathlib import Path
from statistics import median

from simcord import Env

from benchmarks.databases import open_core, quiet_folder, settings_for
from benchmarks.games import GAME_TABLES, copy_game
from benchmarks.press_path import begin_game, click_for, reload
from benchmarks.processes import BOT, connected, processor_seconds
from benchmarks.report import FOLDER, QUICK, Arguments, Report, clock, in_ms, run
from bot.app import HighScoreBot
from highscore.game import list_decisions
from tests.bot.server import SETTLE, serve
from tests.discord.server import Discord
from tests.simulation import click

TARGET, READY_TARGET = 1.1, 1.2
OPEN_TABLES = 10_000
MOVES = 20
"""The moves of the game that is copied to all open tables."""


async def copy_tables(file: Path, count: int) -> None:
    """Add this many unfinished games to a database, each in its own channel."""
    rng = random.Random(count)
    async with serve(settings_for(file)) as server:
        table = await begin_game(server)
        for _ in range(MOVES):
            assert table.game is not None
            seat = rng.choice(table.game.may_act)
            decision = rng.choice(list_decisions(table.game, seat))
            await click(server.env, server.channel, click_for(server, table, seat, decision))
            table = await reload(server, table)
    # simcord gives the first server the same id every time, so this is the server that time_start creates.
    guild = Env(HighScoreBot(settings_for(file)), shard_count=1).create_guild()
    with closing(sqlite3.connect(file)) as connection, connection:
        moved = {name: f"{name} + :number * 1000000" for name in ("channel_id", "message_id", "interaction_id")}
        copy_game(connection, table.id, range(1, count + 1), guild_id=str(guild.id), **moved)
        for name, key in GAME_TABLES.items():
            connection.execute(f"DELETE FROM {name} WHERE {key} = ?", (table.id,))  # noqa: S608
        connection.execute("PRAGMA foreign_key_check")


async def time_start(file: Path) -> float:
    """Return the seconds from the creation of the bot until it is ready."""
    began = clock()
    env = Env(HighScoreBot(settings_for(file)), shard_count=1, check_errors=False, settle_timeout=SETTLE)
    guild = env.create_guild()
    await env.start()
    await env.bot.wait_until_ready()
    taken = clock() - began
    with closing(sqlite3.connect(file)) as connection:
        elsewhere = "SELECT count(*) FROM games WHERE guild_id <> ?"
        assert connection.execute(elsewhere, (guild.id,)).fetchone() == (0,), "the bot closes games of other servers"
    await env.bot.close()
    await env.shutdown()
    return taken


def compare_starts(folder: Path, times: int) -> tuple[list[float], list[float]]:
    """Return the seconds of starts without open tables and with many, taking turns. The first start of each is left
    out."""
    found: tuple[list[float], list[float]] = ([], [])
    without, with_many = folder / "none.sqlite3", folder / "many.sqlite3"
    asyncio.run(copy_tables(with_many, OPEN_TABLES))
    asyncio.run(create_database(without))
    with closing(sqlite3.connect(with_many)) as connection:
        query = "SELECT count(*) FROM games WHERE status = 'playing' AND shown_content_version = content_version"
        assert connection.execute(query).fetchone() == (OPEN_TABLES,)
    for _ in range(times):
        for file, seconds in zip((without, with_many), found, strict=True):
            seconds.append(asyncio.run(time_start(file)))
    return found[0][1:], found[1][1:]


_ONLY_DISCORD_PY = """
import os
import discord
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

class Client(discord.AutoShardedClient):
    async def setup_hook(self):
        self.engine = create_async_engine(os.environ["DATABASE_URL"])
        async with self.engine.connect() as connection:
            await connection.execute(text("SELECT count(*) FROM games"))

Client(intents=discord.Intents(guilds=True)).run(os.environ["DISCORD_TOKEN"], log_handler=None)
"""


async def compare_ready(folder: Path, times: int) -> tuple[list[float], list[float]]:
    """Return the processor seconds until READY of discord.py and of the bot, taking turns. The first start of each is
    left out."""
    file = folder / "ready.sqlite3"
    await create_database(file)
    fake = Discord()
    fake.add_guild("Tavern", [fake.add_user("ada")], channels=1)
    # As in an installed bot, Python compiles the modules only once, whatever the environment says.
    compiled = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(folder / "compiled")}
    settings = {"DATABASE_URL": f"sqlite+aiosqlite:///{file}", **compiled}
    found: tuple[list[float], list[float]] = ([], [])
    async with fake.serving():
        for _ in range(times):
            for program, seconds in zip((_ONLY_DISCORD_PY, BOT), found, strict=True):
                async with connected(fake, folder, program, settings) as process:
                    seconds.append(processor_seconds(process.pid))
                await fake.until(lambda: not fake.hub.connected, 60)
    return found[0][1:], found[1][1:]


async def create_database(file: Path) -> None:
    async with open_core(file):
        pass


def compare(options: Arguments, report: Report) -> None:
    with quiet_folder(options.folder) as folder:
        without, with_many = compare_starts(folder, 6 if options.quick else 26)
        alone, whole = asyncio.run(compare_ready(folder, 3 if options.quick else 10))
    print(f"{'':52} {'median, p99':>30}")
    report.line("start with no open table", in_ms(without))
    report.line(f"start with {OPEN_TABLES:,} open tables", in_ms(with_many))
    report.check("start with tables, times as long", median(with_many) / median(without), TARGET)
    report.line("READY, discord.py alone: processor", in_ms(alone))
    report.line("READY, highscore-bot run: processor", in_ms(whole))
    report.check("READY, times as long", median(whole) / median(alone), READY_TARGET)


if __name__ == "__main__":
    run(__doc__, compare, QUICK, FOLDER)
