"""Messages about a game beside its table's own, stored because they are to be drawn anew."""

from bot.domain.screens import Shared
from bot.domain.table import Table
from bot.services.coaching import report_game
from bot.services.core import Core, claim_interaction
from bot.services.facts import LobbyChanged
from bot.store.sharing import mark_lobby_shown, note_shared
from highscore.odds.analysis import Report


async def share_report(core: Core, table_id: str, interaction_id: int) -> tuple[Table, Report]:
    """Return a game that is over, to be posted once for this interaction. Raise Refused before (R9.5)."""
    table, made = await report_game(core, table_id)
    await claim_interaction(core, interaction_id)
    return table, made


async def save_shared(core: Core, table: Table, what: Shared, channel_id: int, message_id: int) -> None:
    await core.database.write(note_shared, message_id, channel_id, table.id, what)


async def save_lobby_place(core: Core, table: Table, channel_id: int, message_id: int) -> None:
    """Store where the lobby of a table is shown apart from its own channel, so that it follows the table."""
    await core.database.write(mark_lobby_shown, message_id, channel_id, table, core.now())
    core.facts.publish(LobbyChanged())
