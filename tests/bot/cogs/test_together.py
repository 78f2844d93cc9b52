"""Many people at once."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.config import Settings
from bot.ui.buttons import Press, Verb
from tests import simulation
from tests.bot.server import Server, private, serve
from tests.simulation import Click

CROWD = 100


@pytest.fixture
async def crowd(settings: Settings) -> AsyncIterator[Server]:
    async with serve(settings, members=CROWD) as running:
        yield running


async def test_a_hundred_clicks_on_one_button_are_one_move_and_one_new_message(server: Server) -> None:
    table = await server.begin(2)
    player, message = server.on_turn(table), server.shown
    button = Press(Verb.TAKE, table.id, table.version).custom_id
    presses = [Click(player, message.id, button)] * CROWD
    results = await simulation.click_together(server.env, server.channel, presses)
    after = await server.table()
    assert after.version == table.version + 1
    assert server.rows("select count(*) from events where seq > ?", table.version) == [(1,)]
    assert all(result.acknowledged for result in results)
    told = [result for result in results if result.response is not None and result.response.ephemeral]
    assert len(told) == CROWD - 1
    assert all("moved on" in private(result) for result in told)
    assert (after.owed, server.shown.id) == (False, message.id)

    # The press that ends the turn, while everybody picks dice.
    count, end = len(server.messages), Click(player, message.id, server.end_turn())
    toggle = Press(Verb.TOGGLE, after.id, after.version, 1).custom_id
    toggles = [Click(member, message.id, toggle) for member in server.members]
    await simulation.click_together(server.env, server.channel, [*toggles, *[end] * (CROWD // 4), *toggles])
    ended = await server.table()
    assert ended.version == after.version + 1
    assert len(server.messages) == count + 1
    assert (ended.owed, ended.message_id) == (False, server.shown.id)
    assert not server.buttons(message=server.message(message.id))


async def test_a_hundred_people_cannot_take_four_seats(crowd: Server) -> None:
    table = await crowd.seat(1)
    press = Press(Verb.JOIN, table.id, table.version).custom_id
    results = await simulation.click_together(
        crowd.env, crowd.channel, [Click(member, crowd.shown.id, press) for member in crowd.members]
    )
    after = await crowd.table()
    people = [seat.user_id for seat in after.seats]
    assert (len(people), len(set(people))) == (5, 5)
    assert after.version == table.version + 4
    assert all(result.acknowledged for result in results)
    shown = str(crowd.shown.embeds[0].to_dict())
    assert all(seat.name in shown for seat in after.seats)
    assert Verb.JOIN not in crowd.verbs()
    assert not after.owed


async def test_fifty_new_tables_at_once_are_one(crowd: Server) -> None:
    results = await simulation.slash_together(crowd.channel, crowd.members[:50], "highscore new")
    assert crowd.rows("select count(*) from games") == [(1,)]
    assert sum(not result.ephemeral for result in results) == 1
    assert all("already" in private(result) for result in results if result.ephemeral)
    assert len(crowd.messages) == 1
