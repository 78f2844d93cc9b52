"""Messages, servers, permissions and threads that go away or come back while a game is played."""

import dataclasses

import pytest

from bot.cogs.purges import PurgeListener
from bot.domain.table import Status
from bot.services.away import remove_member
from bot.ui.buttons import Verb
from tests import simulation
from tests.bot.passing import (
    calls,
    forbid,
    page,
    play_turn,
    press,
    shown,
    stamp,
    stamps,
    wait,
    wait_until,
)
from tests.bot.server import Server, private


async def test_a_deleted_message_comes_back_and_calls_nobody_twice(server: Server) -> None:
    table = await server.begin(3)
    before = calls(server)
    simulation.delete_message(server.env, server.channel, page(server).id)
    # Somebody whose turn it is not leaves, and it is still the same turn.
    await remove_member(server.bot.core, table.id, server.off_turn(table).id)
    await server.redraw(table)
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
    assert server.rows("select guild_id from guilds_left") == [(server.guild.id,)]
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
    assert ["goes on once" in told.content for told in channel.history()] == [True] * direct_messages
    await server.restart()
    await wait(server, hours=9)
    warnings = channel.history()
    assert [str(table.channel_id) in warning.content for warning in warnings] == [True] * 2 * direct_messages
    assert all("otherwise it closes" in warning.content for warning in warnings[1:])
    await wait(server, hours=6)
    # Nobody can be shown that it is closed, so it is owed to nobody.
    after = await server.table()
    assert (after.status, after.owed) == (Status.ABANDONED, False)
    assert channel.history() == warnings
