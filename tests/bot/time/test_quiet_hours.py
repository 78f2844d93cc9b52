"""Quiet hours: the clock stands still, and nobody is notified."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import discord
import pytest

from bot.ui.buttons import Verb
from tests.bot.server import Server
from tests.bot.time.passing import (
    Call,
    administer,
    calls,
    page,
    play_turn,
    press,
    reminders,
    stamp,
    stamps,
    wait,
    wait_until,
)

NIGHT = {"time_zone": "Europe/Berlin", "quiet_hours": "23:00-08:00"}


async def evening(server: Server, local: str = "22:00", day: int = 1) -> None:
    """Turn the clock to a time of day in Berlin, in January."""
    hours, minutes = map(int, local.split(":"))
    await wait_until(server, datetime(2026, 1, day, hours - 1, minutes, tzinfo=UTC))


async def test_the_deadline_stands_still_over_night(server: Server) -> None:
    await administer(server, **NIGHT)
    await evening(server)
    table = await server.begin(2, order="open")
    # One hour in the evening, the other in the morning.
    assert table.timing.deadline == datetime(2026, 1, 2, 8, tzinfo=UTC)
    assert stamp(table.timing.deadline) in stamps(server)
    await wait(server, hours=10, minutes=59)
    assert (await server.table()).version == table.version
    await wait(server, minutes=1)
    assert (await server.table()).version > table.version


async def test_nobody_is_reminded_at_night(server: Server) -> None:
    await administer(server, **NIGHT)
    await evening(server, "22:50")
    table = await server.begin(2)
    await wait(server, hours=9, minutes=9)
    assert reminders(server) == []
    await wait(server, minutes=2)
    assert reminders(server) == []
    await wait(server, minutes=10)
    assert reminders(server) == [Call(server.on_turn(table).id, True)]


async def test_who_plays_at_night_notifies_nobody(server: Server) -> None:
    await administer(server, **NIGHT)
    await evening(server, "22:59")
    table = await server.begin(3)
    before = calls(server)
    await wait(server, minutes=30)
    for _turn in range(4):
        table = await play_turn(server)
    # The table says who is on, and nobody's telephone rings.
    assert str(server.on_turn(table).id) in page(server).content
    assert calls(server) == before
    await wait(server, hours=9)
    assert len(reminders(server)) == 1


async def test_a_hold_taken_late_ends_in_the_morning(server: Server) -> None:
    await administer(server, **NIGHT)
    await evening(server, "22:55")
    await server.begin(2, order="open")
    await press(server, server.members[0], Verb.TAKE)
    table = await server.table()
    assert table.timing.hold_deadline == datetime(2026, 1, 2, 7, 10, tzinfo=UTC)


async def test_an_outage_into_the_night_reminds_nobody(server: Server) -> None:
    await administer(server, **NIGHT)
    await evening(server, "22:20")
    table = await server.begin(2)
    assert table.timing.remind_at == server.env.now() + timedelta(minutes=20)
    await server.bot.close()
    await wait(server, hours=2)
    await server.start_again()
    await wait(server, hours=7)
    assert reminders(server) == []
    await wait(server, hours=1)
    assert len(reminders(server)) == 1


async def test_a_reminder_that_could_not_be_sent_in_the_evening_waits_for_the_morning(server: Server) -> None:
    await administer(server, **NIGHT)
    await evening(server, "22:39")
    table = await server.begin(2)
    server.env.inject_error("POST", f"/channels/{server.channel.id}/messages", status=503)
    await wait_until(server, table.timing.remind_at, 50)
    await wait(server, hours=8, minutes=50)
    assert not any(message.content.startswith("⏰") for message in server.messages)
    await wait(server, minutes=30)
    assert sum(message.content.startswith("⏰") for message in server.messages) == 1


async def test_over_the_change_of_the_clocks_a_turn_ends_at_the_right_local_time(server: Server) -> None:
    """In the night to 29 March the clocks in Berlin go forward: quiet hours last eight hours."""
    await administer(server, **NIGHT)
    await wait_until(server, datetime(2026, 3, 28, 21, 30, tzinfo=UTC))
    table = await server.begin(2)
    assert table.timing.deadline == datetime(2026, 3, 29, 6, 10, tzinfo=UTC)
    await wait(server, hours=8, minutes=39)
    assert (await server.table()).version == table.version
    await wait(server, minutes=2)
    assert (await server.table()).version > table.version


@pytest.mark.parametrize("pinged", [True, False])
async def test_quiet_hours_can_be_taken_back(server: Server, pinged: bool) -> None:
    await administer(server, **NIGHT)
    if pinged:
        role = server.guild.roles["admins"]
        assert isinstance(role.id, int)
        other = server.guild.create_role("more", permissions=discord.Permissions(manage_guild=True))
        boss = server.guild.add_member(server.env.create_user("boss2"), roles=[other])
        await server.slash(boss, "settings", quiet_hours="off")
    await evening(server, "23:30")
    table = await server.begin(2)
    assert bool(calls(server)) is pinged
    assert (table.timing.deadline == server.env.now() + timedelta(minutes=40)) is pinged
