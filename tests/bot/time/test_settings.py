"""/highscore settings: every option, who may, and what is not understood."""

from __future__ import annotations

from typing import Any

import discord
import pytest
from simcord import InteractionResult

from bot.domain.pace import Pace
from bot.domain.server_settings import ServerSettings
from bot.services.core import server_settings
from tests.bot.server import Server, private
from tests.bot.time.passing import administer, shown


async def stored(server: Server) -> ServerSettings:
    """The settings as the next bot finds them."""
    server.bot.core.guilds.clear()
    return await server_settings(server.bot.core, server.guild.id)


async def as_admin(server: Server, **options: Any) -> InteractionResult:
    role = server.guild.create_role("keepers", permissions=discord.Permissions(manage_guild=True))
    admin = server.guild.add_member(server.env.create_user("keeper"), roles=[role])
    return await admin.slash(server.channel, "highscore settings", **options)


def embed_text(result: InteractionResult) -> str:
    assert result.response is not None
    assert result.response.ephemeral
    (embed,) = result.response.embeds
    return str(embed.to_dict())


@pytest.mark.parametrize(
    ("options", "expected", "seen"),
    [
        ({"language": "en"}, {"language": "en"}, "en"),
        ({"pace": "relaxed"}, {"pace": Pace.RELAXED}, "elaxed"),
        ({"time_zone": "europe/berlin"}, {"zone": "Europe/Berlin"}, "Europe/Berlin"),
        ({"time_zone": " America/New York "}, {"zone": "America/New_York"}, "America/New_York"),
        ({"quiet_hours": "23:00-08:00"}, {}, "23:00–08:00"),
        ({"quiet_hours": "22 - 7"}, {}, "22:00–07:00"),
        ({"quiet_hours": "22–24"}, {}, "22:00–00:00"),
        ({"quiet_hours": "off"}, {"quiet_from": None, "quiet_to": None}, "off"),
        ({"tables": 3}, {"tables_per_channel": 3}, "3"),
        ({"reminders": 0}, {"remind_percent": 0}, "off"),
        ({"reminders": 75}, {"remind_percent": 75}, "75"),
    ],
)
async def test_each_option_is_stored_and_shown(
    server: Server, options: dict[str, Any], expected: dict[str, Any], seen: str
) -> None:
    assert seen in embed_text(await as_admin(server, **options))
    settings = await stored(server)
    for name, value in expected.items():
        assert getattr(settings, name) == value


async def test_without_options_everything_is_shown_and_nothing_changed(server: Server) -> None:
    assert "UTC" in embed_text(await as_admin(server))
    assert await stored(server) == ServerSettings()
    assert server.rows("select count(*) from guild_settings") == [(0,)]


async def test_one_option_leaves_the_others(server: Server) -> None:
    await administer(server, pace="live", time_zone="Europe/Berlin", quiet_hours="23-8")
    await as_admin(server, tables=2)
    settings = await stored(server)
    assert (settings.pace, settings.zone, settings.tables_per_channel) == (Pace.LIVE, "Europe/Berlin", 2)
    assert settings.quiet_from is not None


@pytest.mark.parametrize("zone", ["Berlin", "Europe/Atlantis", "UTC+25", "../../etc/passwd", " "])
async def test_a_zone_that_does_not_exist_changes_nothing(server: Server, zone: str) -> None:
    assert "no time zone" in private(await as_admin(server, time_zone=zone, pace="live"))
    assert await stored(server) == ServerSettings()


@pytest.mark.parametrize(
    "quiet", ["25:00-08:00", "23:00", "08:00-08:00", "at night", "23:70-08:00", "-1-5", "23-25:00"]
)
async def test_quiet_hours_that_are_not_understood_change_nothing(server: Server, quiet: str) -> None:
    answer = await as_admin(server, quiet_hours=quiet, pace="live")
    assert answer.response is not None
    assert "23:00-08:00" in private(answer)
    assert await stored(server) == ServerSettings()


async def test_only_people_who_may_manage_the_server_see_or_change_them(server: Server) -> None:
    for options in ({}, {"pace": "live"}):
        result = await server.members[0].slash(server.channel, "highscore settings", **options)
        assert "manage the server" in private(result)
        assert result.response is not None
        assert not result.response.embeds
    assert await stored(server) == ServerSettings()


async def test_tables_are_opened_at_the_servers_pace(server: Server) -> None:
    await administer(server, pace="relaxed")
    await server.slash(server.members[0], "new")
    assert (await server.table()).options.pace is Pace.RELAXED


async def test_play_is_allowed_in_the_named_channels_only_until_they_are_taken_back(server: Server) -> None:
    arcade = server.guild.create_text_channel("arcade")
    await administer(server, channel=arcade)
    assert arcade.mention in private(await server.slash(server.members[0], "new"))
    await server.slash(server.members[0], "new", channel=arcade)
    await as_admin(server, channel=arcade)
    await server.slash(server.members[1], "new")
    assert server.rows("select count(*) from games") == [(2,)]


async def test_only_people_with_the_role_open_tables(server: Server) -> None:
    role = server.guild.create_role("players")
    await administer(server, opener=role)
    assert "role" in private(await server.slash(server.members[0], "new"))
    player = server.guild.add_member(server.env.create_user("zoe", global_name="Zoe"), roles=[role])
    await server.slash(player, "new")
    assert "Zoe" in shown(server)


async def test_a_channel_has_as_many_tables_as_the_server_wants(server: Server) -> None:
    await administer(server, tables=2)
    for member in server.members[:2]:
        await server.slash(member, "new")
    assert "already" in private(await server.slash(server.members[2], "new"))
    assert server.rows("select count(*) from games") == [(2,)]


async def test_settings_survive_a_restart(server: Server) -> None:
    await administer(server, time_zone="Australia/Lord_Howe", quiet_hours="22:30-06:15", reminders=80)
    before = await stored(server)
    await server.restart()
    assert await stored(server) == before
    assert before.clock_rules.remind_after == 0.8
