"""The reminders as people see them; services and workers decide when and how they come."""

from collections import Counter
from datetime import timedelta

import pytest

from bot.ui.buttons import Verb
from highscore.deck import ROUNDS
from highscore.turn_order import TurnOrder
from tests.bot.cogs.test_run import finish_cards, open_page
from tests.bot.cores import game_of
from tests.bot.passing import Call, administer, calls, play_turn, reminders, wait, wait_until
from tests.bot.server import Server, private
from tests.e2e.watcher import MENTION
from tests.sampling import sample


async def test_a_reminder_comes_as_one_likes_it_and_leaves_the_buttons_where_they_are(server: Server) -> None:
    await administer(server, remind_percent=75)
    ada, ben = server.members[:2]
    assert private(await server.slash(ada, "me", reminders="dm"))
    await server.restart()
    table = await server.begin(2, order="open")
    page = server.shown
    await wait_until(server, table.timing.deadline, -31 * 60)
    assert reminders(server) == []
    await wait(server, minutes=2)
    assert sorted(reminders(server), key=str) == [Call(ada.id, True, direct=True), Call(ben.id, True)]
    begun, told = ada.user.dm_channel.history()
    assert "in this round" in begun.content
    for message in (told, server.shown):
        assert str(page.id) in message.content
    assert not MENTION.search(told.content)
    assert told.content.startswith("⏰ A friendly reminder, ")
    assert server.shown.content.startswith(f"⏰ <@{ben.id}>: A friendly reminder, ")
    await server.press(ben, Verb.TAKE, message=page)
    assert (await server.table()).version == table.version + 1


# ----------------------------------------------------------------------------------------------------------- calls


async def test_everybody_is_called_as_they_like_it_and_the_call_goes_when_they_have_acted(server: Server) -> None:
    ada, ben, cem = server.members[:3]
    await server.slash(ada, "me", reminders="dm")
    await server.slash(ben, "me", reminders="none")
    table = await server.begin(3)
    first = server.on_turn(table)
    for turn in range(6):
        player = server.on_turn(table)
        told = [message.content for message in ada.user.dm_channel.history() if "your turn" in message.content]
        assert len(told) == (player.id == ada.id)
        assert not turn or all(str(server.shown.id) in each for each in told)
        table = await play_turn(server, player)
    upcoming = server.on_turn(table).id
    turns = {member.id: 2 - (member is first) + (member.id == upcoming) for member in (ada, cem)}
    called = Counter((call.user_id, call.direct) for call in calls(server))
    assert called == {
        (ada.id, True): 1 + turns[ada.id],
        (cem.id, False): 1 + turns[cem.id],
    }, "when the game begins, and each turn but that with which it begins"
    left = [message for message in ada.user.dm_channel.history() if "your turn" in message.content]
    assert len(left) == (upcoming == ada.id)


@pytest.mark.parametrize("order", sample(TurnOrder, 3))
async def test_a_game_that_ends_in_quiet_hours_calls_people_by_its_standings_later(
    server: Server, order: TurnOrder
) -> None:
    table = await server.begin(2, order=order.value)
    while order.shared and len(game_of(table).turns_over) < 2 * ROUNDS - 1:
        table = await play_turn(server)
    now = server.env.now().replace(minute=0)
    ends = now + timedelta(hours=2)
    await administer(server, zone="UTC", quiet_from=now.time(), quiet_to=ends.time())
    called, last, before = server.members[:2], server.on_turn(table), calls(server)
    if order.shared:
        called = [member for member in called if member is not last]
        await play_turn(server)
    else:
        for at in range(2):
            await finish_cards(await open_page(server, at), ROUNDS)
    await server.settle()
    without = server.shown
    assert calls(server) == before
    await wait_until(server, ends, 1)
    await server.settle()
    await server.bot.delivery.tidying.settle()
    table = await server.table()
    assert [call.user_id for call in calls(server)[len(before) :]] == [member.id for member in called]
    assert [message.id for message in server.messages] == [table.opening_id, *table.log, table.message_id]
    assert without.id not in [message.id for message in server.messages]
    assert server.verbs() == {Verb.REMATCH, Verb.REPORT, Verb.PROOF}
