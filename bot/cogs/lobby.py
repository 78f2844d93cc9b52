"""The buttons of the lobby, and of whoever plays at a table again."""

from collections.abc import Awaitable, Callable

from bot.cogs.answers import Page, Private, Redraw, say
from bot.cogs.common import parent_of, person
from bot.cogs.context import Context
from bot.discord_api.replies import Interaction
from bot.domain.errors import Stale
from bot.domain.table import Table
from bot.locales import _
from bot.services.core import Core, Person
from bot.services.lobby import join, rematch
from bot.ui.buttons import Press
from bot.ui.lobby import invitation, seal_note
from bot.ui.message import Rendered
from bot.ui.names import link_to


def changed_by(
    service: Callable[[Core, str, Person], Awaitable[Table]], note: Callable[[Table], str] | None = None
) -> Callable[[Context, Interaction, Press], Awaitable[Redraw]]:
    """The handler of a button that stands for a use case that needs to know nothing but who asks for it.

    ``note`` is what whoever presses it is told in private besides.
    """

    async def handler(context: Context, interaction: Interaction, press: Press) -> Redraw:
        table = await service(context.core, press.table_id, person(interaction))
        return Redraw(table, None if note is None else Rendered(content=note(table)))

    return handler


async def join_thread(context: Context, interaction: Interaction, press: Press) -> Page:
    """Sit down at a table in a thread, from the message that invites to it; which ends when the game has begun."""
    try:
        table = await join(context.core, press.table_id, person(interaction))
    except Stale as stale:
        return Page(invitation(stale.table))
    context.display.request_redraw(table.id)
    return Page(invitation(table), Rendered(content=f"{seal_note(table)}\n{link_to(table)}"))


async def open_rematch(context: Context, interaction: Interaction, press: Press) -> Private:
    """Open a table for the same people."""
    table = await rematch(context.core, press.table_id, person(interaction), parent_id=parent_of(interaction))
    context.display.request_redraw(table.id)
    return say(_("The table for the rematch is open.") + "\n" + seal_note(table))
