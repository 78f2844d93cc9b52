"""Changing the settings of a server and of a person."""

import re
from dataclasses import dataclass, replace
from datetime import time
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.errors import Refused
from bot.domain.pace import Pace
from bot.domain.season import SeasonLength
from bot.domain.server_settings import ServerSettings
from bot.locales import DEFAULT, _, languages
from bot.services.core import Core, asked_once
from bot.store.interactions import note
from bot.store.locks import LockScope, lock, lock_games
from bot.store.settings import load_guild, save_guild, save_notify, speak_in
from bot.store.table import tables_in

MOST_TABLES = 20
LATEST_REMINDER = 90
"""Percent of the time; a later reminder would come with the deadline."""

_QUIET = re.compile(r"(?P<h1>[0-9]{1,2})(:(?P<m1>[0-9]{2}))?\s*[-–]\s*(?P<h2>[0-9]{1,2})(:(?P<m2>[0-9]{2}))?")
_OFF = frozenset({"off", "aus", "none", "-"})


@dataclass(frozen=True, slots=True)
class SettingsChange:
    """What an administrator wants changed; None leaves a thing as it is."""

    language: str | None = None
    """Empty for the server's own in Discord."""
    pace: Pace | None = None
    zone: str | None = None
    quiet: str | None = None
    """Like 23:00-08:00, or off."""
    toggle_channel: int | None = None
    opener_role: int | None = None
    """0 for everybody."""
    tables_per_channel: int | None = None
    remind_percent: int | None = None
    pictures: bool | None = None
    season: SeasonLength | None = None
    toggle_season_channel: int | None = None


async def change_settings(
    core: Core,
    guild_id: int,
    wishes: SettingsChange,
    *,
    own_language: str = DEFAULT,
    interaction_id: int | None = None,
) -> ServerSettings:
    """Change a server's settings. Raises Refused, naming what is not understood; then nothing is changed.

    A new language is spoken at once, also at tables that are open. ``own_language`` is the server's in Discord.
    """

    async def transaction(connection: AsyncConnection) -> ServerSettings:
        if wishes.language is not None:
            # Its tables change too, and a game that ends holds its own row first and the server afterwards.
            await lock_games(connection, await tables_in(connection, guild_id=guild_id))
        await lock(connection, LockScope.GUILD, guild_id)
        before = await load_guild(connection, guild_id)
        after = replace(before, **_changes(before, wishes))
        if after != before:
            await save_guild(connection, guild_id, after, core.now())
            if interaction_id is not None:
                # A channel that is named twice is taken back.
                await note(connection, interaction_id, core.now())
        if after.language != before.language:
            await speak_in(connection, guild_id, after.language or own_language)
        return after

    settings = await asked_once(core, transaction, interaction_id)
    core.guilds[guild_id] = settings
    return settings


async def set_notify(core: Core, user_id: int, notify: str) -> None:
    """Remember how a person wants to be reminded."""
    await core.database.write(save_notify, user_id, notify, core.now())


def _changes(before: ServerSettings, wishes: SettingsChange) -> dict[str, Any]:
    _check(wishes.tables_per_channel, 1, MOST_TABLES)
    _check(wishes.remind_percent, 0, LATEST_REMINDER)
    changes: dict[str, Any] = {}
    for name in ("pace", "tables_per_channel", "remind_percent", "pictures", "season"):
        if (value := getattr(wishes, name)) is not None:
            changes[name] = value
    if wishes.language is not None:
        if wishes.language and wishes.language not in languages():
            raise Refused(_("Pick one from the list that opens while you type."))
        changes["language"] = wishes.language or None
    if wishes.zone is not None:
        changes["zone"] = parse_zone(wishes.zone)
    if wishes.quiet is not None:
        changes["quiet_from"], changes["quiet_to"] = parse_quiet(wishes.quiet)
    if wishes.toggle_channel is not None:
        changes["channels"] = tuple(sorted(set(before.channels) ^ {wishes.toggle_channel}))
    if (channel := wishes.toggle_season_channel) is not None:
        changes["season_channel"] = None if before.season_channel == channel else channel
    if wishes.opener_role is not None:
        changes["opener_role"] = wishes.opener_role or None
    return changes


def _check(number: int | None, least: int, most: int) -> None:
    if number is not None and not least <= number <= most:
        raise Refused(_("That number is too small or too large."))


def parse_zone(text: str) -> str:
    """The IANA name of a time zone, in its own spelling. Raises Refused."""
    written = text.strip().replace(" ", "_").casefold()
    for name in available_timezones():
        if name.casefold() == written:
            return ZoneInfo(name).key
    raise Refused(_("There is no time zone of that name. Write one like Europe/Berlin or America/New_York."))


def parse_quiet(text: str) -> tuple[time | None, time | None]:
    """Quiet hours like 23:00-08:00 as two local times, or two Nones for off. Raises Refused."""
    if text.strip().casefold() in _OFF:
        return None, None
    match = _QUIET.fullmatch(text.strip())
    if match is not None:
        try:
            start = time(int(match["h1"]), int(match["m1"] or 0))
            hour = int(match["h2"])
            end = time(0 if hour == 24 else hour, int(match["m2"] or 0))
        except ValueError:
            pass
        else:
            if start != end:
                return start, end
    raise Refused(_("Quiet hours are written like 23:00-08:00, or off. The two times have to differ."))
