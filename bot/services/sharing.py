"""Showing a finished game to others, and what has to be done about it when somebody has their data deleted."""

from bot.domain.sharing import Shared
from bot.domain.table import Table
from bot.services.coaching import report
from bot.services.core import Core, claim
from bot.store.sharing import note_shared
from highscore.odds.analysis import Report


async def share(core: Core, table_id: str, interaction_id: int) -> tuple[Table, Report]:
    """A game that is over, to be posted once for this interaction. Raises Refused before that: it would tell what
    others may not see (R9.5)."""
    table, made = await report(core, table_id)
    await claim(core, interaction_id)
    return table, made


async def shared(core: Core, table: Table, what: Shared, channel_id: int, message_id: int) -> None:
    """Note what was posted."""
    await core.database.write(note_shared, message_id, channel_id, table.id, what)
