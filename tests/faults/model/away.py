"""Being away in the plain model: who says so, how it ends, and when the tables hear of it."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from tests.faults.model.world import Absence, No, World


def go_away(world: World, guild: int, user: int, *, days: int | None, until: str | None) -> datetime:
    """Somebody is away for some days, or until a day begins where their server is; at most sixty days."""
    back = world.now + timedelta(days=days or 0)
    if until is not None:
        back = datetime.fromisoformat(until).replace(tzinfo=ZoneInfo(world.settings_of(guild)["zone"]))
    if not world.now < back <= world.now + timedelta(days=61):
        raise No("absent too long")
    world.absences[guild, user] = Absence(back, world.now)
    world.dirty.add("absences")
    return back


def away_until(world: World, guild: int, user: int) -> datetime | None:
    absence = world.absences.get((guild, user))
    return None if absence is None or absence.until <= world.now else absence.until


def end(world: World, guild: int, user: int) -> None:
    """Somebody who may have been away is there."""
    if away_until(world, guild, user) is not None:
        world.absences[guild, user] = Absence(world.now, world.now)
        world.dirty.add("absences")


def come_back(world: World, guild: int, user: int) -> None:
    if away_until(world, guild, user) is None:
        raise No("not absent")
    end(world, guild, user)


def owed(world: World) -> list[tuple[int, int]]:
    """Whose tables are to be told now, longest waiting first."""
    due = sorted((one.post_at, *whose) for whose, one in world.absences.items() if one.post_at <= world.now)
    return [(guild, user) for _post, guild, user in due]


def claim(world: World) -> None:
    """Whoever tells tables has a minute, twice as long after each try, an hour at most."""
    for whose in owed(world):
        absence = world.absences[whose]
        absence.post_at = world.now + min(timedelta(minutes=2**absence.post_tries), timedelta(hours=1))
        absence.post_tries += 1
    world.dirty.add("absences")


def tell(world: World, guild: int, user: int) -> list[str]:
    """The tables hear that somebody is away, or is back; returns those that have changed."""
    absence = world.absences[guild, user]
    until = away_until(world, guild, user)
    told = [table for table in world.tables.values() if table.guild_id == guild and table.open]
    changed: list[str] = []
    for table in told:
        at = table.seat_of(user)
        if at is not None and not table.seats[at].left and table.seats[at].away_until != until:
            after = table.copy()
            after.seats[at].away_until = until
            world.commit(table, after)
            changed.append(table.id)
    if until is None:
        del world.absences[guild, user]
    else:
        absence.post_at, absence.post_tries = until, 0
    world.dirty.add("absences")
    return changed
