from bot.domain.table import Status
from bot.ui.buttons import Verb
from tests.bot import passing
from tests.bot.server import Server


async def test_who_is_no_longer_on_the_server_is_announced_once(server: Server) -> None:
    table = await server.begin(3, order="open")
    ada, ben, cem = server.members[:3]
    for member in (ada, cem):
        await passing.play_turn(server, member)
    server.guild.remove_member(ben)
    await passing.wait_until(server, table.timing.deadline, 1)
    after = await server.table()
    assert [(seat.left, seat.misses) for seat in after.seats] == [(False, 0), (True, 0), (False, 0)]
    await passing.wait(server, minutes=6)
    assert any("has left the game" in str(entry.json) for entry in server.env.http_requests)
    for member in (ada, cem):
        await passing.play_turn(server, member)
        await passing.wait(server, minutes=6)
    news = [passing.text(message) for message in server.messages if "has left the game" in passing.text(message)]
    assert ["📣" in one for one in news] == [True, False], "in the record of that round, and in small print now"

    server.guild.remove_member(ada)
    server.env.backend.apply_ban(server.guild.id, cem.id, None)
    await passing.wait_until(server, (await server.table()).timing.deadline, 1)
    after = await server.table()
    assert (after.status, after.people, after.is_unshown) == (Status.PLAYING, (), False)
    assert "Closing time" in passing.shown(server)
    assert table.seed.hex() not in passing.shown(server)
    assert not server.buttons(Verb.TAKE, passing.page(server))
