"""Changing a server's settings."""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import time
from typing import Any

from sqlalchemy import Connection

from bot.domain.calendar import SeasonLength, find_zone, near_zones
from bot.domain.errors import Refused
from bot.domain.server_settings import (
    LATEST_REMINDER,
    MOST_CHANNELS,
    MOST_TABLES,
    OWN_LANGUAGE,
    POINTING,
    Existing,
    ServerSettings,
    Target,
)
from bot.domain.timing import Pace
from bot.locales import DEFAULT, _, languages
from bot.services.core import Core, get_server_settings
from bot.services.daily import open_today
from bot.store.database import LockScope, lock_games, lock_subjects
from bot.store.settings import load_server_settings, save_server_settings, set_language_of_waiting
from bot.store.table import find_open_ids

_TIME = re.compile(r"([0-9]{1,2})(?::([0-9]{2}))?")
_MIDNIGHT = re.compile(r"(?<=[-–])\s*24(?=(:00)?\s*$)")
_OFF = frozenset({"", "off", "none", "-"})


async def choose_setting(
    core: Core, guild_id: int, name: str, values: Sequence[str], existing: Existing | None, own_language: str = DEFAULT
) -> ServerSettings:
    """Change one setting to the values that were picked or typed. Raise Refused if they are not understood, or if one
    is a channel or role that does not exist on the server.
    """
    try:
        changes = _parse_changes(name, values)
    except (KeyError, ValueError):
        raise Refused(_("Pick one from the list.")) from None
    if name == "player_role" and guild_id in changes.values():  # The id of @everyone is the server's id.
        raise Refused(_("@everyone can't be pinged. Pick another role."))
    if name in POINTING and values:
        if existing is None:
            raise Refused(_("I don't know this server's channels and roles yet. Try again in a minute."))
        picked = ServerSettings(**changes)
        if picked.list_existing_ids(name, existing) != picked.list_ids(name):
            raise Refused(_("Pick one from the list."))
    return await change_settings(core, guild_id, own_language=own_language, **changes)


async def change_settings(core: Core, guild_id: int, *, own_language: str = DEFAULT, **changes: Any) -> ServerSettings:
    """Change settings of a server. If it has a channel for the daily challenge after that, open today's challenge.

    ``own_language`` is the server's language in Discord.
    """

    def transaction(connection: Connection) -> ServerSettings:
        if "language" in changes:
            # The language of open tables changes too. They are locked before the server, as at the end of a game.
            lock_games(connection, *find_open_ids(connection, guild_id=guild_id))
        lock_subjects(connection, LockScope.GUILD, guild_id)
        before = load_server_settings(connection, guild_id)
        after = replace(before, **changes)
        if after != before:
            save_server_settings(connection, guild_id, after, core.now())
        if after.language != before.language:
            set_language_of_waiting(connection, guild_id, after.language or own_language)
        return after

    settings = await core.database.write(transaction)
    core.guilds[guild_id] = settings
    if settings.daily_channel is not None:
        # Tomorrow's post appears only if today's challenge was opened.
        await open_today(core, guild_id, own_language)
    return settings


async def clear_deleted(core: Core, guild_id: int, name: str, existing: Existing | None) -> ServerSettings:
    """Remove the ids of deleted channels or roles from a setting. Raise Refused for a setting that has no ids."""
    if name not in POINTING:
        raise Refused(_("This button doesn't work here."))
    left = (await get_server_settings(core, guild_id)).list_existing_ids(name, existing)
    return await change_settings(core, guild_id, **_parse_changes(name, [str(each) for each in left]))


def parse_zone(text: str) -> str:
    """Return the IANA name of a time zone in its usual spelling. If there is none with this name, raise Refused with
    similar names.
    """
    if (zone := find_zone(text)) is not None:
        return zone
    near = " ".join(f"`{name}`" for name in near_zones(text) or ("Europe/Berlin", "America/New_York"))
    raise Refused(_("There is no time zone with that name. Write one like {zones}").format(zones=near))


def parse_time(text: str) -> time:
    """Return a local time that was written like 08:30 or 8. Raise Refused for any other text."""
    if (match := _TIME.fullmatch(text.strip())) is not None:
        with suppress(ValueError):
            return time(int(match[1]), int(match[2] or 0))
    raise Refused(_("Write the time like 08:30."))


def parse_quiet(text: str) -> tuple[time | None, time | None]:
    """Return the two local times of quiet hours that were written like 23:00-08:00, or two Nones for off. Raise Refused
    for any other text.
    """
    if text.strip().casefold() in {*_OFF, _("Off").casefold()}:
        return None, None
    with suppress(Refused, ValueError):
        start, end = map(parse_time, re.split("[-–]", _MIDNIGHT.sub("0", text)))
        if start != end:
            return start, end
    raise Refused(_("Write the quiet hours like 23:00-08:00, or write off. The two times must be different."))


def _parse_changes(name: str, values: Sequence[str]) -> Mapping[str, Any]:
    """Return the new values of the settings that this input changes, by name.

    Raise KeyError or ValueError for a name or a value that the setup page does not offer, and Refused for typed text
    that is not understood.
    """
    if name in POINTING:
        several = POINTING[name] is Target.TABLES
        ids = sorted({int(value) for value in values})
        if len(values) > (MOST_CHANNELS if several else 1):
            raise ValueError
        return {name: tuple(ids) if several else next(iter(ids), None)}
    (value,) = values
    read = READERS[name](value)
    return {"quiet_from": read[0], "quiet_to": read[1]} if name == "quiet" else {name: read}


def _make_number_parser(least: int, most: int) -> Callable[[str], int]:
    def read(value: str) -> int:
        if not least <= int(value) <= most:
            raise ValueError
        return int(value)

    return read


def _parse_language(value: str) -> str | None:
    if value not in (OWN_LANGUAGE, *languages()):
        raise ValueError
    return None if value == OWN_LANGUAGE else value


READERS: Mapping[str, Callable[[str], Any]] = {
    "language": _parse_language,
    **dict.fromkeys(("pictures", "rare"), {"0": False, "1": True}.__getitem__),
    "zone": parse_zone,
    "quiet": parse_quiet,
    "pace": Pace,
    "remind_percent": _make_number_parser(0, LATEST_REMINDER),
    "tables_per_channel": _make_number_parser(1, MOST_TABLES),
    "season": SeasonLength,
    "daily_at": parse_time,
}
"""The parser of each setting, by name. Settings that are channels or roles have none."""
