"""Servers that remove the bot: their data is deleted after some days, unless they invite it again."""

import logging
from collections.abc import Callable, Collection

from bot.services.core import Core
from bot.store.purges import (
    add_left_guilds,
    delete_some_of_guild,
    find_known_guilds,
    load_left_guilds,
    remove_left_guild,
)

log = logging.getLogger(__name__)


async def note_guild_left(core: Core, guild_id: int) -> None:
    await core.database.write(add_left_guilds, [guild_id], core.now())


async def note_guild_back(core: Core, guild_id: int) -> None:
    """Keep the data of a server that has invited the bot, perhaps again."""
    if await core.database.write(remove_left_guild, guild_id):
        log.info("guild %s is back; its data stays", guild_id)


async def compare_guilds(core: Core, present: Collection[int]) -> list[int]:
    """Note who left and who came back while the bot was not connected. Return the servers that are newly gone."""
    known, gone = await core.database.read(find_known_guilds), await core.database.read(load_left_guilds)
    here = set(present)
    # The servers of other processes are not present here.
    new = sorted(guild_id for guild_id in known - here - gone if core.share.holds(guild_id))
    if new:
        log.warning("%d servers have removed the bot while it was away", len(new))
        await core.database.write(add_left_guilds, new, core.now())
    for guild_id in sorted(gone & here):
        await note_guild_back(core, guild_id)
    return new


async def purge_some(core: Core, guild_id: int, present: Callable[[int], bool]) -> bool:
    """Delete some rows of a server that removed the bot. Return whether nothing is left to delete."""
    if present(guild_id):
        await note_guild_back(core, guild_id)
        return True
    if not await core.database.write(delete_some_of_guild, guild_id):
        return False
    await core.database.truncate_log()
    core.guilds.pop(guild_id, None)
    log.info("what was stored about guild %s is deleted; it had removed the bot", guild_id)
    return True
