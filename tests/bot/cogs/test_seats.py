"""/highscore leave, skip, kick and cancel in a running game, and what the others see of it."""

from __future__ import annotations

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
