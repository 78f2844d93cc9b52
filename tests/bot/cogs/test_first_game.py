"""The line of help for people who have never finished a game."""

from __future__ import annotations

import discord
import pytest

from bot.domain.table import Status
from bot.services import absence
from bot.services.core import Person
from bot.ui.buttons import Verb
from highscore.cards import RollType
from tests.bot.played import play_on
from tests.bot.server import Server

HELP = "-# 💡 "


def help_in(message: discord.Message) -> str | None:
    """The line of help on a message."""
    lines = str(message.embeds[-1].description).splitlines()
    found = [line.removeprefix(HELP) for line in lines if line.startswith(HELP)]
    assert len(found) <= 1
    return found[0] if found else None


async def test_the_lobby_says_what_to_press(server: Server) -> None:
    await server.seat(1)
    alone = help_in(server.shown)
    assert alone is not None
    assert "**Join**" in alone
    assert "**House player**" in alone
    await server.press(server.members[1], Verb.JOIN)
    together = help_in(server.shown)
    assert together is not None
    assert "**Start**" in together


async def test_a_first_turn_says_what_to_press(server: Server) -> None:
    table = await server.begin(2)
    assert "Just roll" in str(help_in(server.shown))
    await server.press(server.on_turn(table), Verb.TAKE)
    assert help_in(server.shown) is not None
    await server.send(server.on_turn(table), server.end_turn())
    assert "Just roll" in str(help_in(server.shown))


async def test_the_help_names_buttons_that_are_there(server: Server) -> None:
    table = await server.begin_turn(2)
    labels = " ".join(str(button.label) for button in server.buttons())
    text = str(help_in(server.shown))
    named = {RollType.FOUR_FULL: "Keep", RollType.ANY_THREE: "Keep", RollType.SET_ASIDE: "Green"}
    assert table.game is not None
    assert table.game.card is not None
    word = named[table.game.card.roll_type]
    assert word in text
    assert word == "Green" or word in labels


async def test_whoever_has_finished_a_game_needs_no_help(server: Server) -> None:
    await server.begin(2)
    await play_on(server.bot.core, await server.table())
    await server.seat(2)
    assert help_in(server.shown) is None
    await server.press(server.members[0], Verb.START)
    assert help_in(server.shown) is None
    await server.press(server.on_turn(await server.table()), Verb.TAKE)
    assert help_in(server.shown) is None


async def test_help_goes_only_to_who_needs_it(server: Server) -> None:
    await server.begin(2)
    await play_on(server.bot.core, await server.table())
    await server.slash(server.members[0], "new", order="clockwise")
    await server.press(server.members[2], Verb.JOIN)
    assert help_in(server.shown) is not None, "one at the table is new"
    await server.press(server.members[0], Verb.START)
    for _turn in range(4):
        table = await server.table()
        player = server.on_turn(table)
        await server.press(player, Verb.TAKE)
        assert (help_in(server.shown) is not None) == (player.id == server.members[2].id)
        await server.send(player, server.end_turn())


async def test_a_game_that_was_given_up_teaches_nothing(server: Server) -> None:
    await server.begin(2)
    await server.slash(server.members[0], "cancel")
    await server.seat(1)
    assert help_in(server.shown) is not None


async def test_who_left_a_game_has_not_finished_it(server: Server) -> None:
    table = await server.begin(2)
    ada, ben = server.members[:2]
    core = server.bot.core
    table = await absence.leave_game(core, table.id, Person(ben.id, "Ben"))
    while table.status is Status.PLAYING:
        table = await absence.skip(core, table.id, Person(ada.id, "Ada"), moderator=True)
    for member, needs in ((ada, False), (ben, True)):
        await server.slash(member, "new")
        assert (help_in(server.shown) is not None) is needs
        await server.slash(member, "cancel")


async def test_a_rematch_forgets_who_was_new(server: Server) -> None:
    await server.begin(2)
    await play_on(server.bot.core, await server.table())
    server.bot.delivery.request_redraw((await server.table()).id)
    await server.bot.delivery.settled()
    await server.press(server.members[1], Verb.REMATCH)
    await server.bot.delivery.settled()
    assert "a table is open" in str(server.shown.embeds[-1].title)
    assert help_in(server.shown) is None


@pytest.mark.parametrize("order", ["clockwise", "open"])
async def test_there_is_help_in_both_orders_of_play(server: Server, order: str) -> None:
    await server.begin(2, order=order)
    assert "The card says what counts." in str(help_in(server.shown))
