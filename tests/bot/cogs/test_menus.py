"""The commands in the menus of users and messages."""

from bot.domain.deadlines import RESERVED_SECONDS
from bot.services.core import get_latest_table
from bot.ui.buttons import Verb
from bot.ui.text import table_link
from tests.bot import passing
from tests.bot.passing import CALL, Call, calls, page, press, shown, stamp
from tests.bot.played import begun, finished, play_on, play_out
from tests.bot.server import PrivatePage, Server, private

INVITE, STATISTICS, REPORT = "Invite to High Score", "Statistics", "Report of this game"


async def test_a_host_invites_from_the_menu_of_a_person_who_is_called_and_takes_the_seat(server: Server) -> None:
    ada, ben, cem = server.members[:3]
    await server.seat(1)
    told = private(await server.menu(ada, INVITE, ben))
    table = await server.table()
    until = stamp(table.timing.seats_reserved_until)
    assert until == int(server.env.now().timestamp()) + RESERVED_SECONDS
    assert f"A seat at your table is reserved for {ben.mention}: {table_link(table)}" in told
    assert "I didn't ping" not in told
    assert table.invited == (ben.id,)
    assert "Seat reserved" in shown(server)
    assert calls(server) == [Call(ben.id, False)]
    assert "already has a seat at this table, or one is reserved for them" in private(
        await server.menu(ada, INVITE, ben)
    )
    assert calls(server) == [Call(ben.id, False)]
    await press(server, ben, Verb.JOIN)
    assert [message for message in server.messages if message.content.startswith(CALL)] == []
    assert "Only the host" in private(await server.menu(ben, INVITE, cem))
    assert (await server.table()).people == (ada.id, ben.id)


async def test_an_invitation_without_a_lobby_in_the_channel_opens_a_table_if_that_is_allowed(
    server: Server,
) -> None:
    ada, ben, cem = server.members[:3]
    await server.seat(1)
    taken = private(await server.menu(ben, INVITE, cem))
    assert "There is already an open table in this channel" in taken
    elsewhere = server.guild.create_text_channel("elsewhere")
    await server.env.settle()
    told = private(await server.menu(ada, INVITE, ben, channel=elsewhere))
    assert "You have a seat." in told
    table = await get_latest_table(server.bot.core, elsewhere.id)
    assert (table.host_id, table.people, table.invited) == (ada.id, (ada.id,), (ben.id,))
    assert f"reserved for {ben.mention}: https://discord.com/channels/{server.guild.id}/{elsewhere.id}" in told
    assert table.message_id is not None
    assert calls(server) == [Call(ben.id, False)]
    await passing.administer(server, channels=(server.channel.id,))
    await server.cancel(ada)
    assert "is played in" in private(await server.menu(cem, INVITE, ben, channel=elsewhere))


async def test_the_statistics_are_those_of_the_command(server: Server) -> None:
    ada, ben, cem = server.members[:3]
    await finished(server)
    await server.settle()
    assert private(await server.menu(cem, STATISTICS, ben)) == private(await server.slash(cem, "stats", player=ben))
    assert "That person hasn't finished a game" in private(await server.menu(ada, STATISTICS, cem))
    assert "You haven't finished a game" in private(await server.menu(cem, STATISTICS, cem))


async def test_the_report_is_on_every_message_of_a_finished_game_and_on_no_other(server: Server) -> None:
    cem = server.members[2]
    said = await cem.send(server.channel, "Good luck!")
    assert "doesn't belong to a game" in private(await server.menu(cem, REPORT, said))
    await server.begin(2)
    for message in (page(server), server.messages[-1]):
        assert "when the game is over" in private(await server.menu(cem, REPORT, message))
    table = await play_on(server.bot.core, await server.table())
    await server.redraw(table)
    table = await server.table(table.id)
    assert len(table.log) == 7
    for message_id in (table.opening_id, *table.log, table.message_id):
        assert message_id is not None
        result = await server.menu(cem, REPORT, server.message(message_id))
        assert "Match report" in private(result)
    await press(server, server.members[0], Verb.REMATCH)
    assert "when the game is over" in private(await server.menu(cem, REPORT, page(server))), "it is of the next game"
    assert "doesn't belong to a game" in private(await server.menu(cem, REPORT, said))


async def test_a_shared_report_and_a_call_belong_to_their_games(server: Server) -> None:
    ada, ben, cem = server.members[:3]
    table = await play_out(server.bot.core, await begun(server, 2, server.channel.id))
    await server.redraw(table)
    report = PrivatePage.of(server, ada, await server.menu(ada, REPORT, page(server)))
    await report.press(Verb.SHARE)
    assert "Match report" in private(await server.menu(cem, REPORT, server.shown))
    await server.seat(1)
    await server.menu(ada, INVITE, ben)
    (called,) = [message for message in server.messages if message.content.startswith(CALL)]
    assert "when the game is over" in private(await server.menu(cem, REPORT, called))
