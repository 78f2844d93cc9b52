"""A server's settings: every option, what is not understood, and what they change for new tables."""

from __future__ import annotations

from dataclasses import replace
from datetime import time
from typing import Any

import pytest

from bot.domain.errors import Refused
from bot.domain.pace import Pace
from bot.domain.server_settings import ServerSettings
from bot.services.core import Core, Person, server_settings
from bot.services.lobby import NewTable, TableTaken, open_table
from bot.services.settings import SettingsChange, change_settings
from tests.bot.cores import ADA, CHANNEL, GUILD


async def stored(core: Core) -> ServerSettings:
    """The settings as the next bot finds them."""
    core.guilds.clear()
    return await server_settings(core, GUILD)


@pytest.mark.parametrize(
    ("option", "expected"),
    [
        ({"language": "en"}, {"language": "en"}),
        ({"pace": Pace.RELAXED}, {"pace": Pace.RELAXED}),
        ({"zone": "europe/berlin"}, {"zone": "Europe/Berlin"}),
        ({"zone": " America/New York "}, {"zone": "America/New_York"}),
        ({"quiet": "23:00-08:00"}, {"quiet_from": time(23), "quiet_to": time(8)}),
        ({"quiet": "22 - 7"}, {"quiet_from": time(22), "quiet_to": time(7)}),
        ({"quiet": "22–24"}, {"quiet_from": time(22), "quiet_to": time(0)}),
        ({"quiet": "off"}, {"quiet_from": None, "quiet_to": None}),
        ({"tables_per_channel": 3}, {"tables_per_channel": 3}),
        ({"remind_percent": 0}, {"remind_percent": 0}),
        ({"remind_percent": 75}, {"remind_percent": 75}),
    ],
)
async def test_each_option_is_stored_and_leaves_the_others(
    core: Core, option: dict[str, Any], expected: dict[str, Any]
) -> None:
    await change_settings(core, GUILD, SettingsChange(pictures=False))
    await change_settings(core, GUILD, SettingsChange(**option))
    settings = await stored(core)
    assert {name: getattr(settings, name) for name in expected} == expected
    assert not settings.pictures


async def test_what_is_not_understood_changes_nothing(core: Core) -> None:
    zones = ["Berlin", "Europe/Atlantis", "UTC+25", "../../etc/passwd", " "]
    quiets = ["25:00-08:00", "23:00", "08:00-08:00", "at night", "23:70-08:00", "-1-5", "23-25:00"]
    wrong = [SettingsChange(zone=zone, pace=Pace.LIVE) for zone in zones]
    wrong += [SettingsChange(quiet=quiet, pace=Pace.LIVE) for quiet in quiets]
    for change in wrong:
        with pytest.raises(Refused, match="no time zone" if change.zone else "23:00-08:00"):
            await change_settings(core, GUILD, change)
    assert await stored(core) == ServerSettings()


async def test_new_tables_follow_the_settings(core: Core) -> None:
    async def opened(channel_id: int = CHANNEL, host: Person = ADA, **place: Any) -> Pace:
        table = await open_table(core, host, guild_id=GUILD, channel_id=channel_id, locale="en", **place)
        return table.options.pace

    assert await opened() is Pace.DAY
    with pytest.raises(TableTaken):
        await opened()
    await change_settings(core, GUILD, SettingsChange(tables_per_channel=2, pace=Pace.RELAXED))
    assert await opened() is Pace.RELAXED
    with pytest.raises(TableTaken):
        await opened()
    await change_settings(core, GUILD, SettingsChange(toggle_channel=77))
    with pytest.raises(Refused, match="<#77>"):
        await opened(78)
    await opened(78, parent_id=77)
    # Named once more it is taken back.
    await change_settings(core, GUILD, SettingsChange(toggle_channel=77, opener_role=5))
    with pytest.raises(Refused, match="role"):
        await opened(79)
    await opened(79, replace(ADA, role_ids=[5]), wishes=NewTable(pace=Pace.LIVE))
