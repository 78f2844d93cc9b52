"""Messages, channels, threads and permissions that go away, and threads that sleep."""

from __future__ import annotations

import dataclasses
from typing import Any

import discord
import pytest
from simcord import ChannelHandle
from simcord.backend.models import Overwrite

from bot.domain.table import Status, Table
from bot.services import absence
from bot.ui.buttons import Verb
from tests import simulation
from tests.bot.server import Server, private
from tests.bot.time.passing import (
    administer,
    calls,
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


def forbid(server: Server, *names: str, channel: ChannelHandle | None = None) -> None:
    """Take permissions from the bot in a channel; without names it has all of them again."""
    assert server.bot.user is not None
    denied = discord.Permissions(**dict.fromkeys(names, True)).value
    where = (channel or server.channel).id
    server.env.backend.set_overwrite(where, Overwrite(server.bot.user.id, 1, 0, denied))  # type: ignore[arg-type]


async def show_again(server: Server, table: Table) -> None:
    """The delivery shows a table again, as it does after anything that happened to it."""
    server.bot.delivery.request_redraw(table.id)
    await server.bot.delivery.settled()


# ---------------------------------------------------------------------- messages


async def test_a_deleted_message_comes_back_with_the_next_event_and_calls_nobody_twice(server: Server) -> None:
    table = await server.begin(2)
    before = calls(server)
    simulation.delete_message(server.env, server.channel, page(server).id)
    # The event: somebody whose turn it is not leaves, and it is still the same turn.
    await absence.gone(server.bot.core, table.id, server.off_turn(table).id)
    await show_again(server, table)
    assert server.verbs(page(server)) == {Verb.TAKE}
    assert (await server.table()).message_id == page(server).id
    assert calls(server) == before
    await press(server, server.on_turn(table), Verb.TAKE)


async def test_a_deleted_message_comes_back_by_show(server: Server) -> None:
    table = await server.begin(2)
    simulation.delete_message(server.env, server.channel, page(server).id)
    await server.slash(server.members[4], "show")
    assert (await server.table()).message_id == page(server).id
    await press(server, server.on_turn(table), Verb.TAKE)
    assert (await server.table()).version == table.version + 1


async def test_a_turn_that_is_posted_again_notifies_nobody_again(server: Server) -> None:
    table = await server.begin(3)
    slow = server.on_turn(table)
    simulation.delete_message(server.env, server.channel, page(server).id)
    await show_again(server, table)
    assert server.verbs(page(server)) == {Verb.TAKE}
    assert [call.user_id for call in calls(server)] == [slow.id]


async def test_a_message_too_old_to_be_edited_is_sent_anew_and_notifies_nobody(server: Server) -> None:
    table = await server.begin(2)
    old = page(server)
    server.env.inject_error("PATCH", f"/channels/*/messages/{old.id}", status=400, code=30046)
    await show_again(server, table)
    assert page(server).id != old.id
    assert len(calls(server)) == 1


async def test_every_turn_is_one_message(server: Server) -> None:
    table = await server.begin(3, order="open")
    sent = len(server.sent)
    for _round in range(2):
        for member in server.members[:3]:
            await play_turn(server, member)
    assert len(server.sent) - sent == 6
    table = await server.table()
    assert table.game is not None
    assert len(pages(server)) == 1 + 1 + 6


# ---------------------------------------------------------------------- channels and servers


async def test_with_its_channel_a_game_is_closed(server: Server) -> None:
    table = await server.begin(2)
    simulation.delete_channel(server.env, server.channel)
    await server.env.settle()
    assert (await server.table(table.id)).status is Status.ABANDONED


async def test_a_channel_deleted_while_the_bot_was_down_closes_the_game(server: Server) -> None:
    table = await server.begin(2)
    await server.bot.close()
    simulation.delete_channel(server.env, server.channel)
    await server.start_again()
    await wait(server, hours=1)
    assert (await server.table(table.id)).status is Status.ABANDONED


async def test_a_table_without_a_channel_is_not_tried_at_every_start(server: Server) -> None:
    table = await server.begin(2)
    await server.bot.close()
    simulation.delete_channel(server.env, server.channel)
    await server.start_again()
    await wait(server, hours=1)
    before = len(server.requests("POST", str(table.channel_id)))
    for _ in range(2):
        await server.restart()
    assert len(server.requests("POST", str(table.channel_id))) == before
    assert server.rows("select shown_version - version from games") == [(0,)]


async def test_when_the_bot_is_removed_its_games_are_closed(server: Server) -> None:
    tables = [await server.begin(2)]
    other = Server(server.env, server.settings, server.guild, server.guild.create_text_channel("other"), server.members)
    tables.append(await other.seat(2))
    server.env.backend.remove_guild(server.guild.id)
    await server.env.settle()
    for table in tables:
        assert (await server.table(table.id)).status is Status.ABANDONED
    await wait(server, hours=48)


async def test_games_of_other_channels_go_on(server: Server) -> None:
    other = Server(server.env, server.settings, server.guild, server.guild.create_text_channel("other"), server.members)
    await server.begin(2)
    table = await other.begin(2)
    simulation.delete_channel(server.env, server.channel)
    await server.env.settle()
    await play_turn(other)
    assert (await other.table(table.id)).version > table.version


# ---------------------------------------------------------------------- permissions


@pytest.mark.parametrize("name", ["send_messages", "view_channel", "embed_links"])
@pytest.mark.parametrize("order", ["clockwise", "open"])
async def test_without_a_permission_the_clock_stands_still_and_goes_on_by_itself(
    server: Server, name: str, order: str
) -> None:
    table = await server.begin(2, order=order)
    await wait_until(server, table.timing.remind_at, -60)
    forbid(server, name)
    await wait(server, hours=6)
    standing = await server.table()
    assert standing.timing.paused_at is not None
    assert standing.game == table.game
    assert [seat.misses for seat in standing.seats] == [0, 0]
    assert not any(call.reminder for call in calls(server))

    forbid(server)
    await wait(server, seconds=1)
    table = await server.table()
    assert table.timing.paused_at is None
    assert table.timing.deadline is not None
    # It stood still from half time on, and goes on from there.
    left = (table.timing.deadline - server.env.now()).total_seconds()
    assert table.options.allowed_seconds / 2 - 2 <= left <= table.options.allowed_seconds / 2
    assert stamp(table.timing.deadline) in stamps(server)
    assert "Paused" not in shown(server)
    await play_turn(server)


async def test_a_turn_discord_did_not_let_be_shown_pauses_the_game_and_is_shown_later(server: Server) -> None:
    """Nothing the bot knows forbids it: only asking again can tell that it may."""
    table = await server.begin_turn(2)
    server.env.inject_error("POST", f"/channels/{server.channel.id}/messages", status=403, code=50013, times=3)
    on = server.on_turn(table)
    await press(server, on, Verb.STOP if server.buttons(Verb.STOP) else Verb.SET_ASIDE)
    paused = await server.table()
    assert paused.game is not None
    assert len(paused.game.played) == 1
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
    assert len(server.messages) == messages + 1


@pytest.mark.parametrize("command", ["new", "show", "skip", "leave"])
async def test_the_next_command_says_which_permission_is_missing(server: Server, command: str) -> None:
    await server.begin(2)
    forbid(server, "send_messages")
    await wait(server, hours=2)
    assert "Send Messages" in private(await server.slash(server.members[0], command))


async def test_with_all_permissions_no_command_complains(server: Server) -> None:
    await server.begin(2)
    assert "permission" not in private(await server.slash(server.members[0], "skip"))


async def test_a_lobby_without_permission_waits_too(server: Server) -> None:
    await server.seat(2)
    forbid(server, "send_messages")
    await wait(server, hours=30)
    assert (await server.table()).status is Status.LOBBY


async def test_a_role_that_is_given_back_its_permissions_lets_games_go_on(server: Server) -> None:
    table = await server.begin(2)
    assert server.bot.user is not None
    (role_id,) = server.env.backend.get_member(server.guild.id, server.bot.user.id).role_ids
    given = server.env.backend.get_role(server.guild.id, role_id).permissions
    everyone = server.env.backend.get_role(server.guild.id, server.guild.default_role.id)
    taken = ~discord.Permissions(send_messages=True).value
    server.env.backend.edit_role(server.guild.id, everyone.id, {"permissions": everyone.permissions & taken})
    server.env.backend.edit_role(server.guild.id, role_id, {"permissions": given & taken})
    await wait_until(server, table.timing.remind_at)
    assert (await server.table()).timing.paused_at is not None
    server.env.backend.edit_role(server.guild.id, role_id, {"permissions": given})
    await wait(server, seconds=1)
    assert (await server.table()).timing.paused_at is None


# ---------------------------------------------------------------------- threads


async def thread_table(server: Server, **options: Any) -> Server:
    """A game in a thread that the bot has opened for it."""
    result = await server.slash(server.members[0], "new", thread=True, order="clockwise", **options)
    (thread,) = server.channel.threads
    assert str(thread.id) in private(result)
    there = dataclasses.replace(server, channel=thread)
    await there.press(server.members[1], Verb.JOIN)
    return there


async def test_new_can_open_a_thread(server: Server) -> None:
    there = await thread_table(server)
    table = await there.table()
    assert table.channel_id == there.channel.id
    assert server.messages == [] or all(not message.components for message in server.messages)
    await there.press(server.members[0], Verb.START)
    await play_turn(there)
    assert len(pages(there)) == 3


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


async def test_a_thread_of_an_allowed_channel_is_allowed(server: Server) -> None:
    await administer(server, channel=server.channel)
    there = await thread_table(server)
    assert (await there.table()).status is Status.LOBBY


async def test_a_table_that_is_refused_leaves_no_empty_thread(server: Server) -> None:
    await administer(server, channel=server.guild.create_text_channel("arcade"))
    assert "is played in" in private(await server.slash(server.members[0], "new", thread=True))
    assert server.channel.threads == []


async def test_a_thread_that_may_not_be_opened_is_named(server: Server) -> None:
    forbid(server, "create_public_threads")
    assert "Create Public Threads" in private(await server.slash(server.members[0], "new", thread=True))


async def test_with_its_thread_a_game_is_closed(server: Server) -> None:
    there = await thread_table(server)
    table = await there.table()
    simulation.delete_channel(server.env, there.channel)
    await server.env.settle()
    assert (await server.table(table.id)).status is Status.ABANDONED


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
    assert (len(pages(there)) == 3) is not same_page
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
