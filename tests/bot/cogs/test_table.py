"""/highscore new, show, leave, cancel: the life of a table."""

from __future__ import annotations

import discord
import pytest

from bot.domain.table import MAX_SEATS, Status
from bot.ui.buttons import Verb
from bot.ui.names import link_to
from highscore.game import TurnOrder
from tests import simulation
from tests.bot.server import Server, private


async def test_new_opens_a_table_with_its_host(server: Server) -> None:
    ada = server.members[0]
    await server.slash(ada, "new")
    table = await server.table()
    assert (table.status, table.host_id, [seat.name for seat in table.seats]) == (Status.LOBBY, ada.id, ["Ada"])
    assert table.max_seats == MAX_SEATS
    assert table.message_id == server.shown.id
    assert server.verbs() >= {Verb.JOIN, Verb.LEAVE, Verb.LUCKY_WORD}
    assert Verb.START not in server.verbs()


async def test_new_takes_seats_and_turn_order(server: Server) -> None:
    await server.slash(server.members[0], "new", seats=2, order="open")
    table = await server.table()
    assert (table.max_seats, table.turn_order) == (2, TurnOrder.OPEN)
    await server.press(server.members[1], Verb.JOIN)
    assert Verb.JOIN not in server.verbs()


async def test_a_table_shows_the_seal_of_its_seed_and_not_the_seed(server: Server) -> None:
    table = await server.seat(2)
    text = str(server.shown.embeds[0].to_dict())
    assert table.seal in text
    assert table.seed.hex() not in text


async def test_new_in_a_channel_with_an_open_table_says_where_it_is(server: Server) -> None:
    table = await server.seat(2)
    result = await server.slash(server.members[3], "new")
    assert link_to(table) in private(result)
    assert str(table.message_id) in link_to(table)
    assert server.rows("select count(*) from games") == [(1,)]


async def test_another_channel_has_a_table_of_its_own(server: Server) -> None:
    await server.seat(2)
    await server.slash(server.members[3], "new", channel=server.guild.create_text_channel("other"))
    assert server.rows("select count(*) from games where status = 'lobby'") == [(2,)]


async def test_the_cancelled_table_makes_room_for_another(server: Server) -> None:
    first = await server.seat(2)
    await server.slash(server.members[0], "cancel")
    second = await server.seat(3)
    assert first.id != second.id
    assert (await server.table(first.id)).status is Status.ABANDONED


async def test_new_without_a_permission_names_it(server: Server) -> None:
    assert server.bot.user is not None
    for permission, name in (("send_messages", "Send Messages"), ("embed_links", "Embed Links")):
        denied = discord.PermissionOverwrite(**{permission: False})
        channel = server.guild.create_text_channel(permission, overwrites={server.bot.user: denied})
        assert name in private(await server.slash(server.members[0], "new", channel=channel))
    assert server.rows("select count(*) from games") == [(0,)]


async def test_a_command_in_a_private_chat_is_refused(server: Server) -> None:
    result = await simulation.slash_in_private(server.env, server.members[0].user, "highscore", "new")
    assert "server" in private(result)
    assert server.rows("select count(*) from games") == [(0,)]


async def test_no_command_is_offered_in_a_private_chat(server: Server) -> None:
    assert server.members[0].user.available_commands() == ()
    assert "highscore new" in server.members[0].available_commands(server.channel)


async def test_show_moves_the_table_to_the_bottom(server: Server) -> None:
    table = await server.begin_turn(2)
    before = server.shown
    await server.members[4].send(server.channel, "chatter")
    await server.slash(server.members[4], "show")
    assert server.shown.id != before.id
    assert server.buttons()
    assert not server.buttons(message=server.message(before.id))
    assert (await server.table()).version == table.version
    await server.press(server.on_turn(table), Verb.STOP if server.buttons(Verb.STOP) else Verb.SET_ASIDE)
    assert (await server.table()).version == table.version + 1


async def test_show_notifies_nobody(server: Server) -> None:
    await server.begin(2)
    await server.slash(server.members[0], "show")
    answer = server.requests("POST", "/callback")[-1].json
    assert answer is not None
    assert answer["data"]["allowed_mentions"].get("users", []) == []
    assert answer["data"]["allowed_mentions"]["parse"] == []


async def test_show_where_nothing_was_ever_played_says_how_to_begin(server: Server) -> None:
    assert "/highscore new" in private(await server.slash(server.members[0], "show"))


async def test_show_brings_back_a_cancelled_game(server: Server) -> None:
    await server.begin(2)
    await server.slash(server.members[0], "cancel")
    await server.slash(server.members[1], "show")
    assert server.verbs() >= {Verb.REMATCH, Verb.PROOF}


async def test_leave_frees_the_seat(server: Server) -> None:
    await server.seat(3)
    await server.slash(server.members[1], "leave")
    assert [seat.name for seat in (await server.table()).seats] == ["Ada", "Cem"]
    assert "Ben" not in str(server.shown.embeds[0].to_dict())


async def test_a_host_who_leaves_hands_the_table_over(server: Server) -> None:
    await server.seat(3)
    await server.press(server.members[0], Verb.LEAVE)
    table = await server.table()
    assert table.host_id == server.members[1].id
    assert "host" in private(await server.press(server.members[2], Verb.START))
    await server.press(server.members[1], Verb.START)
    assert (await server.table()).status is Status.PLAYING


@pytest.mark.parametrize("by_button", [True, False])
async def test_the_last_one_to_leave_closes_the_table(server: Server, by_button: bool) -> None:
    await server.seat(2)
    await server.press(server.members[1], Verb.LEAVE)
    if by_button:
        await server.press(server.members[0], Verb.LEAVE)
    else:
        await server.slash(server.members[0], "leave")
    table = await server.table()
    assert table.status is Status.ABANDONED
    assert not table.owed
    assert not server.buttons()
    assert table.seed.hex() in str(server.shown.embeds[0].to_dict())


async def test_leave_without_a_seat_is_refused(server: Server) -> None:
    table = await server.seat(2)
    assert "not sitting" in private(await server.slash(server.members[4], "leave"))
    assert "not sitting" in private(await server.press(server.members[4], Verb.LEAVE))
    assert (await server.table()).version == table.version


async def test_leave_without_a_table_is_refused(server: Server) -> None:
    assert "/highscore new" in private(await server.slash(server.members[0], "leave"))


async def test_nobody_leaves_a_game_that_is_played_by_mistake(server: Server) -> None:
    table = await server.begin(2)
    assert "Leave for good?" in private(await server.slash(server.members[1], "leave"))
    assert (await server.table()).version == table.version


@pytest.mark.parametrize("dice_taken", [True, False])
async def test_the_host_cancels_a_game(server: Server, dice_taken: bool) -> None:
    table = await (server.begin_turn(3) if dice_taken else server.begin(3))
    before = server.shown
    await server.slash(server.members[0], "cancel")
    cancelled = await server.table()
    assert cancelled.status is Status.ABANDONED
    assert not cancelled.owed
    assert server.shown.id != before.id
    assert server.verbs() >= {Verb.REMATCH, Verb.PROOF}
    assert not server.buttons(message=server.message(before.id))
    assert table.seed.hex() in str(server.shown.embeds[-1].to_dict())


async def test_a_moderator_cancels_a_game(server: Server) -> None:
    await server.begin(2)
    role = server.guild.create_role("moderators", permissions=discord.Permissions(manage_messages=True))
    moderator = server.guild.add_member(server.env.create_user("mod"), roles=[role])
    await server.slash(moderator, "cancel")
    assert (await server.table()).status is Status.ABANDONED


async def test_nobody_else_cancels_a_game(server: Server) -> None:
    table = await server.begin(2)
    for member in server.members[1:3]:
        assert "host" in private(await server.slash(member, "cancel"))
    assert (await server.table()).version == table.version


async def test_a_lobby_is_cancelled_too(server: Server) -> None:
    table = await server.seat(2)
    await server.slash(server.members[0], "cancel")
    assert (await server.table()).status is Status.ABANDONED
    assert server.shown.id == table.message_id
    assert not server.buttons()
