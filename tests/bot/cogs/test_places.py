"""Messages, servers, permissions and threads that go away or come back while a game is played."""

from __future__ import annotations

import dataclasses
from typing import Any

import discord
import pytest
from simcord.backend.models import Overwrite

from bot.cogs.purges import PurgeListener
from bot.domain.table import Status, Table
from bot.services.absence import gone
from bot.services.core import TABLES_PER_HOST, load
from bot.ui.buttons import Verb
from highscore.deck import ROUNDS
from tests import simulation
from tests.bot.passing import (
    administer,
    calls,
    forbid,
    page,
    pages,
    play_turn,
    press,
    shown,
    stamp,
    stamps,
    wait,
    wait_until,
)
from tests.bot.server import Server, private


async def show_again(server: Server, table: Table) -> None:
    """The delivery shows a table again, as it does after anything that happened to it."""
    server.bot.delivery.request_redraw(table.id)
    await server.bot.delivery.settled()


async def test_a_deleted_message_comes_back_and_calls_nobody_twice(server: Server) -> None:
    table = await server.begin(3)
    before = calls(server)
    simulation.delete_message(server.env, server.channel, page(server).id)
    # Somebody whose turn it is not leaves, and it is still the same turn.
    await gone(server.bot.core, table.id, server.off_turn(table).id)
    await show_again(server, table)
    assert server.verbs(page(server)) == {Verb.TAKE, Verb.CARD}
    simulation.delete_message(server.env, server.channel, page(server).id)
    await server.slash(server.members[4], "show")
    assert (await server.table()).message_id == page(server).id
    assert calls(server) == before
    await press(server, server.on_turn(table), Verb.TAKE)


async def test_when_the_bot_is_removed_its_games_are_closed(server: Server) -> None:
    other = dataclasses.replace(server, channel=server.guild.create_text_channel("other"))
    tables = [await server.begin(2), await other.seat(2)]
    server.env.backend.remove_guild(server.guild.id)
    await server.env.settle()
    for table in tables:
        assert (await server.table(table.id)).status is Status.ABANDONED
    await wait(server, hours=48)


async def test_when_the_bot_is_removed_while_it_stops_its_games_are_closed_after_the_next_start(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    table = await server.begin(2)
    caplog.set_level("INFO", "bot.cogs.purges")
    guild, listener = server.bot.get_guild(server.guild.id), server.bot.get_cog("PurgeListener")
    assert guild is not None
    assert isinstance(listener, PurgeListener)
    await server.bot.close()
    await listener.on_guild_remove(guild)
    assert [record.levelname for record in caplog.records if "the bot is stopping" in record.message] == ["INFO"] * 2
    server.env.backend.remove_guild(server.guild.id)
    await server.start_again()
    assert (await server.table(table.id)).status is Status.ABANDONED


# ---------------------------------------------------------------------- permissions


async def test_without_a_permission_the_clock_stands_still_and_goes_on_by_itself(server: Server) -> None:
    table = await server.begin(2)
    assert "permission" not in private(await server.slash(server.members[0], "leave"))
    await wait_until(server, table.timing.remind_at, -60)
    for name in ("view_channel", "embed_links", "send_messages"):
        forbid(server, name)
        assert not server.bot.may_post(server.channel.id)
    await wait(server, hours=6)
    paused = await server.table()
    assert paused.timing.paused_at is not None
    assert (paused.game, [seat.misses for seat in paused.seats]) == (table.game, [0, 0])
    assert not any(call.reminder for call in calls(server))
    for command in ("new", "show", "leave"):
        assert "Send Messages" in private(await server.slash(server.members[0], command))

    forbid(server)
    await wait(server, seconds=1)
    assert "I may post here again" in shown(server)
    table = await server.table()
    assert table.timing.paused_at is None
    assert table.timing.deadline is not None
    # It stood still from half time on, and goes on from there.
    left = (table.timing.deadline - server.env.now()).total_seconds()
    assert table.options.allowed_seconds / 2 - 2 <= left <= table.options.allowed_seconds / 2
    assert stamp(table.timing.deadline) in stamps(server)
    assert "Paused" not in shown(server)
    await play_turn(server)


async def test_a_role_that_is_given_back_its_permissions_lets_games_go_on(server: Server) -> None:
    table = await server.begin(2)
    assert server.bot.user is not None
    (role_id,) = server.env.backend.get_member(server.guild.id, server.bot.user.id).role_ids
    given = server.env.backend.get_role(server.guild.id, role_id).permissions
    everyone = server.env.backend.get_role(server.guild.id, server.guild.default_role.id)
    without = ~discord.Permissions(send_messages=True).value
    server.env.backend.edit_role(server.guild.id, everyone.id, {"permissions": everyone.permissions & without})
    server.env.backend.edit_role(server.guild.id, role_id, {"permissions": given & without})
    await wait_until(server, table.timing.remind_at)
    assert (await server.table()).timing.paused_at is not None
    server.env.backend.edit_role(server.guild.id, role_id, {"permissions": given})
    await wait(server, seconds=1)
    assert (await server.table()).timing.paused_at is None


async def test_a_turn_discord_did_not_let_be_shown_pauses_the_game_and_is_shown_later(server: Server) -> None:
    """Nothing the bot knows forbids it: only asking again can tell that it may."""
    table = await server.begin_turn(2)
    server.env.inject_error("POST", f"/channels/{server.channel.id}/messages", status=403, code=50013, times=4)
    await play_turn(server, server.on_turn(table))
    await wait(server, seconds=1)
    paused = await server.table()
    messages = len(server.messages)
    for _look in range(3):
        table = await server.table()
        assert table.timing.paused_at is not None
        assert table.game == paused.game
        await wait_until(server, table.timing.retry_at)
    table = await server.table()
    assert not table.owed
    assert table.timing.deadline is not None
    assert (table.timing.deadline - server.env.now()).total_seconds() == table.options.allowed_seconds
    assert (len(server.messages), server.shown.id) == (messages, table.message_id), "in place of the turn before"


@pytest.mark.parametrize("told", [True, False], ids=["the channel is changed", "nobody tells"])
async def test_the_end_of_a_game_that_could_not_be_shown_is_shown_once_the_bot_may_post_again(
    server: Server, *, told: bool
) -> None:
    core = server.bot.core
    table = await server.begin_turn(2)
    while table.status.open:
        assert table.game is not None
        if (table.game.round, len(table.game.played)) == (ROUNDS, 1):
            server.env.inject_error("POST", f"/channels/{server.channel.id}/messages", status=403, code=50013)
        await play_turn(server, server.on_turn(table))
        table = await load(core, table.id)
    await wait(server, seconds=1)
    ended = await load(core, table.id)
    assert (ended.status, ended.owed) == (Status.FINISHED, True)
    if told:
        forbid(server)
        await wait(server, seconds=1)
    else:
        await wait(server, hours=1, seconds=1)
    shown_now = await load(core, table.id)
    assert (shown_now.owed, len(shown_now.log)) == (False, ROUNDS)


@pytest.mark.parametrize("direct_messages", [True, False])
async def test_the_host_of_a_paused_game_is_told_once_and_warned_once_before_it_is_closed(
    server: Server, monkeypatch: pytest.MonkeyPatch, direct_messages: bool
) -> None:
    monkeypatch.setattr("bot.services.deadlines.WARNED_DAYS", 0.25)
    monkeypatch.setattr("bot.services.deadlines.PAUSED_DAYS", 0.5)
    table = await server.begin(2)
    channel = server.members[0].user.dm_channel
    if not direct_messages:
        server.env.inject_error("POST", f"/channels/{channel.id}/messages", status=403, code=50007, times=None)
    forbid(server, "send_messages")
    await wait_until(server, table.timing.remind_at, 1)
    assert ["goes on as soon" in told.content for told in channel.history()] == [True] * direct_messages
    await server.restart()
    await wait(server, hours=9)
    warnings = channel.history()
    assert [str(table.channel_id) in warning.content for warning in warnings] == [True] * 2 * direct_messages
    assert all("will be closed" in warning.content for warning in warnings[1:])
    await wait(server, hours=6)
    # Nobody can be shown that it is closed, so it is owed to nobody.
    after = await server.table()
    assert (after.status, after.owed) == (Status.ABANDONED, False)
    assert channel.history() == warnings


async def test_the_host_of_a_paused_game_is_told_once_discord_is_in_order_again(server: Server) -> None:
    table = await server.begin(2)
    channel = server.members[0].user.dm_channel
    path = f"/channels/{channel.id}/messages"
    server.env.inject_error("POST", path, status=503, times=2)
    forbid(server, "send_messages")
    await wait_until(server, table.timing.remind_at, 1)
    assert channel.history() == []
    await wait(server, hours=1)
    assert ["goes on as soon" in told.content for told in channel.history()] == [True]
    tries = [entry.json for entry in server.requests("POST", path)]
    assert len({one["nonce"] for one in tries if one is not None}) == 1, "Discord takes it once, also where it is late"


# ---------------------------------------------------------------------- threads


async def thread_table(server: Server, **options: Any) -> Server:
    """A table in a thread that the bot has opened for it."""
    result = await server.slash(server.members[0], "new", thread=True, order="clockwise", **options)
    (thread,) = server.channel.threads
    assert "seal" in private(result)
    assert thread.mention in str(server.shown.embeds[0].description)
    there = dataclasses.replace(server, channel=thread)
    await there.press(server.members[1], Verb.JOIN)
    return there


async def test_a_game_is_played_in_its_own_thread_and_closed_with_it(server: Server) -> None:
    await administer(server, channels=(server.channel.id,))  # its threads are allowed with it
    there = await thread_table(server)
    table = await there.table()
    assert [server.verbs(message) for message in server.messages if message.components] == [{Verb.ENTER}]
    await there.press(server.members[0], Verb.START)
    await play_turn(there)
    assert len(pages(there)) == 2
    around = await server.begin(2)
    simulation.delete_channel(server.env, there.channel)
    await server.env.settle()
    assert (await server.table(table.id)).status is Status.ABANDONED
    assert (await server.table(around.id)).status is Status.PLAYING


async def test_a_channel_invites_to_the_table_in_its_thread_until_the_game_begins(server: Server) -> None:
    there = await thread_table(server)
    invitation, (_ada, ben, cem, dot) = server.shown, server.members[:4]
    assert f"/{there.channel.id}" in private(await server.press(cem, Verb.ENTER))
    assert "already" in private(await server.press(ben, Verb.ENTER))
    await server.bot.delivery.settled()
    table = await there.table()
    assert [seat.user_id for seat in table.seats][-1] == cem.id
    assert "Cem" in str(there.shown.embeds[0].to_dict())
    assert server.shown.id == invitation.id
    assert server.verbs() == {Verb.ENTER}
    await there.press(server.members[0], Verb.START)
    await server.press(dot, Verb.ENTER)
    assert "has begun" in str(server.shown.embeds[0].description)
    assert not server.buttons()


async def test_new_works_inside_a_thread(server: Server) -> None:
    made = server.env.backend.create_thread(server.channel.id, "room", server.members[0].id)
    await server.env.settle()
    thread = next(thread for thread in server.channel.threads if thread.id == made.id)
    there = dataclasses.replace(server, channel=thread)
    await there.begin(2)
    await play_turn(there)
    assert (await there.table()).channel_id == thread.id
    # The channel around it has no table.
    assert private(await server.slash(server.members[0], "leave"))


async def test_a_table_that_is_refused_leaves_no_empty_thread(server: Server) -> None:
    forbid(server, "create_public_threads")
    assert "Create Public Threads" in private(await server.slash(server.members[0], "new", thread=True))
    forbid(server)
    await administer(server, channels=(server.guild.create_text_channel("arcade").id,))
    assert "is played in" in private(await server.slash(server.members[0], "new", thread=True))
    assert server.channel.threads == []


@pytest.mark.parametrize("name", ["create_public_threads", "send_messages_in_threads", "send_messages"])
async def test_nobody_opens_a_thread_through_the_bot_who_may_not_open_one_themselves(server: Server, name: str) -> None:
    host = server.members[0]
    denied = discord.Permissions(**{name: True}).value
    server.env.backend.set_overwrite(server.channel.id, Overwrite(host.id, 1, 0, denied))  # type: ignore[arg-type]
    assert "you need the permission" in private(await server.slash(host, "new", thread=True))
    assert server.channel.threads == []
    await server.slash(server.members[1], "new", thread=True)
    assert len(server.channel.threads) == 1


async def test_somebody_with_enough_tables_gets_no_further_thread(server: Server) -> None:
    for _table in range(TABLES_PER_HOST):
        await server.slash(server.members[0], "new", thread=True)
    threads = server.channel.threads
    assert len(threads) == TABLES_PER_HOST
    said = private(await server.slash(server.members[0], "new", thread=True))
    assert all(f"<#{thread.id}>" in said for thread in threads)
    assert len(server.channel.threads) == TABLES_PER_HOST


async def test_in_an_announcement_channel_a_table_gets_an_announcement_thread(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord refuses any other type: https://discord.com/developers/docs/topics/threads#public--private-threads"""
    kind = discord.ChannelType.news_thread.value
    monkeypatch.setattr("simcord.backend.models.channel.THREAD_TYPES", (kind,))
    news = server.guild.create_news_channel("news")
    await server.slash(server.members[0], "new", thread=True, order="open", channel=news)
    (thread,) = news.threads
    assert server.env.backend.get_channel(thread.id).type == kind
    there = dataclasses.replace(server, channel=thread)
    await there.press(server.members[1], Verb.JOIN)
    await there.press(server.members[0], Verb.START)
    await play_turn(there)


@pytest.mark.parametrize("same_page", [False, True])
async def test_an_archived_thread_is_opened_again_for_the_next_turn(server: Server, same_page: bool) -> None:
    there = await thread_table(server)
    await there.press(server.members[0], Verb.START)
    table = await there.table()
    simulation.archive(server.env, there.channel)
    with simulation.archives_like_discord():
        if same_page:
            await show_again(server, table)
        else:
            await wait_until(server, table.timing.deadline, 1)
    assert not simulation.archived(server.env, there.channel)
    after = await there.table()
    assert not after.owed
    assert after.timing.paused_at is None
    assert len(pages(there)) == 2, "the opening has called everybody, so the first turn need not stay"
    assert [message.id for message in pages(there) if there.buttons(message=message)] == [page(there).id]


async def test_a_locked_thread_pauses_the_game(server: Server) -> None:
    there = await thread_table(server)
    await there.press(server.members[0], Verb.START)
    table = await there.table()
    simulation.archive(server.env, there.channel)
    server.env.inject_error("PATCH", f"/channels/{there.channel.id}", status=403, code=50013, times=None)
    server.env.inject_error("POST", f"/channels/{there.channel.id}/messages", status=403, code=50013, times=None)
    with simulation.archives_like_discord():
        await wait_until(server, table.timing.deadline, 1)
        await wait(server, hours=3)
    assert (await there.table()).timing.paused_at is not None
