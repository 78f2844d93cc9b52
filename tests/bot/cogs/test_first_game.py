"""The line of help for people to whom a card is new, and what a first game asks of them to read and press."""

import os

import discord
import pytest

from bot.cli.play import FIRST_GAME
from bot.domain.table import Status
from bot.ui.buttons import Verb
from highscore.deck import ROUNDS
from tests.bot.cores import game_of
from tests.bot.dailies import words
from tests.bot.played import play_out
from tests.bot.server import RETRY, Server

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


@pytest.mark.parametrize("_game", range(GAMES))
async def test_a_first_game_is_played_to_its_end_in_few_presses(server: Server, _game: int) -> None:
    """One click in the playground opens a table that the house fills."""
    ada, read, presses = server.members[0], set[str](), 1

    def look() -> None:
        read.update(line for message in server.messages for line in words(message).splitlines())

    await server.slash(ada, "new", **FIRST_GAME)
    look()
    while (table := await server.table()).status is not Status.FINISHED:
        if table.seats[game_of(table).may_act[0]].user_id is None:
            await server.env.advance_time(RETRY)
        else:
            verbs = server.verbs()
            verb = next(each for each in (Verb.TAKE, Verb.ASK, Verb.STOP, Verb.SET_ASIDE) if each in verbs)
            await server.press(ada, verb, nth=-1)
            presses += 1
        look()
    assert not [line for line in read if "Pick the dice" in line], "the line of help says it, and the house needs none"
    assert presses <= MOST_PRESSES
