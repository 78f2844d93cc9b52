"""Programs that run in a process of their own and connect to the tests' fake Discord."""

import asyncio
import os
import sys
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from tests.bot.cli.process import environment
from tests.discord.server import TOKEN, Discord

PATIENCE = 60.0
"""The most seconds to wait for anything that a process does."""
_ON_FAKE = """
import functools, sys, discord.gateway, discord.http, discord.state, yarl
discord.http.Route.BASE = sys.argv.pop(1)
discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(sys.argv.pop(1))
# discord.py waits two seconds for more servers.
discord.state.ConnectionState.__init__ = functools.partialmethod(
    discord.state.ConnectionState.__init__, guild_ready_timeout=0.05
)
"""
BOT = """
from bot.cli import main
main(["run"], prog_name="highscore-bot")
"""


@asynccontextmanager
async def connected(
    fake: Discord, folder: Path, program: str, settings: Mapping[str, str], first: str = "", pipes: int = DEVNULL
) -> AsyncIterator[Process]:
    """Run a program until the block ends. Yield its process when it is connected to the fake Discord.

    ``first`` is code that runs before everything else, imports included. ``pipes`` is used for standard input and
    output.
    """
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", first + _ON_FAKE + program, fake.rest, fake.gateway),
        env=environment({"DISCORD_TOKEN": TOKEN, "EMOJI": "false", "LOG_LEVEL": "ERROR", **settings}),
        cwd=folder,
        stdin=pipes,
        stdout=pipes,
    )
    try:
        await fake.until_connected(seconds=PATIENCE)
        yield process
    finally:
        process.terminate()
        await process.communicate()


def processor_seconds(process_id: int) -> float:
    """Return the user and system time of a process, as in proc(5)."""
    fields = Path(f"/proc/{process_id}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def children_of(process_id: int) -> list[int]:
    """Return the ids of the running processes that a process has started."""
    tasks = Path(f"/proc/{process_id}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text(encoding="utf-8").split()]
