"""Settings, people's rights to their data, and servers that leave, in the plain model."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

from bot.services.core import Person
from tests.faults.model.tables import leave, leave_game
from tests.faults.model.world import World

FORMER = "a former player"


def change_settings(world: World, guild: int, changes: Mapping[str, Any], own_language: str) -> None:
    """A server's settings change; what it says in public it says in the new language at once."""
    before = world.settings_of(guild)
    after = {**before, **changes}
    if after != before:
        world.settings[guild] = after
        world.dirty.add("settings")
    if after["language"] != before["language"]:
        language = after["language"] or own_language
        for table in list(world.tables.values()):
            if table.guild_id == guild and table.open:
                changed = table.copy()
                changed.locale = language
                world.tables[table.id] = changed
                world.touched.add(table.id)
        for day in world.days.values():
            if day.guild_id == guild and day.post_at is not None:
                day.locale = language
        world.dirty.add("days")


def set_notify(world: World, user: int, way: str) -> None:
    world.notify[user] = way
    world.dirty.add("notify")


# ---------------------------------------------------------------------------------------------------- people's data


def forget(world: World, user: int, former: int) -> set[str]:
    """Take everything of a person away; ``former`` is what stands in their place. Returns the tables that changed."""
    changed = set(_seats_of(world, user))
    for table_id in sorted(changed):
        if world.tables[table_id].status == "lobby":
            leave(world, table_id, Person(user, ""))
        else:
            leave_game(world, table_id, Person(user, ""))
    theirs = {table.id for table in world.tables.values() if table.seat_of(user) is not None}
    for table_id, log in world.logs.items():
        log[:] = [row.without(user, seated=table_id in theirs) for row in log]
    for table_id in theirs:
        if world.tables[table_id].status == "playing":
            changed.add(table_id)
        _take_out(world, table_id, user, former)
    world.reminders.pop(user, None)
    world.notify.pop(user, None)
    world.absences = {whose: one for whose, one in world.absences.items() if whose[1] != user}
    for day in world.days.values():
        day.attempts.pop(user, None)
    world.touch_everything()
    return changed


def _seats_of(world: World, user: int) -> list[str]:
    """The open tables at which somebody sits for themselves."""
    return [
        table.id
        for table in world.tables.values()
        if table.open and (at := table.seat_of(user)) is not None and not table.seats[at].left
    ]


def _take_out(world: World, table_id: str, user: int, former: int) -> None:
    table = world.tables[table_id].copy()
    at = table.seat_of(user)
    assert at is not None
    seat = table.seats[at]
    if table.host_id == user:
        table.host_id = former
    if table.status == "playing":
        table.seats[at] = replace(
            seat,
            user_id=None,
            name=f"Abacus {at + 1}",
            house="steady",
            lucky_word="",
            newcomer=False,
            pressed=0,
            away_until=None,
        )
    else:
        table.seats[at] = replace(
            seat, user_id=former, name=FORMER, lucky_word="", newcomer=False, left=True, pressed=0, away_until=None
        )
    world.tables[table_id] = table


# --------------------------------------------------------------------------------------------------------- servers


def guild_left(world: World, guild: int) -> None:
    world.left.setdefault(guild, world.now)
    world.dirty.add("left")


def guild_came_back(world: World, guild: int) -> None:
    world.left.pop(guild, None)
    world.dirty.add("left")


def purge(world: World, days: int, present: Collection[int]) -> None:
    """Delete everything of the servers that left so many days ago and are not back."""
    for guild, since in list(world.left.items()):
        if since > world.now - timedelta(days=days):
            continue
        del world.left[guild]
        if guild in present:
            continue
        for table in [table for table in world.tables.values() if table.guild_id == guild]:
            world.delete_table(table.id)
        world.finished.pop(guild, None)
        world.records = {key: best for key, best in world.records.items() if key[0] != guild}
        world.seasons = {key: season for key, season in world.seasons.items() if key[0] != guild}
        world.days = {day_id: day for day_id, day in world.days.items() if day.guild_id != guild}
        world.settings.pop(guild, None)
        world.absences = {whose: one for whose, one in world.absences.items() if whose[0] != guild}
    world.touch_everything()
