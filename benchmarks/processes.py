"""Commands that start a process for which Discord is the fake one: imports and all, as a benchmark needs it."""

import sys

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
    """A program for which Discord is the fake one, and what is done before that."""
    return [sys.executable, "-c", first + _ON_FAKE + program, fake.rest, fake.gateway]
