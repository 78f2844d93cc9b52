"""What people see of reminders; when they come, and how, is decided by services and workers."""

from __future__ import annotations

from bot.ui.buttons import Verb
from tests.bot.passing import Call, administer, play_turn, reminders, wait, wait_until
from tests.bot.server import Server, private
from tests.e2e.watcher import MENTION


async def test_a_reminder_comes_as_one_likes_it_and_leaves_the_buttons_where_they_are(server: Server) -> None:
    await administer(server, reminders=75)
    ada, ben = server.members[:2]
    assert private(await server.slash(ada, "reminders", way="dm"))
    await server.restart()
    table = await server.begin(2, order="open")
    page = server.shown
    await wait_until(server, table.timing.deadline, -31 * 60)
    assert reminders(server) == []
    await wait(server, minutes=2)
    assert sorted(reminders(server), key=str) == [Call(ada.id, True, direct=True), Call(ben.id, True)]
    (told,) = ada.user.dm_channel.history()
    for message in (told, server.shown):
        assert str(page.id) in message.content
    assert not MENTION.search(told.content)
    await server.press(ben, Verb.TAKE, message=page)
    assert (await server.table()).version == table.version + 1


async def test_picking_a_die_counts_as_being_there(server: Server) -> None:
    table = await server.begin_turn(2)
    slow = server.on_turn(table)
    await wait_until(server, table.timing.remind_at, -60)
    await server.press(slow, Verb.TOGGLE if server.buttons(Verb.TOGGLE) else Verb.ROLL)
    await wait(server, seconds=70)
    assert reminders(server) == []


def _elsewhere(server: Server) -> Server:
    return Server(server.env, server.settings, server.guild, server.guild.create_text_channel("other"), server.members)


async def test_nobody_has_two_reminders_pending_over_several_tables(server: Server) -> None:
    other = _elsewhere(server)
    for where in (server, other):
        await where.begin(2, order="open")
    await wait(server, minutes=70)
    ada, ben = server.members[:2]
    assert sorted(call.user_id for call in reminders(server)) == [ada.id, ben.id]
    # Ada plays where she was reminded, the second round of that table comes, and with it the next reminder.
    reminded = server if server.messages[-1].content.startswith("⏰") else other
    for member in (ada, ben):
        await play_turn(reminded, member)
    assert server.rows("select count(*) from reminders") == [(0,)]
    await wait(server, minutes=65)
    assert [call.user_id for call in reminders(server)].count(ada.id) == 2


async def test_a_reminder_that_was_not_sent_holds_up_no_other_table(server: Server) -> None:
    other = _elsewhere(server)
    first = await server.begin(2, order="open")
    await wait(server, minutes=10)
    await other.begin(2, order="open")
    await wait_until(server, first.timing.remind_at, -60)
    for member in server.members[:2]:
        # Both are at the first table, and wait there for somebody to take the dice.
        server.bot.reminding.clicked(first.id, member.id)
    await wait(server, minutes=15)
    assert {call.user_id for call in reminders(server)} == {member.id for member in server.members[:2]}
    assert other.messages[-1].content.startswith("⏰")
