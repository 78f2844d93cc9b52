"""/highscore settings: what its options show, and who may use it."""

from __future__ import annotations

from typing import Any

import discord

from bot.domain.server_settings import ServerSettings
from bot.services.core import server_settings
from tests.bot.passing import administer
from tests.bot.server import Server, private

OPTIONS: list[tuple[dict[str, Any], str]] = [
    ({}, "UTC"),
    ({"language": "en"}, "en"),
    ({"pace": "relaxed"}, "elaxed"),
    ({"time_zone": "europe/berlin"}, "Europe/Berlin"),
    ({"quiet_hours": "22–24"}, "22:00–00:00"),
    ({"quiet_hours": "off"}, "off"),
    ({"tables": 3}, "3"),
    ({}, "a quarter of the year"),
    ({"season": "half"}, "half a year"),
    ({"reminders": 0}, "off"),
    ({"reminders": 80}, "80"),
]


async def test_each_option_is_shown_and_stored(server: Server) -> None:
    role = server.guild.create_role("keepers", permissions=discord.Permissions(manage_guild=True))
    admin = server.guild.add_member(server.env.create_user("keeper"), roles=[role])
    for options, seen in OPTIONS:
        assert seen in private(await admin.slash(server.channel, "highscore settings", **options))
    for podium in (f"<#{server.channel.id}>", "nowhere"):
        assert podium in private(await admin.slash(server.channel, "highscore settings", podium=server.channel))
    assert "no time zone" in private(await admin.slash(server.channel, "highscore settings", time_zone="Berlin"))
    before = await server_settings(server.bot.core, server.guild.id)
    assert before != ServerSettings()
    await server.restart()
    assert await server_settings(server.bot.core, server.guild.id) == before
    assert before.clock_rules.remind_after == 0.8


async def test_play_is_allowed_in_the_named_channels_and_to_the_named_role(server: Server) -> None:
    arcade = server.guild.create_text_channel("arcade")
    role = server.guild.create_role("players")
    await administer(server, channel=arcade, opener=role)
    player = server.guild.add_member(server.env.create_user("zoe", global_name="Zoe"), roles=[role])
    assert arcade.mention in private(await server.slash(player, "new"))
    assert "role" in private(await server.slash(server.members[0], "new", channel=arcade))
    await server.slash(player, "new", channel=arcade)
    assert server.rows("select count(*) from games") == [(1,)]
    assert "Zoe" in str([embed.to_dict() for embed in arcade.history()[-1].embeds])
