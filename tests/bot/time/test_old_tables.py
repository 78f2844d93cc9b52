"""Tables that wait too long, and deadlines that pass while the bot is down."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.domain.table import Status
from bot.ui.buttons import Verb
from tests.bot.server import Server
from tests.bot.time.passing import (
    ORDERS,
    calls,
    press,
    remarks,
    reminders,
    shown,
    stamp,
    stamps,
    wait,
    wait_until,
)
from tests.bot.time.test_places import forbid


async def test_a_lobby_nobody_starts_closes_after_a_day(server: Server) -> None:
    table = await server.seat(3)
    await wait(server, hours=23, minutes=59)
    assert (await server.table()).status is Status.LOBBY
    await wait(server, minutes=1)
    after = await server.table()
    assert after.status is Status.ABANDONED
    assert not after.owed
    assert not server.buttons()
    assert table.seed.hex() in shown(server)
    assert remarks(server, after) == ["the table was closed: nobody started"]
    await server.seat(2)


async def test_a_paused_game_is_closed_after_two_weeks_with_one_warning(server: Server) -> None:
    table = await server.begin(2)
    host = server.members[0]
    forbid(server, "send_messages")
    await wait_until(server, table.timing.remind_at)
    assert (await server.table()).timing.paused_at is not None
    await wait(server, days=11, hours=23)
    assert host.user.dm_channel.history() == []
    await wait(server, hours=8)
    (warning,) = host.user.dm_channel.history()
    assert str(table.channel_id) in warning.content
    await wait(server, days=1, hours=16)
    assert (await server.table()).status is Status.PLAYING
    await wait(server, hours=8)
    assert (await server.table()).status is Status.ABANDONED
    assert len(host.user.dm_channel.history()) == 1
    # Nobody can be shown it, so it is owed to nobody.
    assert not (await server.table()).owed


async def test_the_warning_survives_a_host_who_takes_no_direct_messages(server: Server) -> None:
    table = await server.begin(2)
    path = f"/channels/{server.members[0].user.dm_channel.id}/messages"
    server.env.inject_error("POST", path, status=403, code=50007, times=None)
    forbid(server, "send_messages")
    await wait_until(server, table.timing.remind_at)
    await wait(server, days=14, hours=7)
    assert (await server.table()).status is Status.ABANDONED


async def test_a_paused_game_is_looked_at_less_and_less_often(server: Server) -> None:
    table = await server.begin(2)
    forbid(server, "send_messages")
    await wait_until(server, table.timing.remind_at)
    looks = set()
    for _hour in range(48):
        looks.add((await server.table()).timing.retry_at)
        await wait(server, hours=1)
    assert 10 < len(looks) < 30


async def test_a_game_that_goes_on_after_the_warning_is_not_closed(server: Server) -> None:
    table = await server.begin(2)
    forbid(server, "send_messages")
    await wait_until(server, table.timing.remind_at)
    await wait(server, days=13)
    forbid(server)
    await wait(server, minutes=11)
    table = await server.table()
    assert (table.timing.paused_at, table.timing.warned) == (None, False)
    assert table.status is Status.PLAYING


# ---------------------------------------------------------------------- outages


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("overdue", [timedelta(seconds=20), timedelta(hours=9)])
async def test_a_deadline_that_passed_while_the_bot_was_down_is_put_off(
    server: Server, order: str, overdue: timedelta
) -> None:
    table = await server.begin(2, order=order)
    await wait_until(server, table.timing.deadline, -30)
    told = len(calls(server))
    await server.bot.close()
    await wait(server, seconds=30 + overdue.total_seconds())
    await server.start_again()
    await wait(server, seconds=5)
    late = await server.table()
    assert late.game == table.game
    assert [seat.misses for seat in late.seats] == [0, 0]
    assert late.timing.deadline is not None
    left = (late.timing.deadline - server.env.now()).total_seconds()
    assert table.options.allowed_seconds / 4 - 10 <= left <= table.options.allowed_seconds / 4
    assert stamp(late.timing.deadline) in stamps(server)
    assert calls(server)[told:] == []
    # It is a deadline like any other.
    await wait_until(server, late.timing.deadline, 1)
    after = await server.table()
    assert any(seat.misses == 1 for seat in after.seats)


async def test_a_turn_in_time_after_an_outage_is_a_turn_in_time(server: Server) -> None:
    table = await server.begin(2)
    await server.bot.close()
    await wait(server, hours=5)
    await server.start_again()
    await press(server, server.on_turn(table), Verb.TAKE)
    assert (await server.table()).version == table.version + 1


async def test_a_deadline_that_is_still_to_come_is_left_alone_by_an_outage(server: Server) -> None:
    table = await server.begin(2)
    await wait(server, minutes=25)
    await server.restart()
    await wait(server, seconds=5)
    assert (await server.table()).timing.deadline == table.timing.deadline


async def test_a_reminder_that_came_due_while_the_bot_was_down_is_sent_once(server: Server) -> None:
    table = await server.begin(2)
    await server.bot.close()
    await wait_until(server, table.timing.remind_at, 60)
    await server.start_again()
    await wait(server, minutes=5)
    await server.restart()
    await wait(server, minutes=5)
    assert len(reminders(server)) == 1


async def test_the_house_goes_on_where_it_was_stopped(server: Server) -> None:
    await server.seat(1, order="clockwise", house=1)
    await press(server, server.members[0], Verb.START)
    table = await server.table()
    if table.game is not None and 0 in table.game.may_act:
        await wait_until(server, table.timing.deadline, 1)
    before = await server.table()
    assert before.timing.house_at is not None
    await server.restart()
    await wait(server, minutes=4)
    table = await server.table()
    assert table.timing.house_at is None
    assert table.game is not None
    played = [*(turn for done in table.game.finished for turn in done.turns), *table.game.played]
    assert (played[-1].seat, played[-1].by_house) == (1, False)


async def test_a_lobby_whose_day_ended_in_an_outage_gets_some_hours(server: Server) -> None:
    await server.seat(2)
    await server.bot.close()
    await wait(server, hours=30)
    await server.start_again()
    await wait(server, hours=5)
    assert (await server.table()).status is Status.LOBBY
    assert stamp((await server.table()).timing.deadline) in stamps(server)
    await wait(server, hours=2)
    assert (await server.table()).status is Status.ABANDONED
