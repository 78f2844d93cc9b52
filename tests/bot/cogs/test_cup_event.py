"""The scheduled event of a cup, on a simulated Discord."""

from datetime import datetime
from typing import Any

import discord
import pytest
from simcord.backend.models import Overwrite, ScheduledEvent
from simcord.enums import OverwriteType

from bot.domain.cup import Status
from bot.services.core import Person
from bot.services.cup import end_cup
from tests import simulation
from tests.bot.cogs.test_cup import Cup
from tests.bot.databases import execute
from tests.bot.server import Server


def events(server: Server) -> list[ScheduledEvent]:
    return list(server.env.backend.get_guild(server.guild.id).scheduled_events.values())


def moment(text: str | None) -> datetime:
    assert text is not None
    return datetime.fromisoformat(text)


def leads_to(event: ScheduledEvent) -> int:
    """Return the message in the server's channel to which an event leads."""
    return int(str((event.entity_metadata or {})["location"]).rpartition("/")[2])


async def end(server: Server, cup: Cup) -> None:
    boss = Person(1, "Boss", manages_server=True)
    await simulation.as_bot(server.env, end_cup(server.bot.core, cup.id, boss))
    await server.settle()


async def test_a_cup_is_an_event_from_its_sign_up_to_its_end(server: Server) -> None:
    cup = await Cup.open(server, 3, legs=3, days=1)
    (event,) = events(server)
    view = await cup.view()
    assert (event.name, event.status) == ("Spring", 1)
    assert moment(event.scheduled_start_time) == view.cup.begins_at
    assert (moment(event.scheduled_end_time) - view.cup.begins_at).days == 3
    assert "League" in str(event.description)
    assert leads_to(event) == server.shown.id
    opened = await cup.go_on()
    (event,) = events(server)
    assert event.status == 2, "Discord has begun it"
    assert leads_to(event) == server.shown.id
    assert opened.open_leg is not None
    assert (moment(event.scheduled_end_time) - opened.open_leg.ends_at).days == 2
    for _leg in range(3):
        await cup.play_leg()
    assert (await cup.view()).cup.status is Status.OVER
    assert events(server) == []


async def test_a_cup_that_waits_for_entrants_moves_its_event_and_one_that_ends_takes_it_away(server: Server) -> None:
    cup = await Cup.open(server, 1, legs=3)
    waiting = (await cup.go_on()).cup
    assert waiting.waited
    (event,) = events(server)
    assert leads_to(event) == server.shown.id
    assert moment(event.scheduled_end_time) == (await cup.view()).planned_end
    await end(server, cup)
    assert events(server) == []


async def test_an_event_that_somebody_deleted_stays_deleted_and_one_of_a_person_stays(server: Server) -> None:
    place = f"https://discord.com/channels/{server.guild.id}/{server.channel.id}/1"
    made: dict[str, Any] = {"name": "Ours", "entity_type": 3, "scheduled_start_time": "2026-02-01T00:00:00+00:00"}
    backend, ada = server.env.backend, server.members[0]
    backend.create_scheduled_event(server.guild.id, **made, creator_id=ada.id, entity_metadata={"location": place})
    cup = await Cup.open(server, 3, legs=3)
    (ours, event) = events(server)
    backend.delete_scheduled_event(server.guild.id, event.id)
    assert (await cup.go_on()).cup.status is Status.PLAYING
    await end(server, cup)
    assert events(server) == [ours]


async def test_a_sign_up_that_is_repeated_after_a_kill_makes_no_second_event(server: Server) -> None:
    cup = await Cup.open(server, 0)
    (event,) = events(server)
    stored = server.env.now().replace(tzinfo=None).isoformat(" ", "microseconds")
    execute(server.settings, "update cup_posts set message_id = null, post_at = ?", stored)
    await server.restart()
    await server.env.advance_time(5)
    assert server.rows("select count(*) from cup_posts where message_id is null and cup_id = ?", cup.id) == [(0,)]
    assert [each.id for each in events(server)] == [event.id]


@pytest.mark.parametrize("reason", ["permission", "hidden", "refused"])
async def test_a_cup_needs_no_event(server: Server, reason: str) -> None:
    backend, guild = server.env.backend, server.guild
    everybody = backend.get_guild(guild.id).roles[guild.id]
    if reason == "hidden":
        seen = discord.Permissions(view_channel=True).value
        backend.set_overwrite(server.channel.id, Overwrite(everybody.id, OverwriteType.ROLE, 0, seen))
        for user_id in (backend.bot_user.id, *(member.id for member in server.members)):
            backend.set_overwrite(server.channel.id, Overwrite(user_id, OverwriteType.MEMBER, seen, 0))
    elif reason == "permission":
        for role in backend.get_guild(guild.id).roles.values():
            without = role.permissions & ~discord.Permissions(create_events=True).value
            backend.edit_role(guild.id, role.id, {"permissions": without})
    else:
        path = f"/guilds/{guild.id}/scheduled-events"
        server.env.inject_error("POST", path, status=400, code=30038, times=None)
    await server.env.settle()
    cup = await Cup.open(server, 3, legs=3)
    assert (await cup.go_on()).cup.status is Status.PLAYING
    assert events(server) == []
    assert bool(server.requests("POST", "scheduled-events")) == (reason == "refused")
