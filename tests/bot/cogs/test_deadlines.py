"""The time as people see it: limits and deadlines on the table, turns the house plays, and their notifications."""

from bot.domain.table import Status, Table
from bot.ui.buttons import Press, Verb
from tests.bot.passing import (
    page,
    play_turn,
    press,
    shown,
    stamp,
    stamps,
    text,
    wait,
    wait_until,
)
from tests.bot.server import Server, private


async def test_a_table_says_that_it_sleeps_and_any_press_of_a_player_wakes_it(server: Server) -> None:
    await server.begin(2, order="clockwise")

    async def fall_asleep() -> Table:
        await wait(server, hours=3)
        table = await server.table()
        assert table.timing.asleep_until is not None
        assert "the table is asleep" in shown(server)
        assert stamp(table.timing.asleep_until) in stamps(server)
        return table

    table = await fall_asleep()
    assert private(await press(server, server.members[4], Verb.WAKE))
    assert await server.table() == table
    await press(server, player := server.on_turn(table), Verb.WAKE)
    assert "asleep" not in shown(server)
    assert Verb.WAKE not in server.verbs(page(server))
    await press(server, player, Verb.TAKE)
    table = await fall_asleep()
    assert server.verbs(page(server)) == {Verb.WAKE, Verb.CARD}
    await server.send(player, Press(Verb.HINT, table.id, table.version).custom_id)
    await server.settle()
    assert (await server.table()).timing.asleep_until is None
    assert "asleep" not in shown(server)


async def test_who_is_no_longer_on_the_server_is_announced_once(server: Server) -> None:
    table = await server.begin(3, order="open")
    ada, ben, cem = server.members[:3]
    for member in (ada, cem):
        await play_turn(server, member)
    server.guild.remove_member(ben)
    await wait_until(server, table.timing.deadline, 1)
    after = await server.table()
    assert [(seat.left, seat.misses) for seat in after.seats] == [(False, 0), (True, 0), (False, 0)]
    await wait(server, minutes=6)
    assert any("leaves the game" in str(entry.json) for entry in server.env.http_requests)
    for member in (ada, cem):
        await play_turn(server, member)
        await wait(server, minutes=6)
    news = [text(message) for message in server.messages if "leaves the game" in text(message)]
    assert ["📣" in one for one in news] == [True, False], "in the record of that round, and in small print now"

    server.guild.remove_member(ada)
    server.env.backend.apply_ban(server.guild.id, cem.id, None)
    await wait_until(server, (await server.table()).timing.deadline, 1)
    after = await server.table()
    assert (after.status, after.people, after.owed) == (Status.PLAYING, (), False)
    assert "The table closes" in shown(server)
    assert table.seed.hex() not in shown(server)
    assert not server.buttons(Verb.TAKE, page(server))


async def test_trouble_with_discord_makes_nobody_gone(server: Server) -> None:
    table = await server.begin(2, order="open")
    server.env.inject_error("GET", f"/guilds/{server.guild.id}/members/*", status=503, times=2)
    await wait_until(server, table.timing.deadline, 1)
    assert [(seat.left, seat.misses) for seat in (await server.table()).seats] == [(False, 1)] * 2


# ---------------------------------------------------------------------- quiet hours
