"""/highscore new, show, leave, cancel: the life of a table."""

import discord

from bot.domain.table import MAX_SEATS, Status
from bot.ui.buttons import Verb
from bot.ui.text import table_link
from highscore.turn_order import TurnOrder
from tests import simulation
from tests.bot.server import Server, private


async def test_a_lobby_from_its_opening_to_its_end(server: Server) -> None:
    ada, ben, cem = server.members[:3]
    note = private(await server.slash(ada, "new"))
    table = await server.table()
    assert table.seal in note
    assert (table.status, table.host_id, [seat.name for seat in table.seats]) == (Status.LOBBY, ada.id, ["Ada"])
    assert (table.max_seats, table.message_id) == (MAX_SEATS, server.shown.id)
    assert server.verbs() == {Verb.JOIN, Verb.LEAVE, Verb.OPTIONS}
    assert table.seed.hex() not in str(server.shown.embeds[0].to_dict()) + note
    assert table_link(table) in private(await server.slash(cem, "new"))
    assert str(table.message_id) in table_link(table)
    await server.slash(cem, "new", channel=server.guild.create_text_channel("other"))
    assert server.rows("select count(*) from games where status = 'lobby'") == [(2,)]

    for member in (ben, cem):
        assert table.seal in private(await server.press(member, Verb.JOIN))
    await server.slash(ben, "leave")
    assert [seat.name for seat in (await server.table()).seats] == ["Ada", "Cem"]
    assert "Ben" not in str(server.shown.embeds[0].to_dict())
    assert "not playing" in private(await server.slash(ben, "leave"))
    await server.press(ben, Verb.JOIN)
    await server.press(ada, Verb.LEAVE)
    assert (await server.table()).host_id == cem.id
    assert "host" in private(await server.press(ben, Verb.START))
    await server.cancel(cem)
    closed = await server.table()
    assert (closed.id, closed.status, closed.message_id) == (table.id, Status.ABANDONED, server.shown.id)
    assert not server.buttons()

    await server.slash(ada, "new", seats=2, order="open")
    second = await server.table()
    assert second.id != table.id
    assert (second.max_seats, second.turn_order) == (2, TurnOrder.OPEN)
    await server.press(ben, Verb.JOIN)
    assert Verb.JOIN not in server.verbs()


async def test_commands_without_a_place_or_a_table_get_a_sentence(server: Server) -> None:
    ada = server.members[0]
    assert server.bot.user is not None
    for permission, name in (("send_messages", "Send Messages"), ("embed_links", "Embed Links")):
        denied = discord.PermissionOverwrite(**{permission: False})
        channel = server.guild.create_text_channel(permission, overwrites={server.bot.user: denied})
        assert name in private(await server.slash(ada, "new", channel=channel))
    result = await simulation.slash_in_private(server.env, ada.user, "highscore", "new")
    assert "server" in private(result)
    assert ada.user.available_commands() == ()
    assert "highscore new" in ada.available_commands(server.channel)
    for command in ("show", "leave"):
        assert "/highscore new" in private(await server.slash(ada, command))
    assert server.rows("select count(*) from games") == [(0,)]
