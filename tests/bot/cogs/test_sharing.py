import discord

from bot.domain.table import Table
from bot.ui.buttons import DataPress, TablePress, Verb, Wish
from tests.bot.passing import forbid
from tests.bot.played import begun, finished, play_out
from tests.bot.server import PrivatePage, Server, embeds_of, private, private_message

SHARES = {Verb.SHARE, Verb.SHARE_FINAL}


async def _ended(server: Server) -> Table:
    table = await play_out(server.bot.core, await begun(server, 3, server.channel.id))
    await server.redraw(table)
    return await server.table(table.id)


async def _report(server: Server, table: Table, who: int = 0) -> PrivatePage:
    press = TablePress(Verb.REPORT, table.id, table.version)
    member = server.members[who]
    return PrivatePage.of(server, member, await server.send(member, press.custom_id, table.message_id))


async def _delete(server: Server, who: int) -> None:
    press = DataPress(Wish.FOREVER, server.members[who].id)
    result = await server.slash(server.members[who], "me")
    await server.send(server.members[who], press.custom_id, private_message(result).id)
    await server.settle()


def _alt(message: discord.Message) -> str:
    return " ".join(attachment.description or "" for attachment in message.attachments)


def _words(message: discord.Message) -> str:
    return _alt(message) + embeds_of(message)


async def test_report_and_standings_are_posted_once_each_for_everybody(server: Server) -> None:
    table = await _ended(server)
    report = await _report(server, table)
    before = len(server.messages)
    await report.press(Verb.SHARE)
    assert "Match report" in str(server.shown.embeds[0].title)
    assert server.verbs() == {Verb.FIGURES}
    assert SHARES & report.verbs() == {Verb.SHARE_FINAL}
    await report.press(Verb.SHARE_FINAL)
    assert "win" in str(server.shown.embeds[0].title) or "share" in str(server.shown.embeds[0].title)
    assert ", results: " in _alt(server.shown)
    assert not server.verbs()
    assert len(server.messages) == before + 2
    assert not SHARES & report.verbs()
    assert server.rows("select what, post_at from shared_messages order by what") == [("final", None), ("report", None)]


async def test_nobody_shares_where_they_may_not_write(server: Server) -> None:
    table = await _ended(server)
    report = await _report(server, table, 1)
    before = len(server.messages)
    forbid(server, "send_messages", member=server.members[1])
    told = private(await report.press(Verb.SHARE))
    assert "You're not allowed to write in this channel" in told
    assert len(server.messages) == before
    assert server.rows("select count(*) from shared_messages") == [(0,)]


async def test_a_player_gets_the_result_as_text_and_nobody_else_does(server: Server) -> None:
    running = await begun(server)
    table = await _ended(server)
    report = await _report(server, table)
    shared = server.messages
    told = private_message(await report.press(Verb.TEXT))
    assert told.content.startswith("High Score: place ")
    assert (told.embeds, told.components, told.attachments) == ([], [], [])
    await report.press(Verb.SHARE)
    assert Verb.TEXT in report.verbs()
    assert len(server.messages) == len(shared) + 1
    watcher = await _report(server, table, 3)
    assert Verb.TEXT not in watcher.verbs()
    assert "doesn't work here" in private(await watcher.send(report.button(Verb.TEXT)))
    forged = TablePress(Verb.TEXT, running.id, running.version)
    assert "when the game is over" in private(await report.send(forged.custom_id))
    await _delete(server, 0)
    assert "doesn't work here" in private(await report.send(report.button(Verb.TEXT)))


async def test_a_deletion_draws_the_pictures_anew_without_the_name(server: Server) -> None:
    table = await _ended(server)
    other = await finished(server)
    report = await _report(server, table)
    await report.press(Verb.SHARE)
    await report.press(Verb.SHARE_FINAL)
    assert table.message_id is not None
    shown = [server.message(table.message_id), *server.messages[-2:]]
    assert all("Ben" in _words(message) for message in shown)
    assert other.message_id is None
    await _delete(server, 1)
    for message in map(server.message, (message.id for message in shown)):
        assert "Ben" not in _words(message)
        assert "Deleted account" in _words(message)
        assert "Ada" in _words(message)
    assert server.verbs(server.message(table.message_id)) >= {Verb.REMATCH, Verb.REPORT}
    assert server.rows("select distinct post_at from shared_messages") == [(None,)]
    await _delete(server, 0)
    assert "Ada" not in _alt(server.message(table.message_id))
