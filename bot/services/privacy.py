"""Personal data: counting, exporting and deleting a person's data, and deleting the data of servers that have removed
the bot.
"""

import asyncio
import json
import logging
import secrets
from collections import defaultdict
from collections.abc import Collection
from dataclasses import replace
from datetime import timedelta
from gzip import compress

from sqlalchemy import Connection

from bot.domain.errors import Refused
from bot.domain.notify import Wishes
from bot.domain.table import Status
from bot.locales import _
from bot.services.away import leave_game
from bot.services.core import Core, Person
from bot.services.lobby import leave_lobby
from bot.store import privacy as store
from bot.store.cup import find_cups_of
from bot.store.database import LockScope, lock_cups, lock_games, lock_subjects
from bot.store.rows import split_into_portions
from bot.store.settings import load_wishes

log = logging.getLogger(__name__)

FORMAT = "highscore-personal-data-1"
LARGEST_FILE = 8_000_000
"""The number of bytes in a file that Discord accepts on every server. Larger exports are compressed."""
EXPORT_PAUSE_SECONDS = 0.002
"""The pause between two portions of an export, in which the bot answers others."""
DELETION_TRIES = 5
CLOCKS_DIFFER = timedelta(minutes=1)
"""The clocks of other processes, and so the times that they store, may be behind our clock by this much."""
FORMER_BITS = 62
"""The length of the random negative number that replaces the id of a person whose data was deleted."""


async def count_about(core: Core, user_id: int) -> tuple[Wishes, dict[str, int]]:
    """Return a person's wishes for pings, and the number of stored rows about them by database table."""
    wishes = await core.database.read(load_wishes, [user_id])
    return wishes[user_id], await core.database.read(store.count_rows, user_id, core.now())


async def export_person(core: Core, user_id: int) -> tuple[str, bytes]:
    """Return a file name and all rows about a person as JSON, compressed if it would be too large for Discord."""
    about = {"format": FORMAT, "user_id": str(user_id), "exported_at": core.now().isoformat()}
    # Each row is turned into text when it is read: turning all rows at once would delay presses.
    tables: dict[str, list[str]] = defaultdict(list)
    async with core.helper.large, core.database.snapshot() as connection:
        async for table, rows in store.load_all_rows(connection, user_id, core.now()):
            tables[table] += [json.dumps(row, ensure_ascii=False) for row in rows]
            await asyncio.sleep(EXPORT_PAUSE_SECONDS)
    lists = [f'  "{table}": [\n   ' + ",\n   ".join(rows) + "\n  ]" for table, rows in tables.items()]
    text = json.dumps(about, indent=1)[:-2] + ',\n "tables": {\n' + ",\n".join(lists) + "\n }\n}"
    name, data = f"highscore-data-{user_id}.json", text.encode()
    return (name, data) if len(data) <= LARGEST_FILE else (f"{name}.gz", await asyncio.to_thread(compress, data))


async def erase_person(core: Core, person: Person) -> list[str]:
    """Delete the data about a person. Return the ids of the tables that look different now. docs/privacy.md lists what
    stays, such as marks.

    First they leave every table, so that nobody waits for them. Then their id is removed from the event logs, some
    games at a time. One last transaction deletes the rest. If the bot is killed in between, another deletion completes
    it. Raise Refused if they keep joining tables or cups.
    """
    changed: list[str] = []
    # Leaving a table stores the interaction's id. The id can be stored only once, but the person may leave several.
    person = replace(person, interaction_id=None)
    former_id = -1 - secrets.randbits(FORMER_BITS)

    def rest(connection: Connection) -> list[str] | None:
        # Games are locked first. So if one of them is just ending, it stores its results before the seats are changed.
        for some in split_into_portions(store.load_games_of(connection, person.user_id), store.GAMES_AT_ONCE):
            lock_games(connection, *some)
        lock_cups(connection, *(held := find_cups_of(connection, person.user_id)))
        lock_subjects(connection, LockScope.GUILD, *store.find_guilds_of(connection, person.user_id))
        lock_subjects(connection, LockScope.PERSON, person.user_id)
        if store.load_seats_of(connection, person.user_id) or find_cups_of(connection, person.user_id) != held:
            return None
        # These remarks were added while ``_forget_moves`` changed the others.
        store.forget_remarks(connection, store.load_remarks_on(connection, person.user_id, began), person.user_id)
        return store.forget_person(connection, person.user_id, former_id, core.now())

    for _attempt in range(DELETION_TRIES):
        changed += await _leave_all(core, person)
        began = core.now() - CLOCKS_DIFFER
        await _forget_moves(core, person.user_id)
        # None means that the person has taken a seat or entered a cup in the meantime.
        if (playing := await core.database.write(rest)) is not None:
            await core.database.truncate_log()
            return list(dict.fromkeys([*changed, *playing]))
    raise Refused(_("You joined another table or cup in the meantime. Please stop joining for a moment and try again."))


async def _leave_all(core: Core, person: Person) -> list[str]:
    seated = await core.database.read(store.load_seats_of, person.user_id)
    for table_id, status in seated:
        try:
            if status is Status.LOBBY:
                await leave_lobby(core, table_id, person)
            else:
                await leave_game(core, table_id, person, erased=True)
        except Refused:
            # The game has started or ended in the meantime. ``erase_person`` checks if the person still has a seat.
            continue
    return [table_id for table_id, _status in seated]


async def _forget_moves(core: Core, user_id: int) -> None:
    for some in split_into_portions(await core.database.read(store.load_games_of, user_id), store.GAMES_AT_ONCE):
        await core.database.write(store.forget_moves, some, user_id)
    for few in split_into_portions(await core.database.read(store.load_remarks_on, user_id), store.GAMES_AT_ONCE):
        await core.database.write(store.forget_remarks, few, user_id)


async def note_guild_left(core: Core, guild_id: int) -> None:
    await core.database.write(store.add_left_guilds, [guild_id], core.now())


async def note_guild_back(core: Core, guild_id: int) -> None:
    """Cancel the deletion of a server's data, if it is planned, because the server has added the bot again."""
    if await core.database.write(store.remove_left_guild, guild_id):
        log.info("guild %s has added the bot again; its data is not deleted", guild_id)


async def compare_guilds(core: Core, present: Collection[int]) -> list[int]:
    """Note which servers have removed or added the bot while it was not connected. Return those that have removed it.

    ``present`` are the servers of this process that the bot is on now.
    """
    known, gone = await core.database.read(store.find_known_guilds), await core.database.read(store.load_left_guilds)
    here = set(present)
    # Other processes serve the remaining servers, which are not in ``present``.
    new = sorted(guild_id for guild_id in known - here - gone if core.share.includes(guild_id))
    if new:
        log.warning(
            "%d servers removed the bot while it was not connected; their data is deleted after PURGE_DAYS", len(new)
        )
        await core.database.write(store.add_left_guilds, new, core.now())
    for guild_id in sorted(gone & here):
        await note_guild_back(core, guild_id)
    return new


async def purge_some(core: Core, guild_id: int, *, is_present: bool) -> bool:
    """Delete some rows of a server that has removed the bot, unless the bot is present on it again. Return whether
    nothing is left to delete.
    """
    if is_present:
        await note_guild_back(core, guild_id)
        return True
    if not await core.database.write(store.delete_some_of_guild, guild_id):
        return False
    await core.database.truncate_log()
    core.guilds.pop(guild_id, None)
    log.info("all data of guild %s was deleted, because it had removed the bot", guild_id)
    return True
