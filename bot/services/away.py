"""Absences that people announce for a server: begun, ended, and told to their tables; and their wishes for calls."""

import re
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from bot.domain.errors import Refused
from bot.domain.notify import Notify, Wishes
from bot.domain.table import Table
from bot.locales import DEFAULT, _, current_language
from bot.services.core import Change, Core, change_table, get_open_tables, get_server_settings
from bot.store.away import Absence, end_away, load_away, mark_told, set_away
from bot.store.settings import save_wishes

MOST_DAYS = 60

_DATES = (
    re.compile(r"(?P<year>[0-9]{4})-(?P<month>[0-9]{1,2})-(?P<day>[0-9]{1,2})"),
    re.compile(r"(?P<day>[0-9]{1,2})(?P<mark>[./-])\s*(?P<month>[0-9]{1,2})[./-]?\s*(?P<year>[0-9]{4})?"),
)


async def begin_absence(core: Core, guild_id: int, user_id: int, *, days: int | None, until: str | None) -> datetime:
    """Begin an absence of some days, or until the date of the return. Raise Refused if that is too long."""
    now = core.now()
    if until is None:
        back = now + timedelta(days=days or 1)
    else:
        back = parse_day(until, now, ZoneInfo((await get_server_settings(core, guild_id)).zone))
    if not now < back <= now + timedelta(days=MOST_DAYS + 1):
        raise Refused(_("Longest absence, in days from now: {number}").format(number=MOST_DAYS))
    await core.database.write(set_away, Absence(guild_id, user_id, back), now)
    return back


async def finish_absence(core: Core, guild_id: int, user_id: int) -> None:
    """End an absence. Raise Refused if there is none."""
    if not await core.database.write(end_away, guild_id, user_id, core.now()):
        raise Refused(_("You have no absence here. `/highscore away days:3` enters one, for three days."))


async def get_absence_end(core: Core, guild_id: int, user_id: int) -> datetime | None:
    """Return the moment until which somebody is away from a server, or None."""
    return await core.database.read(load_away, guild_id, user_id, core.now())


async def tell_tables(core: Core, absence: Absence) -> list[Table]:
    """Mark or unmark the seats of an absent person at all tables of the server. Return those that changed."""
    until = absence.until if absence.until > core.now() else None

    def work(table: Table) -> Change:
        at = table.seat_of(absence.user_id)
        if at is None or not table.status.open or table.seats[at].left or table.seats[at].away_until == until:
            return Change(table)
        return Change(table.with_seat(at, away_until=until))

    changed = []
    for table in await get_open_tables(core, guild_id=absence.guild_id):
        if table.seat_of(absence.user_id) is not None:
            after = await change_table(core, table.id, work)
            changed += [after] if after != table else []
    await core.database.write(mark_told, absence, core.now())
    return changed


def parse_day(typed: str, now: datetime, zone: ZoneInfo) -> datetime:
    """Return the begin of a day written like 2026-11-24 or 24.11. (the next one of these). Raise Refused.

    24/11 is understood but in English, in which some people write the month first.
    """
    today = now.astimezone(zone).date()
    for written in _DATES:
        match = written.fullmatch(typed.strip())
        if match is not None and (current_language() != DEFAULT or match.groupdict().get("mark", ".") == "."):
            year = int(match["year"] or today.year)
            try:
                day = date(year, int(match["month"]), int(match["day"]))
                if match["year"] is None and day <= today:
                    day = day.replace(year=year + 1)
            except ValueError:
                break
            return datetime.combine(day, time(), zone)
    raise Refused(_("Write the day of your return like 2026-11-24, or pick one from the list."))


async def set_wishes(
    core: Core, user_id: int, notify: Notify | None = None, *, invitations: bool | None = None
) -> Wishes:
    """Store how a person wants to be called, where given. Return all their wishes."""
    return await core.database.write(save_wishes, user_id, notify, invitations, core.now())
