"""/highscore leave, skip, kick and cancel in a running game, and what the others see of it."""

from __future__ import annotations

import discord

from bot.domain.table import Status
from tests.bot.passing import play_turn, shown, wait
from tests.bot.server import Server, private


async def leave(server: Server, at: int) -> str:
    """A member leaves the running game, confirming it; returns what they were told."""
    member = server.members[at]
    asked = await server.slash(member, "leave")
    assert private(asked)
    assert asked.response is not None
    (row,) = asked.response.components
    done = await member.click(asked.response, custom_id=row["components"][0]["custom_id"])
    assert done.acknowledged
    return private(done)


async def test_leaving_is_confirmed_and_told_once(server: Server) -> None:
    table = await server.begin(3, order="open")
    assert "Leave for good?" in private(await server.slash(server.members[0], "leave"))
    assert (await server.table()).version == table.version, "nobody leaves without confirming it"
    assert await leave(server, 0)
    table = await server.table()
    assert (table.seats[0].left, table.host_id) == (True, server.members[1].id)
    for news in ("has left the game", "is the host now"):
        assert news in shown(server)
    for member in server.members[1:3]:
        await play_turn(server, member)
        await wait(server, minutes=4)
    assert "has left the game" not in shown(server)
    assert "have left" in private(await server.slash(server.members[0], "leave")), "it is not asked again"
    for at in (1, 2):
        await leave(server, at)
    assert (await server.table()).status is Status.ABANDONED
    assert table.seed.hex() in shown(server)


async def test_cancelling_is_asked_once_and_the_others_are_told_who_it_was(server: Server) -> None:
    role = server.guild.create_role("moderator", permissions=discord.Permissions(manage_messages=True))
    moderator = server.guild.add_member(server.env.create_user("mod"), roles=[role])
    for member, words in ((server.members[0], "Ada cancelled the game."), (moderator, "A moderator cancelled")):
        table = await server.begin(2)
        asked = private(await server.slash(member, "cancel"))
        assert "for everybody" in asked
        assert (await server.table()).version == table.version, "nothing is cancelled without confirming it"
        assert "Done" in private(await server.cancel(member))
        assert (await server.table()).status is Status.ABANDONED
        assert words in shown(server)
    await server.seat(2)
    assert "Nobody has played" in private(await server.slash(server.members[0], "cancel"))
    await server.cancel(server.members[0])
    assert "Ada cancelled the game." in shown(server)
