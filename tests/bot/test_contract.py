"""Checks that all that simcord carries is as Discord describes it: tests/discord/contract.py."""

from contextlib import suppress

import discord
import pytest
from discord.http import Route

from tests.bot.server import Server
from tests.discord import contract


async def test_what_simcord_carries_is_judged(server: Server, request: pytest.FixtureRequest) -> None:
    assert "as_discord_describes_it" in request.fixturenames
    named = {"name": "x" * 101, "auto_archive_duration": 60, "type": 11}
    with suppress(discord.HTTPException):
        await server.bot.http.request(Route("POST", "/channels/{id}/threads", id=server.channel.id), json=named)
    (found,) = contract.broken
    contract.broken.clear()
    assert found == "POST /channels/{channel_id}/threads, request.name has 101 where 1 to 100 are allowed"
