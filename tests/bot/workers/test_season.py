"""The podium at the end of a season: once, where the server wants it, and not where it does not."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import discord
import pytest

from bot.domain.table import Seat
from bot.services import settings as preferences
from bot.services.settings import SettingsChange
from bot.workers.season import LATE
from tests.bot.games import Club, house, people, person, tied, wins
from tests.bot.passing import administer
from tests.bot.server import Server, private

pytestmark = pytest.mark.only_sqlite("what people see; test_isolation.py and test_claims.py have both databases")

DAY = 86400.0
SPRING = datetime(2026, 4, 1, tzinfo=UTC)


async def _end(server: Server, seats: list[Seat], rounds: list[list[int]]) -> None:
    """A game that ended with these results. No dice gave them, so nobody is to show or review it."""
    club = Club(replace(server.bot.core, committed=[], now=server.env.now), server.env.now())
    await club.end(seats, *rounds, guild_id=server.guild.id)
    await club.write("update finished_games set review_owed = false")
    await club.write("update games set shown_version = version")


async def _until(server: Server, moment: datetime, seconds: float) -> None:
    await server.env.advance_time((moment - server.env.now()).total_seconds() + seconds)


def _podiums(server: Server) -> list[discord.Embed]:
    return [embed for message in server.messages for embed in message.embeds if "season is over" in (embed.title or "")]


async def _wanted(server: Server, **more: Any) -> None:
    await administer(server, podium=server.channel, **more)


async def _played(server: Server) -> None:
    await _end(server, people(1, 2, 3), wins(0, 3))


async def test_the_podium_is_posted_once_when_the_season_is_over(server: Server) -> None:
    await _wanted(server)
    await _played(server)
    await _until(server, SPRING, -60)
    assert _podiums(server) == []
    await _until(server, SPRING, 60)
    (podium,) = _podiums(server)
    assert podium.title == "🏆 The season is over: quarter 1 of 2026"
    lines = (podium.description or "").splitlines()
    assert [line.split(" **")[0] for line in lines[1:]] == ["🥇 p1", "🥈 p2", "🥉 p3"]
    await server.env.advance_time(3 * DAY)
    await server.restart()
    await server.env.advance_time(3 * DAY)
    assert len(_podiums(server)) == 1
    assert server.rows("select count(*) from seasons where post_at is not null") == [(0,)]


async def test_a_podium_that_came_due_while_the_bot_was_down_is_posted_at_the_start(server: Server) -> None:
    await _wanted(server)
    await _played(server)
    await server.bot.close()
    await _until(server, SPRING, DAY)
    await server.restart()
    await server.env.advance_time(60)
    assert len(_podiums(server)) == 1


async def test_a_season_that_ended_long_ago_is_no_news(server: Server) -> None:
    await _wanted(server)
    await _played(server)
    await server.bot.close()
    await _until(server, SPRING, LATE.total_seconds() + DAY)
    await server.restart()
    await server.env.advance_time(60)
    assert _podiums(server) == []
    assert server.rows("select post_at from seasons") == [(None,)]


async def test_nothing_is_posted_unless_the_server_wants_it(server: Server) -> None:
    await _wanted(server)
    await _wanted(server)  # named again: taken back
    await _played(server)
    await _until(server, SPRING, DAY)
    assert _podiums(server) == []
    assert server.rows("select post_at from seasons") == [(None,)]


async def test_a_season_nobody_finished_a_game_in_has_no_podium(server: Server) -> None:
    await _wanted(server)
    await _until(server, SPRING, DAY)
    assert _podiums(server) == []


async def test_a_season_ends_at_the_servers_midnight(server: Server) -> None:
    await _wanted(server, time_zone="America/New_York")
    await server.env.advance_time(DAY)  # There, it was still the year before.
    await _played(server)
    await _until(server, SPRING, 3 * 3600)
    assert _podiums(server) == []
    await _until(server, SPRING, 4 * 3600 + 60)
    assert len(_podiums(server)) == 1


async def test_shared_places_are_all_on_the_podium(server: Server) -> None:
    await _wanted(server)
    await _end(server, people(1, 2, 3, 4, 5), tied(5))
    await _until(server, SPRING, 60)
    lines = (_podiums(server)[0].description or "").splitlines()[1:]
    assert [line[0] for line in lines] == ["🥇", "🥇", "🥉"]


async def test_where_everybody_played_alone_points_make_the_podium(server: Server) -> None:
    await _wanted(server)
    await _end(server, [person(1), house()], wins(0))
    await _until(server, SPRING, 60)
    (podium,) = _podiums(server)
    assert (podium.description or "").splitlines() == ["**Points from chips**", "🥇 p1 **21** · 🥇×7"]


async def test_trouble_that_passes_delays_it(server: Server) -> None:
    await _wanted(server)
    await _played(server)
    server.env.inject_error("POST", "/channels/*/messages", status=503, times=2)
    await _until(server, SPRING, 10)
    assert _podiums(server) == []
    await server.env.advance_time(600)
    assert len(_podiums(server)) == 1


async def test_a_channel_that_is_gone_gets_nothing_and_nothing_is_tried_for_ever(server: Server) -> None:
    gone = server.guild.create_text_channel("gone")
    await administer(server, podium=gone)
    await _played(server)
    server.env.backend.delete_channel(gone.id)
    await _until(server, SPRING, 60)
    assert server.rows("select post_at from seasons") == [(None,)]


async def test_settings_show_the_season_and_its_channel(server: Server) -> None:
    role = server.guild.create_role("admins", permissions=discord.Permissions(manage_guild=True))
    admin = server.guild.add_member(server.env.create_user("boss"), roles=[role])
    text = private(await server.slash(admin, "settings"))
    assert "a quarter of the year" in text
    assert "nowhere" in text
    text = private(await server.slash(admin, "settings", season="half", podium=server.channel))
    assert "half a year" in text
    assert f"<#{server.channel.id}>" in text
    settings = await preferences.change_settings(server.bot.core, server.guild.id, SettingsChange())
    assert settings.season_channel == server.channel.id
