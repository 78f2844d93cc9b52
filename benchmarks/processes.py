"""Commands that start a process for which Discord is the fake one: imports and all, as a benchmark needs it."""

import os
import sys
from pathlib import Path

from tests.discord.server import Discord

_ON_FAKE = """
import functools, sys, discord.gateway, discord.http, discord.state, yarl
discord.http.Route.BASE = sys.argv.pop(1)
discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(sys.argv.pop(1))
# discord.py waits for more servers for two seconds.
discord.state.ConnectionState.__init__ = functools.partialmethod(
    discord.state.ConnectionState.__init__, guild_ready_timeout=0.05
)
"""
BOT = """
from bot.cli import main
main(["run"], prog_name="highscore-bot")
"""


def on_fake(fake: Discord, program: str, first: str = "") -> list[str]:
    """Return the command of a program for which Discord is the fake one; ``first`` runs before it."""
    return [sys.executable, "-c", first + _ON_FAKE + program, fake.rest, fake.gateway]


def processor_seconds(process_id: int) -> float:
    """Return the processor time of a process: user and system time of proc(5)."""
    fields = Path(f"/proc/{process_id}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def children_of(process_id: int) -> list[int]:
    """Return the processes that a process has started and that still run."""
    tasks = Path(f"/proc/{process_id}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text(encoding="utf-8").split()]
