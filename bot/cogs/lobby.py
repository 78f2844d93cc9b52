"""The buttons of the lobby, and of whoever plays at a table again."""

from collections.abc import Awaitable, Callable

from bot.cogs.answers import Private, Redraw
from bot.cogs.common import parent_of, person
from bot.cogs.context import Context
from bot.discord_api.replies import Interaction
from bot.domain.table import Table
from bot.locales import _
from bot.services.core import Core, Person
from bot.services.rematch import rematch
from bot.ui.buttons import Press
from bot.ui.lobby import seat_note
from bot.ui.message import Rendered


def changed_by(
    service: Callable[[Core, str, Person], Awaitable[Table]],
    note: Callable[[Table, int], Rendered | None] | None = None,
) -> Callable[[Context, Interaction, Press], Awaitable[Redraw]]:
    """The handler of a button that stands for a use case that needs to know nothing but who asks for it.

    ``note`` is what whoever presses it is told in private besides, if anything.
    """

    async def handler(context: Context, interaction: Interaction, press: Press) -> Redraw:
        table = await service(context.core, press.table_id, person(interaction))
        return Redraw(table, None if note is None else note(table, interaction.user.id))

    return handler


async def open_rematch(context: Context, interaction: Interaction, press: Press) -> Private:
    """Open a table for the same people."""
    table = await rematch(context.core, press.table_id, person(interaction), parent_id=parent_of(interaction))
    context.display.request_redraw(table.id)
    return Private(seat_note(table, interaction.user.id, _("The table for the rematch is open.")))
