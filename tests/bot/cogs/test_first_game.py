"""The line of help for people to whom a card is new, and what a first game asks of them to read and press."""

import os

import discord

from bot.ui.buttons import Verb
from highscore.deck import ROUNDS
from tests.bot.played import play_out
from tests.bot.server import Server

HELP = "-# 💡 "
MOST_PRESSES = 1 + 3 * ROUNDS
"""The door of the playground, and on every card to roll, to keep, and to mean it where that brings nothing."""
GAMES = 12 if os.environ.get("HIGHSCORE_LARGE") == "1" else 1
"""Games with other dice each."""


def help_in(message: discord.Message) -> str | None:
    """Find the line of help on a message."""
    lines = str(message.embeds[-1].description).splitlines()
    found = [line.removeprefix(HELP) for line in lines if line.startswith(HELP)]
    assert len(found) <= 1
    return found[0] if found else None


async def test_help_goes_only_to_who_needs_it(server: Server) -> None:
    """Somebody who has finished a game needs none."""
    await server.begin(2)
    table = await play_out(server.bot.core, await server.table())
    await server.redraw(table)
    await server.press(server.members[1], Verb.REMATCH)
    await server.settle()
    assert "a table is open" in str(server.shown.embeds[-1].title)
    assert help_in(server.shown) is None
    await server.press(server.members[2], Verb.JOIN)
    await server.press(server.members[0], Verb.JOIN)
    for _turn in range(4):
        table = await server.table()
        player = server.on_turn(table)
        await server.press(player, Verb.TAKE)
        assert (help_in(server.shown) is not None) == (player.id == server.members[2].id)
        await server.send(player, await server.end_turn())
