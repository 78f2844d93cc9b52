"""Reminders: one at half time, the way each person prefers, and never a nuisance."""

from __future__ import annotations

import pytest
from simcord import MemberActor

from bot.ui.buttons import Verb
from tests.bot.passing import Call, administer, calls, play_turn, reminders, wait, wait_until
from tests.bot.server import Server, private
from tests.e2e.watcher import MENTION

pytestmark = pytest.mark.only_sqlite("what people see; test_isolation.py and test_claims.py have both databases")


async def prefer(server: Server, member: MemberActor, way: str) -> None:
    assert private(await server.slash(member, "reminders", way=way))


def close_direct_messages(server: Server, member: MemberActor) -> None:
    path = f"/channels/{member.user.dm_channel.id}/messages"
    server.env.inject_error("POST", path, status=403, code=50007, message="Cannot send messages", times=None)


async def at_half_time(server: Server, players: int = 2, order: str = "clockwise") -> MemberActor:
    """A game in which half of the first time has just not passed yet; returns who is on."""
    table = await server.begin(players, order=order)
    await wait_until(server, table.timing.remind_at, -1)
    assert reminders(server) == []
    return server.on_turn(table)


async def test_one_reminder_comes_at_half_time_as_a_mention(server: Server) -> None:
    table = await server.begin(2)
    slow = server.on_turn(table)
    assert table.timing.deadline is not None
    assert table.timing.remind_at is not None
    half = (table.timing.deadline - table.timing.remind_at).total_seconds()
    assert half == table.options.allowed_seconds / 2
    await wait(server, seconds=half - 1)
    assert reminders(server) == []
    await wait(server, seconds=1)
    assert reminders(server) == [Call(slow.id, reminder=True)]
    assert f"<t:{int(table.timing.deadline.timestamp())}:R>" in server.shown.content
    assert str(table.message_id) in server.shown.content
    await wait(server, seconds=half - 1)
    assert len(reminders(server)) == 1


async def test_a_reminder_leaves_the_buttons_where_they_are(server: Server) -> None:
    slow = await at_half_time(server)
    await wait(server, seconds=2)
    table = await server.table()
    page = server.message(table.message_id or 0)
    assert page.id != server.shown.id
    await server.press(slow, Verb.TAKE, message=page)
    assert (await server.table()).version == table.version + 1


async def test_who_wants_direct_messages_gets_one_and_no_mention(server: Server) -> None:
    for member in server.members[:2]:
        await prefer(server, member, "dm")
    slow = await at_half_time(server)
    messages = len(server.messages)
    await wait(server, seconds=2)
    assert reminders(server) == [Call(slow.id, reminder=True, direct=True)]
    assert len(server.messages) == messages
    (told,) = slow.user.dm_channel.history()
    assert not MENTION.search(told.content)
    assert str((await server.table()).message_id) in told.content


async def test_who_takes_no_direct_messages_is_mentioned_in_the_channel(server: Server) -> None:
    for member in server.members[:2]:
        await prefer(server, member, "dm")
        close_direct_messages(server, member)
    slow = await at_half_time(server)
    await wait(server, seconds=2)
    assert [call for call in reminders(server) if not call.direct] == [Call(slow.id, reminder=True)]
    assert str(slow.id) in server.shown.content


async def test_who_wants_none_gets_none(server: Server) -> None:
    for member in server.members[:2]:
        await prefer(server, member, "none")
    await at_half_time(server)
    messages = len(server.messages)
    await wait(server, minutes=15)
    assert reminders(server) == []
    assert len(server.messages) == messages


async def test_in_open_order_each_is_reminded_in_their_own_way(server: Server) -> None:
    for member, way in zip(server.members, ("channel", "dm", "none", "channel"), strict=False):
        await prefer(server, member, way)
    table = await server.begin(5, order="open")
    await play_turn(server, server.members[4])
    await wait_until(server, table.timing.remind_at)
    ids = [member.id for member in server.members]
    assert sorted(reminders(server), key=str) == sorted(
        [Call(ids[0], True), Call(ids[3], True), Call(ids[1], True, direct=True)], key=str
    )
    # Two people in the channel are one message.
    assert sum(message.content.startswith("⏰") for message in server.messages) == 1


async def test_the_preference_can_be_changed_and_outlives_a_restart(server: Server) -> None:
    for way in ("none", "dm"):
        for member in server.members[:2]:
            await prefer(server, member, way)
    await server.restart()
    slow = await at_half_time(server)
    await wait(server, seconds=2)
    assert reminders(server) == [Call(slow.id, True, direct=True)]


async def test_who_has_just_clicked_anything_at_the_table_is_not_reminded(server: Server) -> None:
    slow = await at_half_time(server)
    await server.press(slow, Verb.TAKE)
    await wait(server, minutes=10)
    assert reminders(server) == []


async def test_a_click_long_ago_does_not_count(server: Server) -> None:
    table = await server.begin(2)
    slow = server.on_turn(table)
    await server.press(slow, Verb.TAKE)
    await wait_until(server, table.timing.remind_at)
    assert reminders(server) == [Call(slow.id, True)]


async def test_picking_a_die_counts_as_being_there(server: Server) -> None:
    table = await server.begin_turn(2)
    slow = server.on_turn(table)
    await wait_until(server, table.timing.remind_at, -60)
    verb = Verb.TOGGLE if server.buttons(Verb.TOGGLE) else Verb.ROLL
    await server.press(slow, verb)
    await wait(server, seconds=70)
    assert reminders(server) == []


async def test_who_has_played_is_not_reminded_in_open_order(server: Server) -> None:
    table = await server.begin(3, order="open")
    await play_turn(server, server.members[0])
    await wait_until(server, table.timing.remind_at)
    assert {call.user_id for call in reminders(server)} == {server.members[1].id, server.members[2].id}


async def test_a_server_can_do_without_reminders(server: Server) -> None:
    await administer(server, reminders=0)
    table = await server.begin(2)
    await wait_until(server, table.timing.deadline, -1)
    assert reminders(server) == []


async def test_a_server_can_have_them_later(server: Server) -> None:
    await administer(server, reminders=75)
    await server.begin(2)
    await wait(server, minutes=29)
    assert reminders(server) == []
    await wait(server, minutes=2)
    assert len(reminders(server)) == 1


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


async def test_no_turn_brings_more_than_one_mention_and_one_reminder(server: Server) -> None:
    table = await server.begin(2)
    slow = server.on_turn(table)
    await wait_until(server, table.timing.deadline, -1)
    assert calls(server) == [Call(slow.id, reminder=False), Call(slow.id, reminder=True)]


@pytest.mark.parametrize("status", [500, 503, 429])
async def test_a_reminder_discord_did_not_take_is_sent_later_and_once(server: Server, status: int) -> None:
    ada, ben = server.members[:2]
    await prefer(server, ada, "dm")
    table = await server.begin(2, order="open")
    server.env.inject_error("POST", f"/channels/{server.channel.id}/messages", status=status)
    await wait_until(server, table.timing.remind_at)
    await wait(server, minutes=5)
    sent = [message for message in server.messages if message.content.startswith("⏰")]
    assert [MENTION.findall(message.content) for message in sent] == [[str(ben.id)]]
    assert len(ada.user.dm_channel.history()) == 1


async def test_a_reminder_owed_when_the_bot_stopped_is_sent_by_the_next(server: Server) -> None:
    table = await server.begin(2)
    slow = server.on_turn(table)
    server.env.inject_error("POST", f"/channels/{server.channel.id}/messages", status=503)
    await wait_until(server, table.timing.remind_at)
    assert not server.shown.content.startswith("⏰")
    await server.restart()
    await wait(server, seconds=1)
    assert server.shown.content.startswith("⏰")
    assert str(slow.id) in server.shown.content
    await server.restart()
    await wait(server, minutes=5)
    assert sum(message.content.startswith("⏰") for message in server.messages) == 1


async def test_a_turn_played_in_time_is_not_reminded_of_later(server: Server) -> None:
    table = await server.begin(2)
    server.env.inject_error("POST", f"/channels/{server.channel.id}/messages", status=503)
    await wait_until(server, table.timing.remind_at)
    await play_turn(server)
    await wait(server, minutes=5)
    assert not any(message.content.startswith("⏰") for message in server.messages)
