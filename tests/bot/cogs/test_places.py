"""Messages, servers, permissions and threads that go away or come back while a game is played."""

import dataclasses

import pytest

from bot.cogs.privacy import PurgeListener
from bot.domain.table import Status
from tests.bot import passing
from tests.bot.server import Server


async def test_when_the_bot_is_removed_its_games_are_closed(server: Server) -> None:
    other = dataclasses.replace(server, channel=server.guild.create_text_channel("other"))
    tables = [await server.begin(2), await other.seat(2)]
    server.env.backend.remove_guild(server.guild.id)
    await server.env.settle()
    for table in tables:
        assert (await server.table(table.id)).status is Status.ABANDONED
    assert server.rows("select guild_id from guilds_left") == [(server.guild.id,)]
    await passing.wait(server, hours=48)


async def test_when_the_bot_is_removed_while_it_stops_its_games_are_closed_after_the_next_start(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    table = await server.begin(2)
    caplog.set_level("INFO", "bot.cogs.privacy")
    guild, listener = server.bot.get_guild(server.guild.id), server.bot.get_cog("PurgeListener")
    assert guild is not None
    assert isinstance(listener, PurgeListener)
    await server.bot.close()
    await listener.on_guild_remove(guild)
    assert [record.levelname for record in caplog.records if "the bot is stopping" in record.message] == ["INFO"] * 2
    server.env.backend.remove_guild(server.guild.id)
    await server.start_again()
    assert (await server.table(table.id)).status is Status.ABANDONED


@pytest.mark.parametrize("direct_messages", [True, False])
async def test_the_host_of_a_paused_game_is_told_once_and_warned_once_before_it_is_closed(
    server: Server, monkeypatch: pytest.MonkeyPatch, direct_messages: bool
) -> None:
    monkeypatch.setattr("bot.services.deadlines.WARNED_DAYS", 0.25)
    monkeypatch.setattr("bot.domain.deadlines.PAUSED_DAYS", 0.5)
    table = await server.begin(2)
    channel = server.members[0].user.dm_channel
    if not direct_messages:
        server.env.inject_error("POST", f"/channels/{channel.id}/messages", status=403, code=50007, times=None)
    passing.forbid(server, "send_messages")
    await passing.wait_until(server, table.timing.remind_at, 1)
    assert ["goes on when" in told.content for told in channel.history()] == [True] * direct_messages
    await server.restart()
    await passing.wait(server, hours=9)
    warnings = channel.history()
    assert [str(table.channel_id) in warning.content for warning in warnings] == [True] * 2 * direct_messages
    assert all("Otherwise it will be closed" in warning.content for warning in warnings[1:])
    await passing.wait(server, hours=6)
    # Nobody can be shown that it is closed, so it is owed to nobody.
    after = await server.table()
    assert (after.status, after.is_unshown) == (Status.ABANDONED, False)
    assert channel.history() == warnings
