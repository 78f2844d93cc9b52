from contextlib import suppress
from dataclasses import fields, replace
from datetime import time
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.domain import calendar, errors, timing
from bot.domain.server_settings import MOST_CHANNELS, POINTING, ServerSettings, Target
from bot.services import daily
from bot.services.core import Core, Person, Place, get_server_settings
from bot.services.lobby import NewTable, TableTaken, open_table
from bot.services.setup import READERS, change_settings, choose_setting, clear_deleted
from tests import hostile
from tests.bot.cores import ADA, CHANNEL, GUILD, open_one

PICKED: list[tuple[str, list[str], dict[str, Any]]] = [
    ("language", ["de"], {"language": "de"}),
    ("language", ["server"], {"language": None}),
    ("pictures", ["0"], {"pictures": False}),
    ("rare", ["0"], {"rare": False}),
    ("zone", ["europe/berlin"], {"zone": "Europe/Berlin"}),
    ("zone", [" new york "], {"zone": "America/New_York"}),
    ("quiet", ["23:00-08:00"], {"quiet_from": time(23), "quiet_to": time(8)}),
    ("quiet", ["22 - 7"], {"quiet_from": time(22), "quiet_to": time(7)}),
    ("quiet", ["22–24"], {"quiet_from": time(22), "quiet_to": time(0)}),
    ("quiet", ["21:30 - 24:00 "], {"quiet_from": time(21, 30), "quiet_to": time(0)}),
    ("quiet", ["off"], {"quiet_from": None, "quiet_to": None}),
    ("pace", ["relaxed"], {"pace": timing.Pace.RELAXED}),
    ("remind_percent", ["0"], {"remind_percent": 0}),
    ("remind_percent", ["75"], {"remind_percent": 75}),
    ("channels", ["78", "77"], {"channels": (77, 78)}),
    ("channels", [], {"channels": ()}),
    ("opener_role", ["5"], {"opener_role": 5}),
    ("opener_role", [], {"opener_role": None}),
    ("player_role", ["6"], {"player_role": 6}),
    ("tables_per_channel", ["3"], {"tables_per_channel": 3}),
    ("season", ["year"], {"season": calendar.SeasonLength.YEAR}),
    ("season_channel", ["77"], {"season_channel": 77}),
    ("season_channel", [], {"season_channel": None}),
    ("daily_channel", ["77"], {"daily_channel": 77}),
    ("daily_channel", [], {"daily_channel": None}),
    ("daily_at", ["7:30"], {"daily_at": time(7, 30)}),
    ("daily_at", ["8"], {"daily_at": time(8)}),
]


EXISTING = {Target.TABLES: {77, 78, 79}, Target.ROLE: {5, 6}, Target.POSTS: {77}}


async def stored_settings(core: Core) -> ServerSettings:
    core.guilds.clear()
    return await get_server_settings(core, GUILD)


async def test_whatever_can_be_set_is_stored_and_leaves_the_rest(core: Core) -> None:
    expected = ServerSettings()
    for name, values, changes in PICKED:
        expected = replace(expected, **changes)
        assert await choose_setting(core, GUILD, name, values, EXISTING) == expected
        assert await stored_settings(core) == expected
    assert {name for name, *_rest in PICKED} == {*READERS, *POINTING}
    assert {name for *_rest, changes in PICKED for name in changes} == {field.name for field in fields(ServerSettings)}


async def test_what_is_not_understood_changes_nothing_and_is_told_kindly(core: Core) -> None:
    zones = {
        "Berln": "Europe/Berlin",
        "Europe/Berlyn": "Europe/Berlin",
        "../../etc": "Write one",
    }
    for typed, near in zones.items():
        with pytest.raises(errors.Refused, match=near):
            await choose_setting(core, GUILD, "zone", [typed], EXISTING)
    nonsense = ("at night", "-1-5", "22-241", "22-24:30")
    for typed in ("25:00-08:00", "23:00", "08:00-08:00", "23:70-08:00", "23-25:00", *nonsense):
        with pytest.raises(errors.Refused, match="23:00-08:00"):
            await choose_setting(core, GUILD, "quiet", [typed], EXISTING)
    for typed in ("24:00", "8:60", "noon", "8.30"):
        with pytest.raises(errors.Refused, match="08:30"):
            await choose_setting(core, GUILD, "daily_at", [typed], EXISTING)
    picked = [("pace", ["fast"]), ("pace", []), ("tables_per_channel", ["21"]), ("remind_percent", ["-1"])]
    for name, values in [*picked, ("language", ["tlh"]), ("pictures", ["2"]), ("nothing", ["1"]), ("zone", [])]:
        with pytest.raises(errors.Refused, match="list"):
            await choose_setting(core, GUILD, name, values, EXISTING)
    assert await stored_settings(core) == ServerSettings()


async def test_what_the_server_does_not_have_is_not_set(core: Core) -> None:
    """Whatever a client invents: ids of another server, of another kind, no ids at all, too many."""
    for name, target in POINTING.items():
        there = [str(each) for each in EXISTING[target]]
        for value in ("99", "-5", "9" * 40, "9" * 5000, "", "nan", *({"5", "77", "78"} - set(there))):
            with pytest.raises(errors.Refused, match="list"):
                await choose_setting(core, GUILD, name, [value], EXISTING)
            with pytest.raises(errors.Refused, match="list"):
                await choose_setting(core, GUILD, name, [there[0], value], EXISTING)
    with pytest.raises(errors.Refused, match="list"):
        await choose_setting(core, GUILD, "opener_role", ["5", "6"], EXISTING)
    many = dict.fromkeys(Target, range(MOST_CHANNELS + 1))
    with pytest.raises(errors.Refused, match="list"):
        await choose_setting(core, GUILD, "channels", list(map(str, range(MOST_CHANNELS + 1))), many)
    with pytest.raises(errors.Refused, match="Try again"):
        await choose_setting(core, GUILD, "opener_role", ["5"], None)
    assert await stored_settings(core) == ServerSettings()


async def test_what_was_deleted_keeps_closed_and_is_cleared(core: Core) -> None:
    before = ServerSettings(channels=(70, 78), opener_role=1, player_role=2, season_channel=78, daily_channel=70)
    await change_settings(core, GUILD, **{name: getattr(before, name) for name in POINTING})

    async def opened(channel_id: int) -> object:
        return await open_one(core, channel_id=channel_id)

    for begin in (opened(77), daily.begin_attempt(core, ADA, Place(GUILD, 77, "en"))):
        with pytest.raises(errors.Refused, match=r"played in <#70> and <#78>\."):
            await begin
    with pytest.raises(errors.Refused, match="people with a certain role"):
        await opened(78)
    for name in POINTING:
        await clear_deleted(core, GUILD, name, EXISTING)
    assert await stored_settings(core) == ServerSettings(channels=(78,))
    assert await opened(78)
    with pytest.raises(errors.Refused, match="doesn't work here"):
        await clear_deleted(core, GUILD, "pace", EXISTING)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=st.sampled_from(sorted({*READERS, *POINTING})), text=hostile.TEXTS)
async def test_whatever_is_typed_is_understood_or_refused(core: Core, name: str, text: str) -> None:
    with suppress(errors.Refused):
        await choose_setting(core, GUILD, name, [text], EXISTING)
    await stored_settings(core)


async def test_new_tables_follow_the_settings(core: Core) -> None:
    async def opened(
        channel_id: int = CHANNEL, host: Person = ADA, wishes: NewTable | None = None, parent_id: int | None = None
    ) -> timing.Pace:
        table = await open_table(core, host, Place(GUILD, channel_id, "en", parent_id), wishes or NewTable())
        return table.options.pace

    assert await opened() is timing.Pace.DAY
    with pytest.raises(TableTaken):
        await opened()
    await change_settings(core, GUILD, tables_per_channel=2, pace=timing.Pace.RELAXED)
    assert await opened() is timing.Pace.RELAXED
    with pytest.raises(TableTaken):
        await opened()
    await change_settings(core, GUILD, channels=(77,))
    with pytest.raises(errors.Refused, match="<#77>"):
        await opened(78)
    await opened(78, parent_id=77)
    await change_settings(core, GUILD, channels=(), opener_role=5)
    with pytest.raises(errors.Refused, match="role"):
        await opened(79)
    await opened(79, replace(ADA, role_ids=[5]), wishes=NewTable(pace=timing.Pace.LIVE))


async def test_everybody_cannot_be_the_role_that_is_called(core: Core) -> None:
    there: dict[Target, tuple[int, ...]] = {Target.TABLES: (), Target.POSTS: (), Target.ROLE: (GUILD, 6)}
    with pytest.raises(errors.Refused, match="@everyone"):
        await choose_setting(core, GUILD, "player_role", [str(GUILD)], there)
    assert (await choose_setting(core, GUILD, "opener_role", [str(GUILD)], there)).opener_role == GUILD
    assert (await choose_setting(core, GUILD, "player_role", ["6"], there)).player_role == 6
