"""The buttons of the lobby, and of whoever plays at a table again."""

from collections.abc import Awaitable, Callable
from typing import Protocol

from bot.cogs.answers import Private, Redraw, say
from bot.cogs.common import parent_of, person, roles_of
from bot.cogs.context import Context
from bot.discord_api.replies import Interaction
from bot.domain.table import Table
from bot.locales import _
from bot.services.core import Core, Person
from bot.services.lobby import rematch
from bot.ui.buttons import Press


class ByPerson(Protocol):
    """A use case that changes a table by who asks for it alone."""

    async def __call__(
        self, core: Core, table_id: str, person: Person, *, interaction_id: int | None = None
    ) -> Table: ...


def changed_by(service: ByPerson) -> Callable[[Context, Interaction, Press], Awaitable[Redraw]]:
    """The handler of a button that stands for such a use case."""

    async def handler(context: Context, interaction: Interaction, press: Press) -> Redraw:
        table = await service(context.core, press.table_id, person(interaction), interaction_id=interaction.id)
        return Redraw(table)

    return handler


async def open_rematch(context: Context, interaction: Interaction, press: Press) -> Private:
    """Open a table for the same people."""
    table = await rematch(
        context.core,
        press.table_id,
        person(interaction),
        parent_id=parent_of(interaction),
        role_ids=roles_of(interaction),
        interaction_id=interaction.id,
    )
    context.display.request_redraw(table.id)
    return say(_("The table for the rematch is open."))
