import dataclasses
from typing import Any

import discord
import pytest

from bot.domain.table import Status
from bot.ui.buttons import Verb
from tests.bot.passing import administer, forbid, pages, play_turn, text, wait
from tests.bot.server import RETRY, Server, private


async def thread_table(server: Server, **options: Any) -> Server:
    result = await server.slash(server.members[0], "new", thread=True, order="clockwise", **options)
    (thread,) = server.channel.threads
    assert "🔏" in private(result)
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
    server.env.backend.delete_channel(there.channel.id)
    await server.env.settle()
    assert (await server.table(table.id)).status is Status.ABANDONED
    assert (await server.table(around.id)).status is Status.PLAYING


async def followed(server: Server) -> None:
    await wait(server, seconds=RETRY + 1)


async def test_the_channel_has_a_lobby_that_follows_the_one_in_the_thread(server: Server) -> None:
    there = await thread_table(server, seats=3)
    lobby, (ada, ben, cem, dot) = server.shown, server.members[:4]
    await followed(server)
    assert "Ben" in text(server.shown)
    assert "1 seat free" in text(server.shown)
    assert f"/{there.channel.id}" in private(await server.press(cem, Verb.ENTER))
    assert "Cem" in text(server.shown), "the press is answered with it"
    await server.settle()
    assert "Cem" in text(there.shown)
    assert not server.buttons(), "no seat is free"
    await there.press(ben, Verb.LEAVE)
    await followed(server)
    assert "already" in private(await server.press(cem, Verb.ENTER))
    await there.press(ada, Verb.START)
    await followed(server)
    assert f"The game in {there.channel.mention} has started." in text(server.shown)
    assert not server.buttons()
    assert "has started" in text(server.shown)
    assert server.shown.id == lobby.id
    assert "started already" not in text(server.shown)
    assert (await there.table()).seat_of(dot.id) is None


async def test_a_table_that_is_refused_leaves_no_empty_thread(server: Server) -> None:
    forbid(server, "create_public_threads")
    assert "Create Public Threads" in private(await server.slash(server.members[0], "new", thread=True))
    forbid(server)
    await administer(server, channels=(server.guild.create_text_channel("arcade").id,))
    assert "is played in" in private(await server.slash(server.members[0], "new", thread=True))
    assert server.channel.threads == []


async def test_nobody_opens_a_thread_through_the_bot_who_may_not_open_one_themselves(server: Server) -> None:
    host = server.members[0]
    for name in ("create_public_threads", "send_messages_in_threads", "send_messages"):
        forbid(server, name, member=host)
        assert "you need these permissions" in private(await server.slash(host, "new", thread=True))
    assert server.channel.threads == []
    await server.slash(server.members[1], "new", thread=True)
    assert len(server.channel.threads) == 1


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
