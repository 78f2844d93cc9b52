"""Messages about a game in addition to the table's own. They are stored, so that they can be redrawn."""

from bot.domain.screens import Shared
from bot.domain.table import Table
from bot.services.coaching import report_game
from bot.services.core import Core, claim_interaction
from bot.services.facts import MessagesOutdated
from bot.store.sharing import mark_lobby_shown, note_shared
from highscore.odds.analysis import Report


async def share_report(core: Core, table_id: str, interaction_id: int) -> tuple[Table, Report]:
    """Return a game that is over and its report, which the caller then posts. Raise Refused while the game runs (R9.5),
    AlreadyHandled if this interaction has posted it already.
    """
    table, made = await report_game(core, table_id)
    await claim_interaction(core, interaction_id)
    return table, made


async def save_shared(core: Core, table: Table, what: Shared, channel_id: int, message_id: int) -> None:
    await core.database.write(note_shared, message_id, channel_id, table.id, what)


async def save_lobby_place(core: Core, table: Table, channel_id: int, message_id: int) -> None:
    """Store which message shows a thread's lobby in the parent channel, so that it is redrawn with the table."""
    await core.database.write(mark_lobby_shown, message_id, channel_id, table, core.now())
    core.facts.publish(MessagesOutdated())
